// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/cells.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/parallel_for.hpp"

namespace meander::contour {
namespace {

constexpr std::int64_t most_cells = std::int64_t{1} << 22;
constexpr std::int64_t fewest_along = 8;
constexpr std::int64_t rows_in_task = 32;
/// Lenses and detectors smear noise over some pixels; farther apart pixels know nothing of each
/// other.
constexpr std::int64_t farthest_noise = 8;
/// Differences that the noise is estimated from, about.
constexpr std::int64_t noise_sample = 1 << 16;

std::int64_t finest_block(const Shape& image) {
  std::int64_t block = 1;
  while ((image.x / block) * (image.y / block) > most_cells) block *= 2;
  return block;
}

CellGrid grid_of(const Shape& image, std::int64_t block) {
  CellGrid grid{.block = block, .columns = image.x / block, .rows = image.y / block, .means = {}};
  grid.means.resize(static_cast<std::size_t>(grid.size()));
  return grid;
}

/// Sums of integers, which have no order to depend on.
template <class T>
void fill_row(const Image& image, CellGrid& grid, std::int64_t row,
              std::vector<std::int64_t>& sums) {
  sums.assign(static_cast<std::size_t>(grid.columns), 0);
  for (std::int64_t y = row * grid.block; y < (row + 1) * grid.block; ++y) {
    const T* pixels = image.row<T>(y);
    for (std::int64_t x = 0; x < grid.columns; ++x) {
      std::int64_t sum = 0;
      for (std::int64_t i = 0; i < grid.block; ++i) sum += pixels[x * grid.block + i];
      sums[static_cast<std::size_t>(x)] += sum;
    }
  }
  const double part = 1 / static_cast<double>(grid.block * grid.block);
  float* means = grid.means.data() + row * grid.columns;
  for (std::int64_t x = 0; x < grid.columns; ++x) {
    means[x] = static_cast<float>(static_cast<double>(sums[static_cast<std::size_t>(x)]) * part);
  }
}

template <class T>
void fill(const Image& image, CellGrid& grid) {
  parallel_for((grid.rows + rows_in_task - 1) / rows_in_task, [&](std::int64_t task) {
    std::vector<std::int64_t> sums;
    const std::int64_t end = std::min(grid.rows, (task + 1) * rows_in_task);
    for (std::int64_t y = task * rows_in_task; y < end; ++y) fill_row<T>(image, grid, y, sums);
  });
}

/// The least difference between grey levels, of many pixels; 1 where all are alike. Images of eight
/// bits in sixteen have one of 256.
template <class T>
double step_of(const Image& image) {
  constexpr std::int64_t sample = 1 << 16;
  const Shape& shape = image.shape();
  const std::int64_t stride = std::max<std::int64_t>(1, shape.y * shape.x / sample);
  std::vector<T> values;
  for (std::int64_t i = 0; i < shape.x * shape.y; i += stride) {
    values.push_back(image.row<T>(i / shape.x)[i % shape.x]);
  }
  std::sort(values.begin(), values.end());
  int least = 1 << 16;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const int step = static_cast<int>(values[i]) - static_cast<int>(values[i - 1]);
    if (step > 0) least = std::min(least, step);
  }
  return least == 1 << 16 ? 1 : least;
}

template <class T>
void fill_finest(const Image& image, CellGrid& grid) {
  fill<T>(image, grid);
  grid.step = step_of<T>(image) / static_cast<double>(grid.block * grid.block);
}

CellGrid coarser(const CellGrid& fine, const Shape& image) {
  CellGrid grid = grid_of(image, 2 * fine.block);
  grid.step = fine.step / 4;
  grid.parts = fine.parts * 4;
  grid.within.resize(grid.means.size());
  parallel_for((grid.rows + rows_in_task - 1) / rows_in_task, [&](std::int64_t task) {
    const std::int64_t end = std::min(grid.rows, (task + 1) * rows_in_task);
    for (std::int64_t y = task * rows_in_task; y < end; ++y) {
      const float *upper = fine.row(2 * y), *lower = fine.row(2 * y + 1);
      float* means = grid.means.data() + y * grid.columns;
      float* within = grid.within.data() + y * grid.columns;
      for (std::int64_t x = 0; x < grid.columns; ++x) {
        const float a = upper[2 * x], b = upper[2 * x + 1], c = lower[2 * x], d = lower[2 * x + 1];
        const float mean = 0.25F * ((a + b) + (c + d));
        means[x] = mean;
        within[x] = 0.25F * (((a - mean) * (a - mean) + (b - mean) * (b - mean)) +
                             ((c - mean) * (c - mean) + (d - mean) * (d - mean)));
      }
      if (fine.within.empty()) continue;
      const float* upper_within = fine.within.data() + 2 * y * fine.columns;
      const float* lower_within = upper_within + fine.columns;
      for (std::int64_t x = 0; x < grid.columns; ++x) {
        within[x] += 0.25F * ((upper_within[2 * x] + upper_within[2 * x + 1]) +
                              (lower_within[2 * x] + lower_within[2 * x + 1]));
      }
    }
  });
  return grid;
}

}  // namespace

std::int64_t stride_for(const CellGrid& grid, std::int64_t sample) {
  std::int64_t stride = std::max<std::int64_t>(1, grid.size() / sample);
  while (std::gcd(stride, grid.columns) > 1) ++stride;
  return stride;
}

std::int64_t finest_cells(const Shape& image) {
  const std::int64_t block = finest_block(image);
  return (image.x / block) * (image.y / block);
}

std::vector<CellGrid> cell_grids(const Image& image, const Control& control) {
  const Shape& shape = image.shape();
  std::vector<CellGrid> grids{grid_of(shape, finest_block(shape))};
  control.step(0);
  if (image.type() == PixelType::u8) fill_finest<std::uint8_t>(image, grids[0]);
  if (image.type() == PixelType::u16) fill_finest<std::uint16_t>(image, grids[0]);
  if (image.type() == PixelType::i16) fill_finest<std::int16_t>(image, grids[0]);
  while (std::min(shape.x, shape.y) / (2 * grids.back().block) >= fewest_along) {
    control.step(0);
    grids.push_back(coarser(grids.back(), shape));
  }
  return grids;
}

namespace {

/// Differences of cells so far apart, down and across.
std::vector<float> differences_at(const CellGrid& grid, std::int64_t apart) {
  const std::int64_t stride = stride_for(grid, noise_sample);
  std::vector<float> differences;
  for (std::int64_t i = 0; i < grid.size(); i += stride) {
    const float* cell = grid.means.data() + i;
    if (i % grid.columns + apart < grid.columns) {
      differences.push_back(std::abs(cell[apart] - cell[0]));
    }
    if (i / grid.columns + apart < grid.rows) {
      differences.push_back(std::abs(cell[apart * grid.columns] - cell[0]));
    }
  }
  return differences;
}

/// The median of a normal number's size is its standard deviation over 1.4826.
double by_median(std::vector<float>& differences) {
  const auto middle = differences.begin() + static_cast<std::ptrdiff_t>(differences.size() / 2);
  std::nth_element(differences.begin(), middle, differences.end());
  return 1.4826 * static_cast<double>(*middle);
}

/// From the squares of the lower nine tenths, which make .623 of a normal number's variance.
double by_squares(std::vector<float>& differences) {
  const auto end = differences.begin() + static_cast<std::ptrdiff_t>(differences.size() * 9 / 10);
  std::nth_element(differences.begin(), end, differences.end());
  double sum = 0;
  for (auto d = differences.begin(); d != end; ++d) {
    sum += static_cast<double>(*d) * static_cast<double>(*d);
  }
  return std::sqrt(sum / std::max(1.0, static_cast<double>(end - differences.begin())) / 0.623);
}

double noise_at(const CellGrid& grid, std::int64_t apart) {
  std::vector<float> differences = differences_at(grid, apart);
  if (differences.empty()) return 0;
  double scatter = by_median(differences);
  // Of an image of two values, or of few counts, more than half of the differences may be 0.
  if (scatter < 2 / static_cast<double>(grid.block))
    scatter = std::max(scatter, by_squares(differences));
  return scatter / std::sqrt(2.0);
}

}  // namespace

double rounding_noise(const CellGrid& grid) {
  return std::sqrt(1.0 / 12) / static_cast<double>(grid.block);
}

double noise_beside(const CellGrid& grid) {
  return std::max(rounding_noise(grid), noise_at(grid, 1));
}

double noise_of(const CellGrid& grid) {
  double noise = noise_beside(grid);
  for (std::int64_t apart = 2; apart * grid.block <= farthest_noise; apart *= 2) {
    noise = std::max(noise, noise_at(grid, apart));
  }
  return noise;
}

}  // namespace meander::contour
