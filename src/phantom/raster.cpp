// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "phantom/raster.hpp"

#include <algorithm>
#include <tuple>

#include "meander/error.hpp"
#include "phantom/noise.hpp"

namespace meander::phantoms {
namespace {

std::int64_t ceiling_of_quotient(std::int64_t a, std::int64_t positive) {
  return a / positive + (a % positive > 0 ? 1 : 0);
}

void add_edge(GridPoint low, GridPoint high, int change, const Band& band,
              std::vector<Crossing>& crossings) {
  const std::int64_t rise = high.y - low.y;
  const std::int64_t run = high.x - low.x;
  const std::int64_t first = ceiling_of_quotient(low.y, grid_steps_per_pixel);
  const std::int64_t last = ceiling_of_quotient(high.y, grid_steps_per_pixel);
  for (std::int64_t row = std::max(first, band.y_begin); row < std::min(last, band.y_end); ++row) {
    const std::int64_t numerator = low.x * rise + (row * grid_steps_per_pixel - low.y) * run;
    const std::int64_t column = ceiling_of_quotient(numerator, rise * grid_steps_per_pixel);
    crossings.push_back({row, std::clamp<std::int64_t>(column, 0, band.width), change});
  }
}

}  // namespace

void add_crossings(const Polygon& polygon, int weight, const Band& band,
                   std::vector<Crossing>& crossings) {
  const std::size_t count = polygon.vertices.size();
  for (std::size_t i = 0; i < count; ++i) {
    const GridPoint a = polygon.vertices[i];
    const GridPoint b = polygon.vertices[(i + 1) % count];
    if (a.y < b.y) add_edge(a, b, -weight, band, crossings);
    if (b.y < a.y) add_edge(b, a, weight, band, crossings);
  }
}

void rasterise(std::span<const Region> regions, const Band& band, std::uint8_t* tenths) {
  std::vector<Crossing> crossings;
  for (const Region& region : regions) {
    add_crossings(region.outline, region.tenths, band, crossings);
  }
  std::sort(crossings.begin(), crossings.end(), [](const Crossing& a, const Crossing& b) {
    return std::tie(a.row, a.column) < std::tie(b.row, b.column);
  });
  std::fill(tenths, tenths + band.pixels(), std::uint8_t{0});
  int sum = 0;
  for (std::size_t i = 0; i + 1 < crossings.size(); ++i) {
    const Crossing& here = crossings[i];
    const Crossing& next = crossings[i + 1];
    sum += here.change;
    if (here.row != next.row || here.column == next.column || sum == 0) continue;
    if (sum < 0 || sum > tenths_of_target) throw LogicError("regions of a phantom overlap wrongly");
    std::uint8_t* row = tenths + (here.row - band.y_begin) * band.width;
    std::fill(row + here.column, row + next.column, static_cast<std::uint8_t>(sum));
  }
}

}  // namespace meander::phantoms
