// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <span>
#include <string>
#include <vector>

#include "contour/decimal.hpp"

/// What files of outlines are put together from.
namespace meander {

/// A coordinate of the grid in the unit of the spacing.
inline std::string coordinate(std::int64_t grid, double step) {
  return step == 1 ? decimal(grid)
                   : shortest(static_cast<double>(grid) / grid_steps_per_pixel * step);
}

/// Positions as GeoJSON has them, with commas between.
inline std::string positions(std::span<const GridPoint> points, const Spacing& spacing) {
  std::string text;
  for (const GridPoint& point : points) {
    text += (text.empty() ? "[" : ",[") + coordinate(point.x, spacing.x) + "," +
            coordinate(point.y, spacing.y) + "]";
  }
  return text;
}

/// What tables have for a spacing that is not in pixels.
inline std::string unit_column(const Spacing& spacing) {
  return spacing.unit == Unit::pixel ? "" : ",unit";
}
inline std::string unit_cell(const Spacing& spacing) {
  return spacing.unit == Unit::pixel ? "" : "," + std::string(name_of(spacing.unit));
}

/// Features one a line, with the members that lead back to pixels.
inline std::string feature_collection(const std::vector<std::string>& features,
                                      const Spacing& spacing) {
  std::string text = "{\"type\":\"FeatureCollection\",\"spacing\":[" + shortest(spacing.x) + "," +
                     shortest(spacing.y) + "],\"unit\":\"" + std::string(name_of(spacing.unit)) +
                     "\",\"features\":[";
  const char* separator = "\n";
  for (const std::string& feature : features) {
    text += separator + feature;
    separator = ",\n";
  }
  return text + "\n]}\n";
}

}  // namespace meander
