// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
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

std::string regions_as_geojson(std::span<const LabelledRegion> regions) {
  std::string text = "{\"type\":\"FeatureCollection\",\"features\":[";
  const char* separator = "\n";
  for (const LabelledRegion& object : regions) {
    text += separator + feature_of(object);
    separator = ",\n";
  }
  return text + "\n]}\n";
}

std::string tracks_as_csv(std::span<const PhantomTrack> tracks) {
  std::string text = "frame,id,parent,x,y,area\n";
  for (const PhantomTrack& track : tracks) {
    text += std::to_string(track.frame) + "," + std::to_string(track.id) + "," +
            std::to_string(track.parent) + "," + shortest(track.x) + "," + shortest(track.y) + "," +
            shortest(track.area) + "\n";
  }
  return text;
}

}  // namespace meander
