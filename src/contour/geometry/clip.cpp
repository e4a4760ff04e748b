// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/geometry/clip.hpp"

#include <cmath>

#include "contour/geometry/segments.hpp"
#include "meander/error.hpp"

namespace meander::contour {
namespace {

/// A half plane whose border runs along an axis: places up to `limit`, or from it on.
struct HalfPlane {
  bool along_x;
  bool is_upper;  ///< Whether the limit is the highest place.
  std::int64_t limit;

  std::int64_t place(GridPoint p) const { return along_x ? p.x : p.y; }
  bool holds(GridPoint p) const { return is_upper ? place(p) <= limit : place(p) >= limit; }
};

/// Where an edge crosses the border of a half plane, rounded to the grid.
GridPoint crossing_of(GridPoint a, GridPoint b, const HalfPlane& plane) {
  const double part = static_cast<double>(plane.limit - plane.place(a)) /
                      static_cast<double>(plane.place(b) - plane.place(a));
  const auto between = [part](std::int64_t from, std::int64_t to) {
    return from + std::llround(part * static_cast<double>(to - from));
  };
  if (plane.along_x) return {plane.limit, between(a.y, b.y)};
  return {between(a.x, b.x), plane.limit};
}

/// Sutherland and Hodgman's: nodes outside go, and the crossings of the border come.
Polygon cut(const Polygon& polygon, const HalfPlane& plane) {
  Polygon inside;
  const auto add = [&](GridPoint p) {
    if (inside.vertices.empty() || inside.vertices.back() != p) inside.vertices.push_back(p);
  };
  const auto& vertices = polygon.vertices;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const GridPoint a = vertices[i], b = vertices[(i + 1) % vertices.size()];
    if (plane.holds(a)) add(a);
    if (plane.holds(a) != plane.holds(b)) add(crossing_of(a, b, plane));
  }
  if (inside.vertices.size() > 1 && inside.vertices.front() == inside.vertices.back()) {
    inside.vertices.pop_back();
  }
  return inside;
}

}  // namespace

GridPoint lowest_node() { return {-grid_steps_per_pixel / 2, -grid_steps_per_pixel / 2}; }

GridPoint highest_node(const Shape& image) {
  return {image.x * grid_steps_per_pixel - grid_steps_per_pixel / 2,
          image.y * grid_steps_per_pixel - grid_steps_per_pixel / 2};
}

Polygon clipped(const Polygon& polygon, const Shape& image) {
  const GridPoint low = lowest_node(), high = highest_node(image);
  Polygon part = polygon;
  for (const HalfPlane& plane : {HalfPlane{true, false, low.x}, HalfPlane{true, true, high.x},
                                 HalfPlane{false, false, low.y}, HalfPlane{false, true, high.y}}) {
    part = cut(part, plane);
  }
  if (part.vertices.size() < 3) {
    throw InvalidArgument("the start outline holds no pixel of the image");
  }
  if (!is_simple(part)) {
    throw InvalidArgument(
        "the start outline has several parts in the image or hardly any, expected one");
  }
  return part;
}

}  // namespace meander::contour
