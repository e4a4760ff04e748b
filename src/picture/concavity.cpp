// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "picture/concavity.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace meander::pictures {
namespace {

using Indices = std::vector<std::size_t>;

/// Twice the area of the triangle; positive when c lies on the side that y is of x.
double turn(const GridPoint& a, const GridPoint& b, const GridPoint& c) {
  return static_cast<double>((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
}

/// One half of the hull, for points in this order.
void add_half(const std::vector<GridPoint>& points, const Indices& order, Indices& hull) {
  const std::size_t first = hull.size();
  for (const std::size_t i : order) {
    while (hull.size() >= first + 2 &&
           turn(points[hull[hull.size() - 2]], points[hull.back()], points[i]) <= 0) {
      hull.pop_back();
    }
    hull.push_back(i);
  }
  hull.pop_back();  // begins the other half
}

/// Indices of the corners of the convex hull, in the order of the curve: the monotone chain.
Indices corners_of_hull(const std::vector<GridPoint>& points) {
  Indices order(points.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(points[a].x, points[a].y) < std::pair(points[b].x, points[b].y);
  });
  Indices hull;
  add_half(points, order, hull);
  std::reverse(order.begin(), order.end());
  add_half(points, order, hull);
  std::sort(hull.begin(), hull.end());
  return hull;
}

struct Depth {
  double pixels = -1;
  GridPoint point;
};

/// Of a simple curve the points between two corners lie behind the side between these.
Depth deepest_of(const std::vector<GridPoint>& points) {
  const Indices corners = corners_of_hull(points);
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
