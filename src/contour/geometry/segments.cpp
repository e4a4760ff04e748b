// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/geometry/segments.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace meander::contour {
namespace {

/// For a point on the line of the segment.
bool is_within(const ContourEdge& edge, GridPoint p) {
  const auto [low_x, high_x] = std::minmax(edge.from.x, edge.to.x);
  const auto [low_y, high_y] = std::minmax(edge.from.y, edge.to.y);
  return p.x >= low_x && p.x <= high_x && p.y >= low_y && p.y <= high_y;
}

/// Of two ranges, whose ends come in any order.
bool are_apart(std::int64_t a0, std::int64_t a1, std::int64_t b0, std::int64_t b1) {
  return std::max(a0, a1) < std::min(b0, b1) || std::max(b0, b1) < std::min(a0, a1);
}

}  // namespace

int side_of(GridPoint a, GridPoint b, GridPoint c) {
  const std::int64_t area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  return (area > 0) - (area < 0);
}

bool touch(const ContourEdge& a, const ContourEdge& b) {
  if (are_apart(a.from.x, a.to.x, b.from.x, b.to.x)) return false;
  if (are_apart(a.from.y, a.to.y, b.from.y, b.to.y)) return false;
  const int b_from = side_of(a.from, a.to, b.from);
  const int b_to = side_of(a.from, a.to, b.to);
  const int a_from = side_of(b.from, b.to, a.from);
  const int a_to = side_of(b.from, b.to, a.to);
  if (b_from * b_to < 0 && a_from * a_to < 0) return true;
  return (b_from == 0 && is_within(a, b.from)) || (b_to == 0 && is_within(a, b.to)) ||
         (a_from == 0 && is_within(b, a.from)) || (a_to == 0 && is_within(b, a.to));
}

bool folds_back(GridPoint a, GridPoint corner, GridPoint b) {
  if (side_of(a, corner, b) != 0) return false;
  return (a.x - corner.x) * (b.x - corner.x) + (a.y - corner.y) * (b.y - corner.y) >= 0;
}

bool holds(const Polygon& ring, GridPoint place) {
  bool is_inside = false;
  const auto& vertices = ring.vertices;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const GridPoint a = vertices[i], b = vertices[(i + 1) % vertices.size()];
    if ((a.y > place.y) == (b.y > place.y)) continue;
    const int side = side_of(a, b, place);
    is_inside ^= b.y > a.y ? side > 0 : side < 0;
  }
  return is_inside;
}

Box box_around(const Polygon& polygon) {
  Box box{polygon.vertices.front(), polygon.vertices.front()};
  for (const GridPoint p : polygon.vertices) {
    box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y)};
    box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y)};
  }
  return box;
}

std::vector<std::size_t> corners_of_hull(const std::vector<GridPoint>& points) {
  std::vector<std::size_t> order(points.size()), corners;
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(points[a].x, points[a].y) < std::pair(points[b].x, points[b].y);
  });
  // From left to right and back: what turns the wrong way goes.
  for (int pass = 0; pass < 2; ++pass) {
    const std::size_t first = corners.size();
    for (const std::size_t i : order) {
      while (corners.size() > first + 1 &&
             side_of(points[corners[corners.size() - 2]], points[corners.back()], points[i]) <= 0) {
        corners.pop_back();
      }
      corners.push_back(i);
    }
    if (!corners.empty()) corners.pop_back();  // begins the way back
    std::reverse(order.begin(), order.end());
  }
  std::sort(corners.begin(), corners.end());
  return corners;
}

}  // namespace meander::contour
