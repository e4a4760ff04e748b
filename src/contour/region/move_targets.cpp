// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/region/move_targets.hpp"

#include <algorithm>
#include <cmath>

#include "contour/geometry/spline_parts.hpp"

namespace meander::contour {
namespace {

Point between(GridPoint a, GridPoint b) {
  return {static_cast<double>(b.x - a.x), static_cast<double>(b.y - a.y)};
}

double cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }

GridPoint moved(GridPoint from, Point by) {
  return {from.x + std::llround(by.x), from.y + std::llround(by.y)};
}

/// Of length 1; `otherwise` where there is hardly a direction.
Point direction(Point v, Point otherwise) {
  constexpr double hardly = 0.05;
  const double length = length_of(v);
  return length < hardly ? otherwise : 1 / length * v;
}

std::array<Point, 4> along_edges(GridPoint before, GridPoint node, GridPoint after) {
  const Point in = direction(between(before, node), {1, 0});
  const Point out = direction(between(node, after), {1, 0});
  const Point normal{-in.y, in.x};
  return {in, out, direction(in + out, normal), direction(in - out, normal)};
}

std::array<Point, 4> along_axes() { return {Point{1, 0}, {1, 1}, {0, 1}, {-1, 1}}; }

}  // namespace

std::array<GridPoint, 8> places_around(GridPoint before, GridPoint node, GridPoint after,
                                       std::int64_t distance, Directions directions) {
  const auto ways =
      directions == Directions::axes ? along_axes() : along_edges(before, node, after);
  std::array<GridPoint, 8> places;
  const auto length = static_cast<double>(distance);
  for (std::size_t i = 0; i < ways.size(); ++i) {
    places[2 * i] = moved(node, length * ways[i]);
    places[2 * i + 1] = moved(node, -length * ways[i]);
  }
  return places;
}

std::optional<GridPoint> meeting_point(GridPoint before, GridPoint a, GridPoint b,
                                       GridPoint after) {
  constexpr double times = 4;
  const Point in = between(before, a), out = between(after, b), gap = between(a, b);
  const double turn = cross(in, out);
  if (turn == 0) return std::nullopt;
  // a + s·in = b + t·out
  const double s = cross(gap, out) / turn, t = cross(gap, in) / turn;
  const double farthest = times * length_of(gap);
  const bool is_beyond = s > 0 && t > 0;
  if (!is_beyond || s * length_of(in) > farthest || t * length_of(out) > farthest)
    return std::nullopt;
  return moved(a, s * in);
}

}  // namespace meander::contour
