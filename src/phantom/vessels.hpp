// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "phantom/shapes.hpp"

namespace meander::phantoms {

/// A piece of tube between two balls, in pixels.
struct Tube {
  std::array<double, 3> from, to;
  double radius_from, radius_to;
};

/// Grows a tree from the middle of the lower edge (of the last row, in the middle slice) until it
/// is near every part of the image. A few thousand tubes whatever the size.
std::vector<Tube> grow_vessels(const Canvas& canvas);

/// Sets the tenths of the pixels of the band whose centre is in a tube.
void paint_tubes(const std::vector<Tube>& tubes, const Band& band, std::uint8_t* tenths);

}  // namespace meander::phantoms
