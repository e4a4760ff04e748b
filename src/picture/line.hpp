// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <algorithm>
#include <cmath>

#include "meander/outline.hpp"

/// What lines on pictures are drawn from. Pixel centres have whole coordinates.
namespace meander::pictures {

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
