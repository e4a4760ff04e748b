// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <optional>

#include "contour/geometry/segments.hpp"

namespace meander::contour {

/// Where the eight places of a node lie.
enum class Directions : std::uint8_t {
  axes,  ///< Along the axes and diagonals of the image, as published.
  edges  ///< Along both edges, the line that halves their corner, and across it: so a corner can
         ///< slide along one edge without turning it.
};

/// Eight places around `node`, `distance` grid steps away.
std::array<GridPoint, 8> places_around(GridPoint before, GridPoint node, GridPoint after,
                                       std::int64_t distance, Directions directions);

/// Where the edges before → a and b → after meet when they are drawn out beyond a and b, if that is
/// not farther away than a few times the length of a → b.
std::optional<GridPoint> meeting_point(GridPoint before, GridPoint a, GridPoint b, GridPoint after);

}  // namespace meander::contour
