// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "meander/options.hpp"
#include "meander/outline.hpp"

namespace meander {

// Numbers of outlines as text.

/// A multiple of 1/256 as a decimal: 1/256 is 0.00390625.
inline std::string decimal(std::int64_t grid) {
  const std::int64_t magnitude = grid < 0 ? -grid : grid;
  std::string text = (grid < 0 ? "-" : "") + std::to_string(magnitude / grid_steps_per_pixel);
  const std::int64_t rest = magnitude % grid_steps_per_pixel;
  if (rest == 0) return text;
  std::string digits = std::to_string(100000000 + rest * 390625);
  digits.erase(digits.find_last_not_of('0') + 1);
  return text + "." + digits.substr(1);
}

/// The shortest text that comes back as the same number.
inline std::string shortest(double value) { return OptionText<double>::format(value); }

/// JSON has no infinities and no NaN.
inline std::string json_number(double value) {
  return std::isfinite(value) ? shortest(value) : "null";
}

// What files of outlines are put together from.

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

/// Properties of a feature that has curves: `nodes`, the vertices of the outer ring that are nodes,
/// and of each ring the nodes of its spline, with 1 at corners. Nothing of polygons.
inline std::string spline_properties(std::span<const Spline> splines,
                                     std::span<const std::size_t> nodes, const Spacing& spacing) {
  if (splines.empty()) return "";
  std::string vertices, rings;
  for (const std::size_t vertex : nodes) {
    vertices += (vertices.empty() ? "" : ",") + std::to_string(vertex);
  }
  for (const Spline& spline : splines) {
    std::string ring;
    for (const SplineNode& node : spline.nodes) {
      ring += (ring.empty() ? "[" : ",[") + coordinate(node.at.x, spacing.x) + "," +
              coordinate(node.at.y, spacing.y) + (node.is_corner ? ",1]" : ",0]");
    }
    rings += (rings.empty() ? "[" : ",[") + ring + "]";
  }
  return ",\"node_vertices\":[" + vertices + "],\"splines\":[" + rings + "]";
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
