// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <vector>

#include "meander/outline.hpp"

namespace meander::contour {

/// A curve that moves: its points in pixels, off the grid of files.
struct Polyline {
  std::vector<Point> points;
  bool is_open = false;

  std::size_t edges() const { return points.size() - (is_open && !points.empty() ? 1 : 0); }
  const Point& next(std::size_t i) const { return points[(i + 1) % points.size()]; }
  const Point& previous(std::size_t i) const {
    return points[(i + points.size() - 1) % points.size()];
  }
  double length() const;
  double area() const;
  /// Of its area.
  Point middle() const;
};

Polyline polyline_of(const Curve& curve);
Curve on_grid(const Polyline& line);

/// So many points at equal distances along the line. The first lies `offset` pixels along it from
/// the line's first (backwards below 0); an open line keeps both ends.
Polyline resampled(const Polyline& line, std::size_t count, double offset = 0);

/// For a line as long as this one, with points about `spacing` apart, but no fewer than `least`.
std::size_t count_for(const Polyline& line, double spacing, std::size_t least);

/// How far the points of `to` have moved along the line `from`, on average; both have as many.
double mean_slide(const Polyline& from, const Polyline& to);

/// How far a point of `to` lies from the line `from` at most, looking near the same share of its
/// points: what a change of shape is, when points that slide along the line do not count.
double largest_move(const Polyline& from, const Polyline& to);

}  // namespace meander::contour
