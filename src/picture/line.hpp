// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <algorithm>
#include <cmath>

/// What lines on pictures are drawn from. Pixel centres have whole coordinates.
namespace meander::pictures {

struct Point {
  double x = 0, y = 0;
  friend Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
  friend Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
  friend Point operator*(double s, Point a) { return {s * a.x, s * a.y}; }
};

inline double dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }

inline double distance_to_line(Point p, Point from, Point to) {
  const Point along = to - from;
  const double squared = dot(along, along);
  const double part = squared > 0 ? std::clamp(dot(p - from, along) / squared, 0.0, 1.0) : 0;
  const Point away = p - (from + part * along);
  return std::hypot(away.x, away.y);
}

/// What of a pixel lies within `reach` of the middle of a line.
inline double coverage(double reach, double distance) {
  return std::clamp(reach + 0.5 - distance, 0.0, 1.0);
}

}  // namespace meander::pictures
