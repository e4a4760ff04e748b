// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <cmath>

#include "core/control_part.hpp"
#include "meander/outline_text.hpp"
#include "meander/track.hpp"
#include "outline_io/text_parts.hpp"

namespace meander {
namespace {

bool has_unit(const TrackScale& scale) { return scale.spacing.unit != Unit::pixel; }

/// Of all rings, in the unit of the scale.
OutlineMeasure size_of(const TrackedObject& object, const Spacing& spacing) {
  OutlineMeasure size = measure(object.curve, spacing);
  for (const Polygon& hole : object.holes) {
    const OutlineMeasure part = measure(hole, spacing);
    size.area -= part.area;
    size.perimeter += part.perimeter;
  }
  return size;
}

std::optional<double> speed_of(const TrackedObject& object, const TrackScale& scale) {
  if (!object.dx || !object.dy) return {};
  const double x = *object.dx * scale.spacing.x, y = *object.dy * scale.spacing.y;
  return std::sqrt(x * x + y * y) / (scale.seconds > 0 ? scale.seconds : 1);
}

std::string line_of(const TrackFrame& frame, const TrackedObject& object, const TrackScale& scale) {
  const OutlineMeasure size = size_of(object, scale.spacing);
  const auto speed = speed_of(object, scale);
  std::string text = std::to_string(frame.frame) + "," + std::to_string(object.id) + "," +
                     (object.parent == 0 ? "" : std::to_string(object.parent)) + "," +
                     OptionText<TrackEvent>::format(object.event) + "," + shortest(size.area) +
                     "," + shortest(size.perimeter) + "," + shortest(object.x * scale.spacing.x) +
                     "," + shortest(object.y * scale.spacing.y) + "," +
                     (speed ? shortest(*speed) : "");
  if (has_unit(scale)) text += "," + std::string(name_of(scale.spacing.unit));
  if (scale.seconds > 0) text += "," + shortest(static_cast<double>(frame.frame) * scale.seconds);
  return text + "\n";
}

std::string closed_ring(std::vector<GridPoint> points, const Spacing& spacing) {
  if (!points.empty()) points.push_back(points.front());
  return "[" + positions(points, spacing) + "]";
}

std::string geometry_of(const TrackedObject& object, const Spacing& spacing) {
  if (object.curve.is_open) {
    return "{\"type\":\"LineString\",\"coordinates\":[" + positions(object.curve.points, spacing) +
           "]}";
  }
  std::string rings = closed_ring(object.curve.points, spacing);
  for (const Polygon& hole : object.holes) rings += "," + closed_ring(hole.vertices, spacing);
  return "{\"type\":\"Polygon\",\"coordinates\":[" + rings + "]}";
}

std::string feature_of(const TrackFrame& frame, const TrackedObject& object,
                       const TrackScale& scale) {
  const OutlineMeasure size = size_of(object, scale.spacing);
  const auto speed = speed_of(object, scale);
  const std::vector<std::size_t> nodes =
      nodes_of({.polygon = {object.curve.points}, .splines = object.splines});
  std::string text =
      "{\"type\":\"Feature\",\"properties\":{\"frame\":" + std::to_string(frame.frame) +
      ",\"id\":" + std::to_string(object.id) +
      ",\"parent\":" + (object.parent == 0 ? "null" : std::to_string(object.parent)) +
      ",\"event\":\"" + OptionText<TrackEvent>::format(object.event) +
      "\",\"nodes\":" + std::to_string(nodes.size()) +
      ",\"holes\":" + std::to_string(object.holes.size()) + ",\"area\":" + json_number(size.area) +
      ",\"perimeter\":" + json_number(size.perimeter) +
      ",\"x\":" + json_number(object.x * scale.spacing.x) +
      ",\"y\":" + json_number(object.y * scale.spacing.y) +
      ",\"speed\":" + (speed ? json_number(*speed) : "null") + ",\"unit\":\"" +
      std::string(name_of(scale.spacing.unit)) + "\"";
  if (scale.seconds > 0) {
    text += ",\"seconds\":" + json_number(static_cast<double>(frame.frame) * scale.seconds);
  }
  text += spline_properties(object.splines, nodes, scale.spacing);
  return text + "},\"geometry\":" + geometry_of(object, scale.spacing) + "}";
}

std::string ring_lines(const std::string& names, std::size_t ring,
                       const std::vector<GridPoint>& points, const TrackScale& scale) {
  std::string text;
  const std::string unit =
      has_unit(scale) ? "," + std::string(name_of(scale.spacing.unit)) : std::string();
  for (std::size_t i = 0; i < points.size(); ++i) {
    text += names + std::to_string(ring) + "," + std::to_string(i) + "," +
            coordinate(points[i].x, scale.spacing.x) + "," +
            coordinate(points[i].y, scale.spacing.y) + unit + "\n";
  }
  return text;
}

/// Calls `f` with every object and its frame, in order, and stops between them.
template <class F>
void for_each_object(std::span<const TrackFrame> frames, const Control& control, F&& f) {
  const Control stop{.stop = control.stop, .progress = {}};
  for_each_step(frames, control, [&](const TrackFrame& frame) {
    for (const TrackedObject& object : frame.objects) {
      stop.step(0);
      f(frame, object);
    }
  });
}

}  // namespace

std::string tracks_as_csv(std::span<const TrackFrame> frames, const TrackScale& scale,
                          const Control& control) {
  std::string text = "frame,id,parent,event,area,perimeter,x,y,speed";
  text += has_unit(scale) ? ",unit" : "";
  text += scale.seconds > 0 ? ",seconds\n" : "\n";
  for_each_object(frames, control, [&](const TrackFrame& frame, const TrackedObject& object) {
    text += line_of(frame, object, scale);
  });
  return text;
}

std::string tracks_as_geojson(std::span<const TrackFrame> frames, const TrackScale& scale,
                              const Control& control) {
  std::vector<std::string> features;
  for_each_object(frames, control, [&](const TrackFrame& frame, const TrackedObject& object) {
    features.push_back(feature_of(frame, object, scale));
  });
  return feature_collection(features, scale.spacing);
}

std::string track_outlines_as_csv(std::span<const TrackFrame> frames, const TrackScale& scale,
                                  const Control& control) {
  std::string text = std::string("frame,id,ring,vertex,x,y") + (has_unit(scale) ? ",unit\n" : "\n");
  for_each_object(frames, control, [&](const TrackFrame& frame, const TrackedObject& object) {
    const std::string names = std::to_string(frame.frame) + "," + std::to_string(object.id) + ",";
    text += ring_lines(names, 0, object.curve.points, scale);
    for (std::size_t i = 0; i < object.holes.size(); ++i) {
      text += ring_lines(names, i + 1, object.holes[i].vertices, scale);
    }
  });
  return text;
}

}  // namespace meander
