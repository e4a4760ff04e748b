// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>

#include "contour/spots.hpp"

namespace meander::contour {

/// Objects of an image of type u8, u16 or i16 in host memory; see find_objects. From the top.
std::vector<Region> detect(const Image& image, const Control& control);
/// By the first vertex of the outer ring, from top to bottom and from left to right.
bool starts_before(const Region& a, const Region& b);
/// The same image without its shading, as u16: 32768 where the background is, what differs by more
/// than 32767 saturates. Nothing where the background has one level.
std::optional<Image> without_shading(const Image& image, const Control& control);
/// What it holds besides the image, objects apart.
std::int64_t detect_bytes(const Shape& image);

}  // namespace meander::contour
