// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/detect/noise_level.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "core/quantile.hpp"

namespace meander::contour {

namespace {

/// Numbers that a noise level is estimated from, about.
constexpr std::int64_t sample_size = 1 << 17;

/// About `sample_size` places, in all columns alike.
std::int64_t stride_of(std::int64_t columns, std::int64_t rows) {
  std::int64_t stride = std::max<std::int64_t>(1, columns * rows / sample_size);
  while (std::gcd(stride, columns) > 1) ++stride;
  return stride;
}

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
