// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>

#include "contour/spots.hpp"

namespace meander::contour {

struct Detected {
  std::vector<Region> regions;      ///< From the top.
  std::optional<Backdrop> shading;  ///< The background, where it is uneven.
};

/// Objects of an image of type u8, u16 or i16 in host memory; see find_objects.
Detected detect(const Image& image, const Control& control);
/// The background of such an image, where it is uneven.
std::optional<Backdrop> shading_of(const Image& image, const Control& control);
/// By the first vertex of the outer ring, from top to bottom and from left to right.
bool starts_before(const Region& a, const Region& b);
/// The same image without its shading, as u16: 32768 where the background is, what differs by more
/// than 32767 saturates.
Image without_shading(const Image& image, const Backdrop& backdrop);
/// What it holds besides the image, objects apart.
std::int64_t detect_bytes(const Shape& image);

}  // namespace meander::contour
