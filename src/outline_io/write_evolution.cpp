// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "core/control_part.hpp"
#include "meander/evolution.hpp"
#include "outline_io/text_parts.hpp"

namespace meander {
namespace {

/// In pixels, always with a point: readers that tell integers from others find one kind.
std::string pixels(std::int64_t grid) {
  const std::string text = decimal(grid);
  return text.find('.') == std::string::npos ? text + ".0" : text;
}

std::string json_of(const Curve& curve) {
  std::string points;
  for (const GridPoint& point : curve.points) {
    points += (points.empty() ? "[" : ",[") + pixels(point.x) + "," + pixels(point.y) + "]";
  }
  return std::string("{\"closed\":") + (curve.is_open ? "false" : "true") + ",\"points\":[" +
         points + "]}";
}

}  // namespace

std::string evolution_as_json(std::span<const EvolutionFrame> frames, const Control& control) {
  std::string text;
  for_each_step(frames, control, [&](const EvolutionFrame& frame) {
    std::string curves;
    for (const Curve& curve : frame.curves) curves += (curves.empty() ? "" : ",") + json_of(curve);
    text += (text.empty() ? "{\"step\":" : ",{\"step\":") + std::to_string(frame.step) +
            ",\"curves\":[" + curves + "]}";
  });
  return "[" + text + "]";
}

}  // namespace meander
