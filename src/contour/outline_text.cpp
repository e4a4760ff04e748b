// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/outline_text.hpp"

#include <algorithm>
#include <cmath>

#include "contour/geojson_parts.hpp"

namespace meander {
namespace {

std::string ring_of(const Polygon& polygon, const Spacing& spacing = {}) {
  std::vector<GridPoint> ring = polygon.vertices;
  if (polygon.signed_area() < 0) std::reverse(ring.begin(), ring.end());
  if (!ring.empty()) ring.push_back(ring.front());
  return positions(ring, spacing);
}

/// Of a closed line the last edge leads back to the first point.
template <class F>
void for_each_edge(std::span<const GridPoint> points, bool is_open, F&& f) {
  for (std::size_t i = 1; i < points.size(); ++i) f(points[i - 1], points[i]);
  if (!is_open && !points.empty()) f(points.back(), points.front());
}

double length_of(std::span<const GridPoint> points, bool is_open, const Spacing& spacing) {
  double length = 0;
  for_each_edge(points, is_open, [&](const GridPoint& a, const GridPoint& b) {
    length += std::hypot(static_cast<double>(b.x - a.x) * spacing.x,
                         static_cast<double>(b.y - a.y) * spacing.y);
  });
  return length / grid_steps_per_pixel;
}

std::string feature(std::size_t id, const Outline& outline, NoiseModel noise,
                    const Spacing& spacing) {
  const OutlineMeasure size = measure(outline.polygon, spacing);
  std::string confidence;
  for (const double value : outline.confidence) {
    confidence += (confidence.empty() ? "" : ",") + json_number(value);
  }
  const auto region = [](const std::string& name, const RegionStatistics& statistics) {
    return ",\"" + name + "_mean\":" + json_number(statistics.mean) + ",\"" + name +
           "_sigma\":" + json_number(statistics.sigma);
  };
  return "{\"type\":\"Feature\",\"properties\":{\"id\":" + std::to_string(id) +
         ",\"nodes\":" + std::to_string(outline.polygon.vertices.size()) +
         ",\"area\":" + json_number(size.area) + ",\"perimeter\":" + json_number(size.perimeter) +
         ",\"unit\":\"" + std::string(name_of(spacing.unit)) +
         "\",\"criterion\":" + json_number(outline.criterion) +
         ",\"gain\":" + json_number(outline.gain) + ",\"noise\":\"" +
         OptionText<NoiseModel>::format(noise) + "\"" + region("inside", outline.inside) +
         region("outside", outline.outside) + ",\"confidence\":[" + confidence +
         "]},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[" +
         ring_of(outline.polygon, spacing) + "]]}}";
}

}  // namespace

OutlineMeasure measure(const Polygon& polygon, const Spacing& spacing) {
  return {.area = std::abs(polygon.signed_area()) * spacing.x * spacing.y,
          .perimeter = length_of(polygon.vertices, false, spacing)};
}

OutlineMeasure measure(const Curve& curve, const Spacing& spacing) {
  if (!curve.is_open) return measure(Polygon{curve.points}, spacing);
  return {.perimeter = length_of(curve.points, true, spacing)};
}

double Polygon::signed_area() const {
  double doubled = 0;
  for_each_edge(vertices, false, [&](const GridPoint& a, const GridPoint& b) {
    doubled += static_cast<double>(a.x * b.y - b.x * a.y);
  });
  return doubled / (2.0 * grid_steps_per_pixel * grid_steps_per_pixel);
}

double Polygon::perimeter() const { return measure(*this, {}).perimeter; }

std::string outlines_as_geojson(std::span<const Polygon> outlines) {
  std::string text = "{\"type\":\"FeatureCollection\",\"features\":[";
  for (std::size_t i = 0; i < outlines.size(); ++i) {
    text += i == 0 ? "\n" : ",\n";
    text += "{\"type\":\"Feature\",\"properties\":{\"outline\":" + std::to_string(i) +
            "},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[" + ring_of(outlines[i]) +
            "]]}}";
  }
  return text + "\n]}\n";
}

std::string outlines_as_csv(std::span<const Polygon> outlines) {
  std::string text = "outline,vertex,x,y\n";
  for (std::size_t i = 0; i < outlines.size(); ++i) {
    const auto& vertices = outlines[i].vertices;
    for (std::size_t k = 0; k < vertices.size(); ++k) {
      text += std::to_string(i) + "," + std::to_string(k) + "," + decimal(vertices[k].x) + "," +
              decimal(vertices[k].y) + "\n";
    }
  }
  return text;
}

std::string outlines_as_geojson(const SegmentResult& result, const Spacing& spacing) {
  std::vector<std::string> features;
  for (const Outline& outline : result.outlines) {
    features.push_back(feature(features.size(), outline, result.figures.noise, spacing));
  }
  return feature_collection(features, spacing);
}

std::string outlines_as_csv(const SegmentResult& result, const Spacing& spacing) {
  const bool has_unit = spacing.unit != Unit::pixel;
  const std::string unit = has_unit ? "," + std::string(name_of(spacing.unit)) : "";
  std::string text = std::string("outline,vertex,x,y,confidence") + (has_unit ? ",unit\n" : "\n");
  for (std::size_t i = 0; i < result.outlines.size(); ++i) {
    const Outline& outline = result.outlines[i];
    for (std::size_t k = 0; k < outline.polygon.vertices.size(); ++k) {
      const GridPoint& vertex = outline.polygon.vertices[k];
      text += std::to_string(i) + "," + std::to_string(k) + "," + coordinate(vertex.x, spacing.x) +
              "," + coordinate(vertex.y, spacing.y) + "," + shortest(outline.confidence.at(k)) +
              unit + "\n";
    }
  }
  return text;
}

}  // namespace meander
