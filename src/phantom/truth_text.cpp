// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "core/control_part.hpp"
#include "meander/phantom.hpp"
#include "outline_io/text_parts.hpp"

namespace meander {
namespace {

std::string closed_ring(const Polygon& polygon) {
  std::vector<GridPoint> ring = polygon.vertices;
  if (!ring.empty()) ring.push_back(ring.front());
  return "[" + positions(ring, {}) + "]";
}

std::string feature_of(const LabelledRegion& object) {
  std::string rings = closed_ring(object.region.outer);
  for (const Polygon& hole : object.region.holes) rings += "," + closed_ring(hole);
  return "{\"type\":\"Feature\",\"properties\":{\"label\":" + std::to_string(object.label) +
         "},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[" + rings + "]}}";
}

}  // namespace

std::string regions_as_geojson(std::span<const LabelledRegion> regions, const Control& control) {
  std::string text = "{\"type\":\"FeatureCollection\",\"features\":[";
  const char* separator = "\n";
  for_each_step(regions, control, [&](const LabelledRegion& object) {
    text += separator + feature_of(object);
    separator = ",\n";
  });
  return text + "\n]}\n";
}

std::string tracks_as_csv(std::span<const PhantomTrack> tracks, const Control& control) {
  std::string text = "frame,id,parent,x,y,area\n";
  for_each_step(tracks, control, [&](const PhantomTrack& track) {
    text += std::to_string(track.frame) + "," + std::to_string(track.id) + "," +
            std::to_string(track.parent) + "," + shortest(track.x) + "," + shortest(track.y) + "," +
            shortest(track.area) + "\n";
  });
  return text;
}

}  // namespace meander
