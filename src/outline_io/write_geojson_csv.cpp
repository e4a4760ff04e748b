// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "core/control_part.hpp"
#include "meander/outline_text.hpp"
#include "outline_io/text_parts.hpp"

namespace meander {
namespace {

/// Closed, and of positive area unless it is a hole.
std::string ring_of(const Polygon& polygon, bool is_hole, const Spacing& spacing = {}) {
  std::vector<GridPoint> ring = polygon.vertices;
  const double area = polygon.signed_area();
  if (is_hole ? area > 0 : area < 0) std::reverse(ring.begin(), ring.end());
  if (!ring.empty()) ring.push_back(ring.front());
  return positions(ring, spacing);
}

std::string rings_of(const Outline& outline, const Spacing& spacing) {
  std::string text = "[" + ring_of(outline.polygon, false, spacing) + "]";
  for (const Polygon& hole : outline.holes) text += ",[" + ring_of(hole, true, spacing) + "]";
  return text;
}

std::string feature(const Outline& outline, NoiseModel noise, const Spacing& spacing) {
  const ObjectMeasure size = measure(outline, spacing);
  std::string confidence;
  for (const double value : outline.confidence) {
    confidence += (confidence.empty() ? "" : ",") + json_number(value);
  }
  const auto region = [](const std::string& name, const RegionStatistics& statistics) {
    return ",\"" + name + "_mean\":" + json_number(statistics.mean) + ",\"" + name +
           "_sigma\":" + json_number(statistics.sigma);
  };
  return "{\"type\":\"Feature\",\"properties\":{\"id\":" + std::to_string(outline.id) +
         ",\"nodes\":" + std::to_string(nodes_of(outline).size()) +
         ",\"area\":" + json_number(size.area) + ",\"perimeter\":" + json_number(size.perimeter) +
         ",\"unit\":\"" + std::string(name_of(spacing.unit)) +
         "\",\"criterion\":" + json_number(outline.criterion) +
         ",\"gain\":" + json_number(outline.gain) + ",\"noise\":\"" +
         OptionText<NoiseModel>::format(noise) + "\"" + region("inside", outline.inside) +
         region("outside", outline.outside) + ",\"circularity\":" + json_number(size.circularity) +
         ",\"contrast\":" + json_number(size.contrast) +
         ",\"holes\":" + std::to_string(outline.holes.size()) + ",\"confidence\":[" + confidence +
         "]" + spline_properties(outline.splines, nodes_of(outline), spacing) +
         "},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[" + rings_of(outline, spacing) +
         "]}}";
}

}  // namespace

std::string outlines_as_geojson(std::span<const Polygon> outlines, const Control& control) {
  std::string text = "{\"type\":\"FeatureCollection\",\"features\":[";
  std::size_t number = 0;
  for_each_step(outlines, control, [&](const Polygon& outline) {
    text += number == 0 ? "\n" : ",\n";
    text += "{\"type\":\"Feature\",\"properties\":{\"outline\":" + std::to_string(number++) +
            "},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[" + ring_of(outline, false) +
            "]]}}";
  });
  return text + "\n]}\n";
}

std::string outlines_as_csv(std::span<const Polygon> outlines, const Control& control) {
  std::string text = "outline,vertex,x,y\n";
  std::size_t number = 0;
  for_each_step(outlines, control, [&](const Polygon& outline) {
    const auto& vertices = outline.vertices;
    for (std::size_t k = 0; k < vertices.size(); ++k) {
      text += std::to_string(number) + "," + std::to_string(k) + "," + decimal(vertices[k].x) +
              "," + decimal(vertices[k].y) + "\n";
    }
    ++number;
  });
  return text;
}

std::string outlines_as_geojson(const SegmentResult& result, const Spacing& spacing,
                                const Control& control) {
  std::vector<std::string> features;
  for_each_step(result.outlines, control, [&](const Outline& outline) {
    features.push_back(feature(outline, result.figures.noise, spacing));
  });
  return feature_collection(features, spacing);
}

std::string outlines_as_csv(const SegmentResult& result, const Spacing& spacing,
                            const Control& control) {
  const auto any = [&](auto has) {
    return std::any_of(result.outlines.begin(), result.outlines.end(), has);
  };
  const bool has_holes = any([](const Outline& outline) { return !outline.holes.empty(); });
  const bool has_curves = any([](const Outline& outline) { return !outline.splines.empty(); });
  std::string text = "outline,vertex,x,y,confidence";
  text += std::string(has_curves ? ",node" : "") + (has_holes ? ",ring" : "") +
          unit_column(spacing) + "\n";
  for_each_step(result.outlines, control, [&](const Outline& outline) {
    const auto add_ring = [&](const Polygon& ring, std::size_t index) {
      const std::string end =
          (has_holes ? "," + std::to_string(index) : "") + unit_cell(spacing) + "\n";
      // Of a curve some vertices are nodes, of a polygon all are.
      std::vector<std::string> confidence(ring.vertices.size());
      std::vector<bool> is_node(ring.vertices.size(), false);
      const std::vector<std::size_t> nodes = nodes_of(outline, index);
      for (std::size_t k = 0; k < nodes.size(); ++k) {
        is_node.at(nodes[k]) = true;
        if (index == 0) confidence.at(nodes[k]) = shortest(outline.confidence.at(k));
      }
      for (std::size_t k = 0; k < ring.vertices.size(); ++k) {
        text += std::to_string(outline.id) + "," + std::to_string(k) + "," +
                coordinate(ring.vertices[k].x, spacing.x) + "," +
                coordinate(ring.vertices[k].y, spacing.y) + "," + confidence[k] +
                (has_curves ? is_node[k] ? ",1" : ",0" : "") + end;
      }
    };
    add_ring(outline.polygon, 0);
    for (std::size_t i = 0; i < outline.holes.size(); ++i) add_ring(outline.holes[i], i + 1);
  });
  return text;
}

namespace {

/// What is not known is an empty cell.
std::string cells(std::initializer_list<double> values) {
  std::string text;
  for (const double value : values) text += "," + (std::isfinite(value) ? shortest(value) : "");
  return text;
}

std::string line_of(const Outline& outline, const Spacing& spacing) {
  const ObjectMeasure found = measure(outline, spacing);
  return std::to_string(outline.id) +
         cells({found.area, found.perimeter, found.circularity, found.x, found.y,
                outline.inside.mean, outline.inside.sigma, outline.outside.mean,
                outline.outside.sigma, found.contrast, found.confidence}) +
         "," + std::to_string(nodes_of(outline).size()) + "," +
         std::to_string(outline.holes.size()) + unit_cell(spacing) + "\n";
}

std::string line_of(std::int64_t id, const EdgeOutline& outline, const Spacing& spacing) {
  const Curve& curve = outline.curve;
  const ObjectMeasure closed = measure_shape({.outer = {curve.points}, .holes = {}}, spacing);
  const std::string sizes =
      curve.is_open
          ? "," + cells({measure(curve, spacing).perimeter}) + ",,,"
          : cells({closed.area, closed.perimeter, closed.circularity, closed.x, closed.y});
  return std::to_string(id) + sizes + "," + std::to_string(curve.points.size()) + "," +
         OptionText<SnakeEnd>::format(outline.end) + unit_cell(spacing) + "\n";
}

}  // namespace

std::string objects_as_csv(const SegmentResult& result, const Spacing& spacing,
                           const Control& control) {
  std::string text =
      "id,area,perimeter,circularity,x,y,mean,sigma,background_mean,background_sigma,contrast,"
      "confidence,nodes,holes" +
      unit_column(spacing) + "\n";
  for_each_step(result.outlines, control,
                [&](const Outline& outline) { text += line_of(outline, spacing); });
  return text;
}

std::string objects_as_csv(const EdgeResult& result, const Spacing& spacing,
                           const Control& control) {
  std::string text = "id,area,perimeter,circularity,x,y,nodes,end" + unit_column(spacing) + "\n";
  std::int64_t id = 0;
  for_each_step(result.outlines, control,
                [&](const EdgeOutline& outline) { text += line_of(++id, outline, spacing); });
  return text;
}

}  // namespace meander
