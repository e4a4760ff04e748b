// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <vector>

#include "engine/contour.hpp"

namespace meander::contour {

using engine::ContourEdge;

/// Where c lies seen along a → b: 1 to the right (y runs down), -1 to the left, 0 on the line.
/// Exact for coordinates up to 2^29 in size.
int side_of(GridPoint a, GridPoint b, GridPoint c);

/// Whether two segments have a point in common, ends included.
bool touch(const ContourEdge& a, const ContourEdge& b);

/// Whether corner → b runs along corner → a, so that the two have more in common than the corner.
bool folds_back(GridPoint a, GridPoint corner, GridPoint b);

/// Whether a place that the ring does not touch lies inside it.
bool holds(const Polygon& ring, GridPoint place);

/// The smallest box along the axes that holds a polygon.
struct Box {
  GridPoint low, high;
};
Box box_around(const Polygon& polygon);

/// Indices of the corners of the convex hull of points, in their order; none within a side of it.
std::vector<std::size_t> corners_of_hull(const std::vector<GridPoint>& points);

}  // namespace meander::contour
