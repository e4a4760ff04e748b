// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/message.hpp"
#include "meander/outline.hpp"

namespace meander {
namespace {

constexpr double smallest_radius = 1.0 / 16;  // Rounding leaves eight vertices apart, convex.

std::int64_t nearest_step(double pixels) {
  return static_cast<std::int64_t>(std::floor(pixels * grid_steps_per_pixel + 0.5));
}

void check_coordinate(double pixels) {
  if (std::abs(pixels) <= static_cast<double>(largest_coordinate)) return;  // not so for NaN
  throw InvalidArgument(message("a coordinate of an outline is ", pixels, ", expected -",
                                largest_coordinate, " to ", largest_coordinate, " pixels"));
}

/// A multiple of four, so that a quarter turn maps the vertices onto each other.
int vertices_of_circle(double radius) {
  const double quarter_length = radius * std::numbers::pi / 2;
  return 4 * static_cast<int>(std::clamp(std::round(quarter_length / 4), 2.0, 16.0));
}

}  // namespace

GridPoint on_grid(double x, double y) {
  check_coordinate(x);
  check_coordinate(y);
  return {nearest_step(x), nearest_step(y)};
}

Polygon box_outline(double x0, double y0, double x1, double y1) {
  const GridPoint a = on_grid(x0, y0), b = on_grid(x1, y1);
  if (a.x == b.x || a.y == b.y) {
    throw InvalidArgument(message("a box from ", x0, ",", y0, " to ", x1, ",", y1,
                                  " is empty, expected corners that differ in x and y"));
  }
  const auto [left, right] = std::minmax(a.x, b.x);
  const auto [top, bottom] = std::minmax(a.y, b.y);
  return {{{left, top}, {right, top}, {right, bottom}, {left, bottom}}};
}

Polygon circle_outline(double x, double y, double radius) {
  if (!(radius >= smallest_radius)) {
    throw InvalidArgument(message("the radius of a circle is ", radius, ", expected at least ",
                                  smallest_radius, " pixels"));
  }
  check_coordinate(std::abs(x) + radius);
  check_coordinate(std::abs(y) + radius);
  const GridPoint centre = on_grid(x, y);
  const int count = vertices_of_circle(radius);
  Polygon circle;
  // Only the first quarter is computed, the others are turned: sine and cosine are then exact where
  // they are 0, and the polygon as symmetric as the grid.
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * std::numbers::pi * (i % (count / 4)) / count;
    GridPoint p{nearest_step(radius * std::cos(angle)), nearest_step(radius * std::sin(angle))};
    for (int turn = 0; turn < i / (count / 4); ++turn) p = {-p.y, p.x};
    circle.vertices.push_back({centre.x + p.x, centre.y + p.y});
  }
  return circle;
}

}  // namespace meander
