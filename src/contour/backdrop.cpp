// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/backdrop.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel_for.hpp"

namespace meander::contour {
namespace {

constexpr std::int64_t most_bins = 4096;
/// Values that a histogram is made of, about.
constexpr std::int64_t most_values = 1 << 15;

/// Where a coordinate lies among middles: `part` of the way from `low` to `low + 1`; less than none
/// of it or more than all beyond the outermost ones, where the slope goes on.
struct Between {
  std::int64_t low;
  double part;
};

Between between(double place, std::int64_t count) {
  if (count == 1) return {0, 0};
  const auto low =
      static_cast<std::int64_t>(std::clamp(place, 0.0, static_cast<double>(count - 2)));
  return {low, place - static_cast<double>(low)};
}

struct Range {
  std::int64_t begin, end;
};

/// The cells of a tile and half a tile beyond it on either side.
Range window(std::int64_t tile, std::int64_t tiles, std::int64_t cells) {
  const std::int64_t begin = (2 * tile - 1) * cells / (2 * tiles);
  const std::int64_t end = (2 * tile + 3) * cells / (2 * tiles);
  return {std::max<std::int64_t>(begin, 0), std::min(std::max(end, begin + 1), cells)};
}

/// Where the middle of a tile is in its window, as a part of the window.
double middle_in(const Range& window, std::int64_t tile, std::int64_t tiles, std::int64_t cells) {
  const double middle =
      (static_cast<double>(tile) + 0.5) * static_cast<double>(cells) / static_cast<double>(tiles);
  return (middle - static_cast<double>(window.begin)) /
         static_cast<double>(window.end - window.begin);
}

/// How cells of a window differ from the levels of a backdrop: `rows` rows, one in so many.
struct Differences {
  std::int64_t columns, rows;
  std::vector<float> values;
};

Differences differences_in(const CellGrid& grid, const Backdrop::Rows& backdrop, const Range& x,
                           const Range& y) {
  const std::int64_t apart =
      std::max<std::int64_t>(1, (y.end - y.begin) * (x.end - x.begin) / most_values);
  Differences found{x.end - x.begin, 0, {}};
  std::vector<float> levels;
  for (std::int64_t row = y.begin; row < y.end; row += apart, ++found.rows) {
    backdrop.find(row, x.begin, x.end, levels);
    for (std::int64_t i = x.begin; i < x.end; ++i) {
      found.values.push_back(grid.row(row)[i] - levels[static_cast<std::size_t>(i - x.begin)]);
    }
  }
  return found;
}

/// By how much a value differs from the one so many places on, in the middle.
double median_rise(const Differences& window, std::int64_t columns, std::int64_t rows) {
  std::vector<float> rises;
  for (std::int64_t y = 0; y + rows < window.rows; ++y) {
    for (std::int64_t x = 0; x + columns < window.columns; ++x) {
      const auto here = static_cast<std::size_t>(y * window.columns + x);
      const auto there = here + static_cast<std::size_t>(rows * window.columns + columns);
      rises.push_back(window.values[there] - window.values[here]);
    }
  }
  if (rises.empty()) return 0;
  const auto middle = rises.begin() + static_cast<std::ptrdiff_t>(rises.size() / 2);
  std::nth_element(rises.begin(), middle, rises.end());
  return static_cast<double>(*middle);
}

/// Takes the slope off, about a place in the window: on a slope no value is frequent.
void level_out(Differences& window, double column, double row) {
  const std::int64_t across = window.columns / 2, down = window.rows / 2;
  if (across < 2 || down < 2) return;
  const double right = median_rise(window, across, 0) / static_cast<double>(across);
  const double below = median_rise(window, 0, down) / static_cast<double>(down);
  for (std::int64_t y = 0; y < window.rows; ++y) {
    for (std::int64_t x = 0; x < window.columns; ++x) {
      const double rise =
          right * (static_cast<double>(x) + 0.5 - column * static_cast<double>(window.columns)) +
          below * (static_cast<double>(y) + 0.5 - row * static_cast<double>(window.rows));
      window.values[static_cast<std::size_t>(y * window.columns + x)] -= static_cast<float>(rise);
    }
  }
}

/// Every number as the median of itself and its neighbours: an object that fills a tile is none of
/// the background.
std::vector<double> with_medians(const std::vector<double>& numbers, std::int64_t across,
                                 std::int64_t down) {
  if (std::min(across, down) < 3) return numbers;
  std::vector<double> medians;
  for (std::int64_t y = 0; y < down; ++y) {
    for (std::int64_t x = 0; x < across; ++x) {
      std::vector<double> near;
      for (std::int64_t j = std::max<std::int64_t>(y - 1, 0); j <= std::min(y + 1, down - 1); ++j) {
        for (std::int64_t i = std::max<std::int64_t>(x - 1, 0); i <= std::min(x + 1, across - 1);
             ++i) {
          near.push_back(numbers[static_cast<std::size_t>(j * across + i)]);
        }
      }
      std::sort(near.begin(), near.end());
      medians.push_back((near[(near.size() - 1) / 2] + near[near.size() / 2]) / 2);
    }
  }
  return medians;
}

std::int64_t tiles_along(std::int64_t length, std::int64_t shorter, std::int64_t along_shorter) {
  return std::max<std::int64_t>(1, (2 * length * along_shorter + shorter) / (2 * shorter));
}

}  // namespace

double most_frequent(const std::vector<float>& values, double noise) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double start = static_cast<double>(*low), range = static_cast<double>(*high) - start;
  const double bin = std::max(noise / 2, range / static_cast<double>(most_bins));
  std::vector<std::int64_t> counts(static_cast<std::size_t>(range / bin) + 5, 0);
  for (const float v : values) {
    ++counts[static_cast<std::size_t>((static_cast<double>(v) - start) / bin) + 2];
  }
  std::size_t best = 2;
  std::int64_t most = -1;
  for (std::size_t i = 2; i + 2 < counts.size(); ++i) {
    const std::int64_t near =
        counts[i - 2] + 2 * counts[i - 1] + 3 * counts[i] + 2 * counts[i + 1] + counts[i + 2];
    if (near > most) most = near, best = i;
  }
  double centre = start + (static_cast<double>(best) - 1.5) * bin;
  // The highest place is known badly; each mean of what lies near it is half as far off.
  for (int i = 0; i < 4; ++i) {
    double sum = 0, number = 0;
    for (const float v : values) {
      if (std::abs(static_cast<double>(v) - centre) > 3 * bin) continue;
      sum += static_cast<double>(v), number += 1;
    }
    if (number == 0) break;
    centre = sum / number;
  }
  return centre;
}

Backdrop::Backdrop(const CellGrid& grid, double noise)
    : width_(static_cast<double>(grid.columns * grid.block)),
      height_(static_cast<double>(grid.rows * grid.block)) {
  std::vector<float> values;
  const std::int64_t apart = stride_for(grid, most_values);
  for (std::int64_t i = 0; i < grid.size(); i += apart) {
    values.push_back(grid.means[static_cast<std::size_t>(i)]);
  }
  levels_ = {most_frequent(values, noise)};
}

double Backdrop::range() const {
  const auto [low, high] = std::minmax_element(levels_.begin(), levels_.end());
  return *high - *low;
}

double Backdrop::level(double column, double row) const {
  const Between i = between(column * static_cast<double>(across_) - 0.5, across_);
  const Between j = between(row * static_cast<double>(down_) - 0.5, down_);
  const std::int64_t right = std::min(i.low + 1, across_ - 1);
  const std::int64_t below = std::min(j.low + 1, down_ - 1);
  const double upper = at(i.low, j.low) + i.part * (at(right, j.low) - at(i.low, j.low));
  const double lower = at(i.low, below) + i.part * (at(right, below) - at(i.low, below));
  return upper + j.part * (lower - upper);
}

Backdrop Backdrop::refined(const CellGrid& grid, double noise) const {
  Backdrop finer;
  finer.width_ = width_, finer.height_ = height_;
  const std::int64_t shorter = std::min(grid.columns, grid.rows);
  const std::int64_t along = 2 * std::min(across_, down_);
  finer.across_ = tiles_along(grid.columns, shorter, along);
  finer.down_ = tiles_along(grid.rows, shorter, along);
  const Rows here(*this, grid);
  std::vector<double> differences(static_cast<std::size_t>(finer.tiles()));
  parallel_for(finer.down_, [&](std::int64_t down) {
    const Range y = window(down, finer.down_, grid.rows);
    for (std::int64_t across = 0; across < finer.across_; ++across) {
      const Range x = window(across, finer.across_, grid.columns);
      Differences found = differences_in(grid, here, x, y);
      // Finer tiles have no slope left to speak of, and a few objects would make one.
      if (tiles() == 1) {
        level_out(found, middle_in(x, across, finer.across_, grid.columns),
                  middle_in(y, down, finer.down_, grid.rows));
      }
      differences[static_cast<std::size_t>(down * finer.across_ + across)] =
          most_frequent(found.values, noise);
    }
  });
  finer.levels_ = with_medians(differences, finer.across_, finer.down_);
  const auto middle = [](std::int64_t tile, std::int64_t tiles) {
    return (static_cast<double>(tile) + 0.5) / static_cast<double>(tiles);
  };
  for (std::int64_t i = 0; i < finer.tiles(); ++i) {
    finer.levels_[static_cast<std::size_t>(i)] +=
        level(middle(i % finer.across_, finer.across_), middle(i / finer.across_, finer.down_));
  }
  return finer;
}

Backdrop::Rows::Rows(const Backdrop& backdrop, const CellGrid& grid)
    : backdrop_(&backdrop), grid_(&grid) {
  const double scale =
      static_cast<double>(grid.block) * static_cast<double>(backdrop.across_) / backdrop.width_;
  across_.resize(static_cast<std::size_t>(backdrop.down_ * grid.columns));
  for (std::int64_t x = 0; x < grid.columns; ++x) {
    const Between i = between((static_cast<double>(x) + 0.5) * scale - 0.5, backdrop.across_);
    const std::int64_t next = std::min(i.low + 1, backdrop.across_ - 1);
    for (std::int64_t down = 0; down < backdrop.down_; ++down) {
      const double left = backdrop.at(i.low, down), right = backdrop.at(next, down);
      across_[static_cast<std::size_t>(down * grid.columns + x)] =
          static_cast<float>(left + i.part * (right - left));
    }
  }
}

void Backdrop::Rows::find(std::int64_t row, std::int64_t begin, std::int64_t end,
                          std::vector<float>& levels) const {
  const double scale = static_cast<double>(grid_->block) * static_cast<double>(backdrop_->down_) /
                       backdrop_->height_;
  const Between j = between((static_cast<double>(row) + 0.5) * scale - 0.5, backdrop_->down_);
  const std::int64_t next = std::min(j.low + 1, backdrop_->down_ - 1);
  const float* upper = across_.data() + j.low * grid_->columns + begin;
  const float* lower = across_.data() + next * grid_->columns + begin;
  const auto part = static_cast<float>(j.part);
  levels.resize(static_cast<std::size_t>(end - begin));
  for (std::int64_t x = 0; x < end - begin; ++x) {
    levels[static_cast<std::size_t>(x)] = upper[x] + part * (lower[x] - upper[x]);
  }
}

}  // namespace meander::contour
