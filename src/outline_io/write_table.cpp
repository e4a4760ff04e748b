// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <cmath>
#include <initializer_list>

#include "core/control_part.hpp"
#include "meander/outline_text.hpp"
#include "outline_io/text_parts.hpp"

namespace meander {
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
