// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "contour/detect.hpp"
#include "meander/objects.hpp"

namespace meander::contour {

/// find_objects, and what it knows of the background.
Detected found_in(const Image& image, const ObjectOptions& options, const Control& control);

}  // namespace meander::contour
