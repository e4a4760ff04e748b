// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "picture/concavity.hpp"

#include <cmath>
#include <vector>

#include "contour/geometry/segments.hpp"

namespace meander::pictures {
namespace {

/// Twice the area of the triangle; positive when c lies on the side that y is of x.
double turn(const GridPoint& a, const GridPoint& b, const GridPoint& c) {
  return static_cast<double>((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
}

struct Depth {
  double pixels = -1;
  GridPoint point;
};

/// Of a simple curve the points between two corners lie behind the side between these.
Depth deepest_of(const std::vector<GridPoint>& points) {
  const std::vector<std::size_t> corners = contour::corners_of_hull(points);
  Depth deepest{.point = points.front()};
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const std::size_t from = corners[k], to = corners[(k + 1) % corners.size()];
    const GridPoint &a = points[from], &b = points[to];
    const double side = std::hypot(static_cast<double>(b.x - a.x), static_cast<double>(b.y - a.y));
    for (std::size_t i = from; i != to; i = (i + 1) % points.size()) {
      const double depth = side > 0 ? std::abs(turn(a, b, points[i])) / side : 0;
      if (depth > deepest.pixels) deepest = {depth, points[i]};
    }
  }
  return deepest;
}

}  // namespace

GridPoint deepest_point(std::span<const Curve> curves) {
  Depth deepest;
  for (const Curve& curve : curves) {
    if (curve.is_open || curve.points.size() < 3) continue;
    const Depth here = deepest_of(curve.points);
    if (here.pixels > deepest.pixels) deepest = here;
  }
  if (deepest.pixels >= 0 || curves.empty() || curves.front().points.empty()) return deepest.point;
  return curves.front().points[curves.front().points.size() / 2];
}

}  // namespace meander::pictures
