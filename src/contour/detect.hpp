// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "contour/spots.hpp"

namespace meander::contour {

/// Objects of an image of type u8, u16 or i16 in host memory; see find_objects. From the top.
std::vector<Region> detect(const Image& image, const Control& control);
/// What it holds besides the image, objects apart.
std::int64_t detect_bytes(const Shape& image);

}  // namespace meander::contour
