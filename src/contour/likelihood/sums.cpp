// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/likelihood/sums.hpp"

#include <algorithm>

#include "contour/geometry/clip.hpp"
#include "contour/geometry/crossings.hpp"

namespace meander::contour {
namespace {

/// All rectangles of the coarsest grid are looked at, a number that grows with the fourth power.
constexpr std::int64_t most_coarse_cells = 32;
/// Images up to so many pixels have blocks of 8 x 8, which show small objects better, larger ones
/// of 16 x 16, whose sums take a quarter of the memory.
constexpr std::int64_t fine_block_pixels = std::int64_t{1} << 24;

Description words_of(const CumulatedSums& sums) {
  return {.shape = {sums.words_in_row(), sums.rows(), 1}, .channels = 1, .type = PixelType::f64};
}

engine::View allocate(engine::Backend& backend, const CumulatedSums& sums) {
  const Description words = words_of(sums);
  return {.memory = backend.pool().take(static_cast<std::size_t>(padded_bytes(words))),
          .type = words.type,
          .shape = words.shape,
          .pitch = padded_pitch(words)};
}

bool is_coarse_enough(const CumulatedSums& grid) {
  return std::max(grid.columns(), grid.rows()) <= most_coarse_cells;
}

}  // namespace

SumPlan plan_sums(const Shape& image, const SegmentOptions& options) {
  SumPlan plan;
  plan.rows = {.image = image, .step = options.store == SumStore::full ? 1 : engine::base_step};
  if (options.schedule == SegmentSchedule::classic) return plan;
  CumulatedSums grid{.image = image, .block = image.x * image.y <= fine_block_pixels ? 8 : 16};
  // An image of few pixels has room for small blocks only.
  while (grid.block > 2 && std::max(grid.columns(), grid.rows()) < most_coarse_cells / 2) {
    grid.block /= 2;
  }
  plan.blocks.push_back(grid);
  while (!is_coarse_enough(plan.blocks.back())) {
    grid.block *= 2;
    plan.blocks.push_back(grid);
  }
  return plan;
}

std::int64_t bytes_of(const SumPlan& plan) {
  std::int64_t bytes = padded_bytes(words_of(plan.rows));
  for (const auto& grid : plan.blocks) bytes += padded_bytes(words_of(grid));
  return bytes;
}

SumLevels::SumLevels(std::shared_ptr<engine::Backend> backend, const engine::View& pixels,
                     const SegmentOptions& options)
    : backend_(std::move(backend)), pixels_(pixels), plan_(plan_sums(pixels.shape, options)) {
  plan_.rows.pixels = pixels;
  plan_.rows.sums = allocate(*backend_, plan_.rows);
  for (auto& grid : plan_.blocks) grid.sums = allocate(*backend_, grid);
  backend_->cumulate(pixels_, plan_.rows, plan_.blocks.empty() ? CumulatedSums{} : plan_.blocks[0]);
  for (std::size_t i = 1; i < plan_.blocks.size(); ++i) {
    backend_->coarsen(plan_.blocks[i - 1], plan_.blocks[i]);
  }
  // An edge down the right border has everything to its left.
  const GridPoint low = lowest_node(), high = highest_node(pixels.shape);
  const engine::ContourEdge border{{high.x, low.y}, high};
  backend_->sum_edges(plan_.rows, {&border, 1}, &total_);
}

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
