// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "contour/detect/component_sums.hpp"
#include "core/quantile.hpp"

namespace meander::contour {

LevelsAround::LevelsAround(const ScaleImage& image, float sign, const FindingConstants& constants)
    : columns_(std::max<std::int64_t>(1, image.columns / 2)),
      rows_(std::max<std::int64_t>(1, image.rows / 2)),
      least_(static_cast<std::size_t>(columns_ * rows_)) {
  std::vector<float> levels = std::min(image.columns, image.rows) < 2
                                  ? std::vector<float>(least_.size())
                                  : halved(image.smooth, image.columns, image.rows);
  for (float& level : levels) level *= sign;
  const std::int64_t length =
      std::max<std::int64_t>(1, std::llround(constants.ray / static_cast<double>(2 * image.block)));
  // A border repeats the last level before it, which the least of a ray holds already.
  std::vector<float> padded(static_cast<std::size_t>(columns_ + 2 * length));
  std::vector<float> least(static_cast<std::size_t>(columns_));
  for (std::int64_t y = 0; y < rows_; ++y) {
    const float* level = levels.data() + y * columns_;
    std::fill_n(padded.begin(), length, level[0]);
    std::copy_n(level, columns_, padded.begin() + length);
    std::fill_n(padded.end() - length, length, level[columns_ - 1]);
    for (std::size_t d = 0; d < 4; ++d) {
      std::fill(least.begin(), least.end(), std::numeric_limits<float>::infinity());
      for (std::int64_t t = 1; t <= length; ++t) {
        const std::int64_t row = std::clamp<std::int64_t>(y + t * step_y[d], 0, rows_ - 1);
        const float* from = step_x[d] == 0 ? levels.data() + row * columns_
                                           : padded.data() + length + t * step_x[d];
        for (std::size_t x = 0; x < least.size(); ++x) least[x] = std::min(least[x], from[x]);
      }
      for (std::int64_t x = 0; x < columns_; ++x) {
        least_[static_cast<std::size_t>(y * columns_ + x)][d] = least[static_cast<std::size_t>(x)];
      }
    }
  }
  // The least of several levels is too low in noise: by as much as it is on most of the image.
  std::vector<float> lower;
  constexpr std::size_t sample = 1 << 15;
  const std::size_t stride = std::max<std::size_t>(1, least_.size() / sample) | 1U;
  for (std::size_t i = 0; i < least_.size(); i += stride) {
    for (const float low : least_[i]) lower.push_back(levels[i] - low);
  }
  const auto bias = static_cast<float>(std::max(0.0, quantile(lower, 0.5)));
  for (auto& lows : least_) {
    for (float& low : lows) low += bias;
  }
}

double saved_by(double cells, double contrast, double sides, double fit, double noise,
                const ObjectCost& cost, const FindingConstants& constants) {
  double shape = 1;
  for (int i = 0; i < constants.shape && fit < 1; ++i) shape *= fit;
  double outline = sides * constants.side;
  if (cost.is_ellipse) outline = std::min(outline, cost_of_ellipse(cells));
  return cells * contrast * contrast / (2 * noise * noise) * shape - outline - cost.place;
}

Components::Components(const ScaleImage& of, float its_sign, const ScaleNoise& its_noise,
                       const FindingConstants& its_constants, const ObjectCost& its_cost,
                       double fewest, double contrast)
    : image(of),
      sign(its_sign),
      noise(its_noise),
      constants(its_constants),
      cost(its_cost),
      fewest_cells(fewest),
      least_contrast(contrast),
      around(of, its_sign, its_constants),
      rank(of.smooth.size(), none) {
  // Runs of cells, united with those of the row above that they touch.
  struct Run {
    Index begin, end;
  };
  std::vector<Run> runs;
  std::vector<Index> parents;
  const auto floor = static_cast<float>(constants.floor * noise.smooth);
  const auto columns = static_cast<Index>(image.columns);
  std::size_t above = 0, row_begin = 0;
  for (Index y = 0; y < static_cast<Index>(image.rows); ++y) {
    above = std::exchange(row_begin, runs.size());
    const std::size_t above_end = row_begin;
    const float* level = image.smooth.data() + static_cast<std::int64_t>(y) * columns;
    for (Index x = 0; x < columns; ++x) {
      if (!(sign * level[x] > floor)) continue;
      const Index from = x;
      while (x < columns && sign * level[x] > floor) ++x;
      const auto number = static_cast<Index>(runs.size());
      runs.push_back({y * columns + from, y * columns + x});
      parents.push_back(number);
      const auto begin = runs.back().begin - columns, end = runs.back().end - columns;
      while (above < above_end && runs[above].end <= begin) ++above;
      for (std::size_t k = above; k < above_end && runs[k].begin < end; ++k) {
        const Index a = root(parents, number), b = root(parents, static_cast<Index>(k));
        parents[at(std::max(a, b))] = std::min(a, b);
      }
    }
  }
  std::vector<Index> cells(runs.size(), 0), part(runs.size(), none);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    parents[i] = root(parents, static_cast<Index>(i));
    cells[at(parents[i])] += runs[i].end - runs[i].begin;
  }
  // What has fewer cells than an object is in no part.
  constexpr std::int64_t cells_of_part = 1 << 15;
  std::int64_t in_part = cells_of_part;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::size_t first = at(parents[i]);
    if (cells[first] < fewest_cells) continue;
    if (part[first] == none) {
      if (in_part >= cells_of_part) parts.emplace_back(), in_part = 0;
      part[first] = static_cast<Index>(parts.size()) - 1;
      in_part += cells[first];
    }
    std::vector<Index>& members = parts[at(part[first])];
    for (Index cell = runs[i].begin; cell < runs[i].end; ++cell) members.push_back(cell);
  }
}

}  // namespace meander::contour
