// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/detect/scales.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "core/parallel_for.hpp"

namespace meander::contour {
namespace {

/// Of one cell, up to four: numbers, so that they are the same on every machine.
constexpr std::int64_t radius = 4;
constexpr std::array<float, radius + 1> gaussian{0.398943469F, 0.241971446F, 0.0539911274F,
                                                 0.00443186162F, 0.000133830625F};
constexpr std::int64_t rows_in_task = 64;
/// Numbers that a noise level is estimated from, about.
constexpr std::int64_t sample_size = 1 << 17;

std::int64_t mirrored(std::int64_t i, std::int64_t n) {
  while (i < 0 || i >= n) i = i < 0 ? -1 - i : 2 * n - 1 - i;
  return i;
}

template <class F>
void for_rows(std::int64_t rows, F f) {
  parallel_for((rows + rows_in_task - 1) / rows_in_task, [&](std::int64_t task) {
    f(task * rows_in_task, std::min(rows, (task + 1) * rows_in_task));
  });
}

/// About `sample_size` places, in all columns alike.
std::int64_t stride_of(std::int64_t columns, std::int64_t rows) {
  std::int64_t stride = std::max<std::int64_t>(1, columns * rows / sample_size);
  while (std::gcd(stride, columns) > 1) ++stride;
  return stride;
}

constexpr std::int64_t most_cells = std::int64_t{1} << 22;

template <class T>
ScaleImage means_over_blocks(const Image& image, std::int64_t block, std::int64_t bands) {
  constexpr std::int64_t band = 64;
  const std::int64_t rows = std::min(image.shape().y, bands * band);
  const std::int64_t apart = image.shape().y / std::max<std::int64_t>(1, rows / band);
  ScaleImage scale{.block = block,
                   .columns = image.shape().x / block,
                   .rows = rows / block,
                   .cells = {},
                   .smooth = {}};
  scale.cells.resize(static_cast<std::size_t>(scale.size()));
  const double part = 1 / static_cast<double>(block * block);
  parallel_for(scale.rows, [&](std::int64_t row) {
    float* to = scale.cells.data() + row * scale.columns;
    std::vector<std::int64_t> sums(static_cast<std::size_t>(scale.columns), 0);
    for (std::int64_t y = row * block; y < (row + 1) * block; ++y) {
      const T* from = image.row<T>(rows < image.shape().y ? y / band * apart + y % band : y);
      for (std::int64_t& sum : sums) {
        for (std::int64_t i = 0; i < block; ++i) sum += *from++;
      }
    }
    for (const std::int64_t sum : sums) *to++ = static_cast<float>(static_cast<double>(sum) * part);
  });
  return scale;
}

}  // namespace

std::int64_t finest_block(const Shape& image) {
  std::int64_t block = 1;
  while ((image.x / block) * (image.y / block) > most_cells) block *= 2;
  return block;
}

ScaleImage means_over_blocks(const Image& image, std::int64_t block, std::int64_t bands) {
  if (image.type() == PixelType::u8) return means_over_blocks<std::uint8_t>(image, block, bands);
  if (image.type() == PixelType::u16) return means_over_blocks<std::uint16_t>(image, block, bands);
  return means_over_blocks<std::int16_t>(image, block, bands);
}

ScaleImage coarser(const ScaleImage& fine) {
  return {.block = 2 * fine.block,
          .columns = fine.columns / 2,
          .rows = fine.rows / 2,
          .cells = halved(fine.cells, fine.columns, fine.rows),
          .smooth = {}};
}

bool may_be_halved(const ScaleImage& scale) {
  return std::min(scale.columns, scale.rows) >= 2 * fewest_along;
}

void smooth(ScaleImage& scale) { scale.smooth = smoothed(scale.cells, scale.columns, scale.rows); }

double quantile(std::vector<float>& values, double part) {
  if (values.empty()) return 0;
  const auto place =
      values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), place, values.end());
  return static_cast<double>(*place);
}

namespace {

/// Sizes of differences between cells so far apart, across and down, less what they are in the
/// middle: a slope is no noise.
std::vector<float> differences(const std::vector<float>& cells, std::int64_t columns,
                               std::int64_t rows, std::int64_t apart) {
  std::array<std::vector<float>, 2> found;
  const std::int64_t stride = stride_of(columns, rows);
  for (std::int64_t i = 0; i < columns * rows; i += stride) {
    const float* cell = cells.data() + i;
    if (i % columns + apart < columns) found[0].push_back(cell[apart] - cell[0]);
    if (i / columns + apart < rows) found[1].push_back(cell[apart * columns] - cell[0]);
  }
  std::vector<float> sizes;
  for (std::vector<float>& steps : found) {
    const auto middle = static_cast<float>(quantile(steps, 0.5));
    for (const float step : steps) sizes.push_back(std::abs(step - middle));
  }
  return sizes;
}

}  // namespace

std::vector<float> smoothed(const std::vector<float>& cells, std::int64_t columns,
                            std::int64_t rows) {
  std::vector<float> across(cells.size()), out(cells.size());
  for_rows(rows, [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> padded(static_cast<std::size_t>(columns + 2 * radius));
    for (std::int64_t y = begin; y < end; ++y) {
      const float* from = cells.data() + y * columns;
      for (std::int64_t x = 0; x < columns + 2 * radius; ++x) {
        padded[static_cast<std::size_t>(x)] = from[mirrored(x - radius, columns)];
      }
      float* to = across.data() + y * columns;
      const float* at = padded.data() + radius;
      for (std::int64_t x = 0; x < columns; ++x) to[x] = gaussian[0] * at[x];
      for (std::int64_t i = 1; i <= radius; ++i) {
        const float weight = gaussian[static_cast<std::size_t>(i)];
        for (std::int64_t x = 0; x < columns; ++x) to[x] += weight * (at[x - i] + at[x + i]);
      }
    }
  });
  for_rows(rows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t y = begin; y < end; ++y) {
      float* to = out.data() + y * columns;
      const float* at = across.data() + y * columns;
      for (std::int64_t x = 0; x < columns; ++x) to[x] = gaussian[0] * at[x];
      for (std::int64_t i = 1; i <= radius; ++i) {
        const float* above = across.data() + mirrored(y - i, rows) * columns;
        const float* below = across.data() + mirrored(y + i, rows) * columns;
        const float weight = gaussian[static_cast<std::size_t>(i)];
        for (std::int64_t x = 0; x < columns; ++x) to[x] += weight * (above[x] + below[x]);
      }
    }
  });
  return out;
}

std::vector<float> halved(const std::vector<float>& cells, std::int64_t columns,
                          std::int64_t rows) {
  const std::int64_t half_columns = columns / 2, half_rows = rows / 2;
  std::vector<float> out(static_cast<std::size_t>(half_columns * half_rows));
  for_rows(half_rows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t y = begin; y < end; ++y) {
      const float* upper = cells.data() + 2 * y * columns;
      const float* lower = upper + columns;
      float* to = out.data() + y * half_columns;
      for (std::int64_t x = 0; x < half_columns; ++x) {
        to[x] = 0.25F * ((upper[2 * x] + upper[2 * x + 1]) + (lower[2 * x] + lower[2 * x + 1]));
      }
    }
  });
  return out;
}

namespace {

/// The median of values that come in steps: within the middle step as far as as many lie below it.
double stepped_median(std::vector<float>& values) {
  const auto middle = static_cast<float>(quantile(values, 0.5));
  float lower = 0, higher = std::numeric_limits<float>::infinity();
  double below = 0, equal = 0;
  for (const float value : values) {
    if (value < middle) below += 1, lower = std::max(lower, value);
    if (value == middle) equal += 1;
    if (value > middle) higher = std::min(higher, value);
  }
  if (middle == 0 || std::isinf(higher)) return static_cast<double>(middle);
  const double from = static_cast<double>(lower + middle) / 2;
  const double to = static_cast<double>(middle + higher) / 2;
  return from + (to - from) * (static_cast<double>(values.size()) / 2 - below) / equal;
}

/// Standard deviation of the noise of cells so far apart.
double noise_apart(const std::vector<float>& cells, std::int64_t columns, std::int64_t rows,
                   std::int64_t apart) {
  std::vector<float> found = differences(cells, columns, rows, apart);
  if (found.empty()) return 0;
  // The median of a normal number's size is its standard deviation over 1.4826.
  const double median = 1.4826 * stepped_median(found);
  if (median > 0) return median / std::sqrt(2.0);
  // Of an image of two values, or of few counts, most differences may be 0. The lower nine tenths
  // of squares make .623 of a normal number's variance.
  quantile(found, 0.9);
  double sum = 0;
  const std::size_t end = found.size() * 9 / 10;
  for (std::size_t i = 0; i < end; ++i) {
    sum += static_cast<double>(found[i]) * static_cast<double>(found[i]);
  }
  return std::sqrt(sum / std::max(1.0, static_cast<double>(end)) / 0.623 / 2);
}

}  // namespace

double white_noise(const std::vector<float>& cells, std::int64_t columns, std::int64_t rows) {
  return noise_apart(cells, columns, rows, 1);
}

PixelNoise pixel_noise(const std::vector<float>& cells, std::int64_t columns, std::int64_t rows) {
  const double one = noise_apart(cells, columns, rows, 1);
  const double two = noise_apart(cells, columns, rows, 2);
  if (!(one > 0) || !(two > one)) return {one, 1};
  // Smoothed noise has correlations r, r^4, … one and two apart, r = exp(-1 / 4 s^2): variances of
  // differences are as 1 - r^4 to 1 - r, which is 1 + r + r^2 + r^3.
  // What is smoother than by two cells is no noise of a camera.
  constexpr double smoothest = 3.6;
  const double ratio = std::min(two * two / (one * one), smoothest);
  double low = 0, high = 1;
  for (int i = 0; i < 30; ++i) {
    const double r = (low + high) / 2;
    (1 + r + r * r + r * r * r < ratio ? low : high) = r;
  }
  const double correlation = std::numbers::pi / -std::log(low);
  if (!(correlation > 1)) return {one, 1};
  return {one / std::sqrt(1 - low), correlation};
}

double smooth_noise(const ScaleImage& image, float sign) {
  // Farther apart than the Gaussian reaches. A quarter of a normal number's sizes is below .3186 of
  // its standard deviation, half of them below .6745.
  std::vector<float> found = differences(image.smooth, image.columns, image.rows, 4);
  const double by_differences = quantile(found, 0.25) / 0.3186 / std::sqrt(2.0);
  std::vector<float> below;
  const std::int64_t stride = stride_of(image.columns, image.rows);
  for (std::int64_t i = 0; i < image.size(); i += stride) {
    const float level = sign * image.smooth[static_cast<std::size_t>(i)];
    if (level < 0) below.push_back(-level);
  }
  constexpr std::size_t fewest = 100;
  if (below.size() < fewest) return by_differences;
  return std::min(by_differences, quantile(below, 0.5) / 0.6745);
}

}  // namespace meander::contour
