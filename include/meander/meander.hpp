// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

/// Everything at once.
#include "meander/border.hpp"
#include "meander/compare.hpp"
#include "meander/control.hpp"
#include "meander/convert.hpp"
#include "meander/device.hpp"
#include "meander/edge.hpp"
#include "meander/error.hpp"
#include "meander/flow.hpp"
#include "meander/image.hpp"
#include "meander/io.hpp"
#include "meander/objects.hpp"
#include "meander/options.hpp"
#include "meander/outline.hpp"
#include "meander/outline_text.hpp"
#include "meander/phantom.hpp"
#include "meander/picture.hpp"
#include "meander/pixel.hpp"
#include "meander/precision.hpp"
#include "meander/react.hpp"
#include "meander/segment.hpp"
#include "meander/smooth.hpp"
#include "meander/statistics.hpp"
#include "meander/verify.hpp"
#include "meander/version.hpp"
