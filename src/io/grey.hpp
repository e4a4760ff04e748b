// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "meander/io.hpp"

namespace meander::io {

/// One channel of the first `colours` ones of a host image: luminance (of three), max or mean.
Image mixed(const Image& image, int colours, Grey grey);

}  // namespace meander::io
