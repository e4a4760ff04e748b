// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cmath>

#include "meander/outline.hpp"

namespace meander {
namespace {

/// A multiple of 1/256 as a decimal: 1/256 is 0.00390625.
std::string decimal(std::int64_t grid) {
  const std::int64_t magnitude = grid < 0 ? -grid : grid;
  std::string text = (grid < 0 ? "-" : "") + std::to_string(magnitude / grid_steps_per_pixel);
  const std::int64_t rest = magnitude % grid_steps_per_pixel;
  if (rest == 0) return text;
  std::string digits = std::to_string(100000000 + rest * 390625);
  digits.erase(digits.find_last_not_of('0') + 1);
  return text + "." + digits.substr(1);
}

std::string ring_of(const Polygon& polygon) {
  std::vector<GridPoint> ring = polygon.vertices;
  if (polygon.signed_area() < 0) std::reverse(ring.begin(), ring.end());
  if (!ring.empty()) ring.push_back(ring.front());
  std::string text;
  for (const GridPoint& point : ring) {
    text += (text.empty() ? "[" : ",[") + decimal(point.x) + "," + decimal(point.y) + "]";
  }
  return text;
}

template <class F>
void for_each_edge(const Polygon& polygon, F&& f) {
  const std::size_t count = polygon.vertices.size();
  for (std::size_t i = 0; i < count; ++i) f(polygon.vertices[i], polygon.vertices[(i + 1) % count]);
}

}  // namespace

double Polygon::signed_area() const {
  double doubled = 0;
  for_each_edge(*this, [&](const GridPoint& a, const GridPoint& b) {
    doubled += static_cast<double>(a.x * b.y - b.x * a.y);
  });
  return doubled / (2.0 * grid_steps_per_pixel * grid_steps_per_pixel);
}

double Polygon::perimeter() const {
  double length = 0;
  for_each_edge(*this, [&](const GridPoint& a, const GridPoint& b) {
    length += std::hypot(static_cast<double>(b.x - a.x), static_cast<double>(b.y - a.y));
  });
  return length / grid_steps_per_pixel;
}

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

}  // namespace meander
