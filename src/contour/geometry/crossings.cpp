// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/geometry/crossings.hpp"

#include <algorithm>
#include <tuple>

#include "engine/crossing.hpp"

namespace meander::contour {

void add_crossings(const Polygon& polygon, int weight, const RowBand& band,
                   std::vector<Crossing>& crossings) {
  const std::size_t count = polygon.vertices.size();
  const std::int64_t top = band.y_begin * grid_steps_per_pixel;
  const std::int64_t bottom = band.y_end * grid_steps_per_pixel;
  for (std::size_t i = 0; i < count; ++i) {
    const GridPoint a = polygon.vertices[i];
    const GridPoint b = polygon.vertices[i + 1 < count ? i + 1 : 0];
    // Most edges of a long outline pass by a band; no need to divide to see that.
    if (std::max(a.y, b.y) <= top || std::min(a.y, b.y) >= bottom) continue;
    const auto edge = engine::rows_of_edge(a.x, a.y, b.x, b.y, grid_steps_per_pixel, 0, band.y_end);
    const int change = edge.sign > 0 ? -weight : weight;
    for (std::int64_t row = std::max(edge.first, band.y_begin); row < edge.end; ++row) {
      crossings.push_back({row, engine::column_of_edge(edge, row, band.width), change});
    }
  }
}

void sort_crossings(std::vector<Crossing>& crossings) {
  std::sort(crossings.begin(), crossings.end(), [](const Crossing& a, const Crossing& b) {
    return std::tie(a.row, a.column) < std::tie(b.row, b.column);
  });
}

}  // namespace meander::contour
