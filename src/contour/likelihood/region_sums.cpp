// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/likelihood/region_sums.hpp"

#include <algorithm>

#include "contour/geometry/crossings.hpp"
#include "contour/likelihood/move_sums.hpp"

namespace meander::contour {
namespace {

constexpr std::int64_t half = grid_steps_per_pixel / 2;

/// The pixel behind a border between pixels.
std::int64_t pixel_behind(std::int64_t border) { return (border + half) / grid_steps_per_pixel; }

std::int64_t border_before_pixel(std::int64_t pixel) { return pixel * grid_steps_per_pixel - half; }

/// An edge down a row, which has the sums of what lies to its left there; up the row where a run
/// begins.
engine::ContourEdge end_of_run(std::int64_t x, std::int64_t row, bool is_end) {
  const std::int64_t top = border_before_pixel(row), bottom = top + grid_steps_per_pixel;
  return {{x, is_end ? top : bottom}, {x, is_end ? bottom : top}};
}

RegionSums sums_of_edges(const SumLevels& image, const std::vector<engine::ContourEdge>& edges) {
  std::vector<RegionSums> parts(edges.size());
  if (!edges.empty()) image.backend().sum_edges(image.rows(), edges, parts.data());
  RegionSums sums;
  for (const RegionSums& part : parts) sums += part;
  return sums;
}

}  // namespace

RegionSums sums_of_ring(const SumLevels& image, const Polygon& ring) {
  return sums_inside(image, image.rows(), ring);
}

RegionSums sums_of_region(const SumLevels& image, const Region& region) {
  RegionSums sums = sums_of_ring(image, region.outer);
  for (const Polygon& hole : region.holes) sums += sums_of_ring(image, hole);
  return sums;
}

RegionSums sums_of_box(const SumLevels& image, const Box& box) {
  return sums_of_ring(image,
                      {{box.low, {box.high.x, box.low.y}, box.high, {box.low.x, box.high.y}}});
}

/// Row by row: in every row of the box each ring's crossings, moved into the box, are ends of runs.
RegionSums sums_in_box(const SumLevels& image, const Region& region, const Box& box) {
  const RowBand band{image.pixels().shape.x, pixel_behind(box.low.y), pixel_behind(box.high.y)};
  std::vector<Crossing> crossings;
  add_crossings(region.outer, 1, band, crossings);
  for (const Polygon& hole : region.holes) add_crossings(hole, 1, band, crossings);
  std::vector<engine::ContourEdge> edges;
  edges.reserve(crossings.size());
  for (const Crossing& crossing : crossings) {
    const std::int64_t x = std::clamp(border_before_pixel(crossing.column), box.low.x, box.high.x);
    edges.push_back(end_of_run(x, crossing.row, crossing.change < 0));
  }
  return sums_of_edges(image, edges);
}

RegionSums sums_of_pixels(const SumLevels& image, const PixelSet& pixels) {
  std::vector<engine::ContourEdge> edges;
  edges.reserve(2 * pixels.runs.size());
  for (const RowRun& run : pixels.runs) {
    edges.push_back(end_of_run(border_before_pixel(run.begin), run.y, false));
    edges.push_back(end_of_run(border_before_pixel(run.end), run.y, true));
  }
  return sums_of_edges(image, edges);
}

}  // namespace meander::contour
