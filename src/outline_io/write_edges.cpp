// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "core/control_part.hpp"
#include "meander/outline_text.hpp"
#include "outline_io/text_parts.hpp"

namespace meander {
namespace {

/// Nothing of what has shrunk to less than a line or a triangle.
std::string geometry_of(const Curve& curve, const Spacing& spacing) {
  std::vector<GridPoint> points = curve.points;
  if (curve.is_open) {
    if (points.size() < 2) points.clear();
    return "{\"type\":\"LineString\",\"coordinates\":[" + positions(points, spacing) + "]}";
  }
  if (points.size() < 3) return "{\"type\":\"Polygon\",\"coordinates\":[]}";
  points.push_back(points.front());
  return "{\"type\":\"Polygon\",\"coordinates\":[[" + positions(points, spacing) + "]]}";
}

std::string size_of(const Curve& curve, const Spacing& spacing) {
  const OutlineMeasure size = measure(curve, spacing);
  return curve.is_open ? ",\"length\":" + json_number(size.perimeter)
                       : ",\"area\":" + json_number(size.area) +
                             ",\"perimeter\":" + json_number(size.perimeter);
}

std::string feature(std::size_t id, const EdgeOutline& outline, std::string_view model,
                    const Spacing& spacing) {
  return "{\"type\":\"Feature\",\"properties\":{\"id\":" + std::to_string(id) +
         ",\"nodes\":" + std::to_string(outline.curve.points.size()) +
         size_of(outline.curve, spacing) + ",\"unit\":\"" + std::string(name_of(spacing.unit)) +
         "\",\"end\":\"" + OptionText<SnakeEnd>::format(outline.end) +
         "\",\"steps\":" + std::to_string(outline.steps) +
         ",\"loops\":" + std::to_string(outline.loops) + ",\"model\":\"" + std::string(model) +
         "\"},\"geometry\":" + geometry_of(outline.curve, spacing) + "}";
}

}  // namespace

std::string outlines_as_geojson(const EdgeResult& result, std::string_view model,
                                const Spacing& spacing, const Control& control) {
  std::vector<std::string> features;
  for_each_step(result.outlines, control, [&](const EdgeOutline& outline) {
    features.push_back(feature(features.size() + 1, outline, model, spacing));
  });
  return feature_collection(features, spacing);
}

std::string outlines_as_csv(const EdgeResult& result, const Spacing& spacing,
                            const Control& control) {
  std::string text = "outline,vertex,x,y" + unit_column(spacing) + "\n";
  std::size_t id = 0;
  for_each_step(result.outlines, control, [&](const EdgeOutline& outline) {
    ++id;
    const auto& points = outline.curve.points;
    for (std::size_t k = 0; k < points.size(); ++k) {
      text += std::to_string(id) + "," + std::to_string(k) + "," +
              coordinate(points[k].x, spacing.x) + "," + coordinate(points[k].y, spacing.y) +
              unit_cell(spacing) + "\n";
    }
  });
  return text;
}

}  // namespace meander
