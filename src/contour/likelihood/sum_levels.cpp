// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/likelihood/sum_levels.hpp"
#include "contour/geometry/clip.hpp"

#include <algorithm>

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

}  // namespace meander::contour
