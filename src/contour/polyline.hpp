// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <vector>

#include "meander/outline.hpp"

namespace meander::contour {

struct Place {
  double x = 0, y = 0;
};

/// A curve that moves: its points in pixels, off the grid of files.
struct Polyline {
  std::vector<Place> points;
  bool is_open = false;

  std::size_t edges() const { return points.size() - (is_open ? 1 : 0); }
  const Place& next(std::size_t i) const { return points[(i + 1) % points.size()]; }
  const Place& previous(std::size_t i) const {
    return points[(i + points.size() - 1) % points.size()];
  }
  double length() const;
  double area() const;
};

Polyline polyline_of(const Curve& curve);
Curve on_grid(const Polyline& line);

/// Points at equal distances of about `spacing` along the line, at least `least` of them; the first
/// stays where it is, and of an open line the last.
Polyline resampled(const Polyline& line, double spacing, std::size_t least);

/// Whether an edge is shorter than half the mean of all or longer than one and a half of it.
bool is_uneven(const Polyline& line);

/// How far a point of `to` lies from the line `from` at most, looking near the same share of its
/// points: what a change of shape is, when points that slide along the line do not count.
double largest_move(const Polyline& from, const Polyline& to);

}  // namespace meander::contour
