// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/outline_text.hpp"
#include "segment/segment.hpp"

namespace meander::app {
namespace {

/// Less is no object.
constexpr std::size_t least_nodes = 3;

}  // namespace

std::vector<Curve> curves_of(const SegmentFindings& found) {
  std::vector<Curve> curves;
  if (found.edge) {
    for (const EdgeOutline& outline : found.edge->outlines) curves.push_back(outline.curve);
  } else if (found.region) {
    for (const Outline& outline : found.region->outlines) {
      curves.push_back({.points = outline.polygon.vertices});
    }
  }
  return curves;
}

std::vector<LabelledRegion> objects_of(const SegmentFindings& found) {
  std::vector<LabelledRegion> objects;
  if (found.edge) {
    std::int64_t id = 0;
    for (const EdgeOutline& outline : found.edge->outlines) {
      ++id;
      const Curve& curve = outline.curve;
      if (curve.is_open || curve.points.size() < least_nodes) continue;
      objects.push_back({id, {.outer = {curve.points}, .holes = {}}});
    }
  } else if (found.region) {
    for (const Outline& outline : found.region->outlines) {
      objects.push_back({outline.id, region_of(outline)});
    }
  }
  return objects;
}

SegmentFindings in_whole(SegmentFindings found, const SegmentPlace& place) {
  if (found.region) {
    for (Outline& outline : found.region->outlines) place.to_whole(outline);
  }
  if (found.edge) {
    for (EdgeOutline& outline : found.edge->outlines) place.to_whole(outline.curve.points);
  }
  return found;
}

}  // namespace meander::app
