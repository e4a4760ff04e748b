// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "meander/outline.hpp"
#include "phantom/noise/philox.hpp"

namespace meander::testing {

/// Winding number of the polygon about the pixel, counted in quadrants around the point (x + d, y +
/// d^2) for a vanishing d: it shares neither the row sweep nor the division with the code under
/// test.
inline int winding_number(const Polygon& polygon, std::int64_t px, std::int64_t py) {
  const auto quadrant = [&](const GridPoint& p) {
    const bool right = p.x > 256 * px, below = p.y > 256 * py;
    return below ? (right ? 0 : 1) : (right ? 3 : 2);
  };
  int quarters = 0;
  for (std::size_t i = 0; i < polygon.vertices.size(); ++i) {
    const GridPoint a = polygon.vertices[i];
    const GridPoint b = polygon.vertices[(i + 1) % polygon.vertices.size()];
    const int turn = (quadrant(b) - quadrant(a) + 4) % 4;
    if (turn != 2) {
      quarters += turn == 3 ? -1 : turn;
      continue;
    }
    const std::int64_t cross =
        (a.x - 256 * px) * (b.y - 256 * py) - (a.y - 256 * py) * (b.x - 256 * px);
    const bool positive = cross != 0 ? cross > 0 : (a.y != b.y ? a.y > b.y : b.x > a.x);
    quarters += positive ? 2 : -2;
  }
  return quarters / 4;
}

/// A number of 0 … count - 1.
inline std::int64_t drawn_below(std::int64_t count, phantoms::UniformSequence& random) {
  return static_cast<std::int64_t>(random.next() * static_cast<double>(count));
}

/// u8, 0 everywhere.
inline Image blank_mask(std::int64_t width, std::int64_t height) {
  Image mask = Image::allocate({.shape = {width, height, 1}, .type = PixelType::u8});
  for (std::int64_t y = 0; y < height; ++y)
    std::fill_n(mask.mutable_row<std::uint8_t>(y), width, std::uint8_t{0});
  return mask;
}

}  // namespace meander::testing
