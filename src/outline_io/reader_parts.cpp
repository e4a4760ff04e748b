// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "outline_io/reader_parts.hpp"

#include <algorithm>

#include "meander/outline_file.hpp"

namespace meander::outline_io {
void check_number(const std::string& path, std::size_t found) {
  if (found <= most_outlines) return;
  throw Unsupported(
      message(path, ": found more than ", most_outlines, " outlines, expected at most so many"));
}

void refuse_holes(const std::string& path, std::size_t holes) {
  throw Unsupported(message(path, ": a polygon with ", holes, " holes, expected none"));
}

void Nodes::add(double x, double y) {
  GridPoint point;
  try {
    point = on_grid(x, y);
  } catch (const InvalidArgument& fault) {
    malformed(*path_, "node ", nodes_, ": ", fault.what());
  }
  ++nodes_;
  if (points_.empty() || points_.back() != point) points_.push_back(point);
}

void Nodes::check_count(std::size_t least) const {
  if (points_.size() >= least) return;
  malformed(*path_, "an outline of ", points_.size(), " different nodes, expected at least ",
            least);
}

Curve Nodes::line() {
  check_count(2);
  return {.points = std::move(points_), .is_open = true};
}

Polygon Nodes::ring(bool is_hole) {
  while (points_.size() > 1 && points_.front() == points_.back()) points_.pop_back();
  check_count(3);
  Polygon polygon{std::move(points_)};
  if ((polygon.signed_area() < 0) != is_hole) {
    std::reverse(polygon.vertices.begin(), polygon.vertices.end());
  }
  if (!is_simple(polygon)) {
    throw InvalidArgument(*path_ +
                          ": the outline touches or crosses itself, expected a simple polygon");
  }
  return polygon;
}

FileOutline outline_of(std::vector<Nodes>& rings, bool is_open) {
  if (is_open) return {rings.front().line(), {}};
  FileOutline outline{{.points = rings.front().ring(false).vertices}, {}};
  for (std::size_t i = 1; i < rings.size(); ++i) outline.holes.push_back(rings[i].ring(true));
  return outline;
}

}  // namespace meander::outline_io
