// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/image_state.hpp"

namespace meander {
namespace {

Statistics from_sums(const engine::Sums& sums) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Statistics result{.min = nan, .max = nan, .mean = nan, .standard_deviation = nan};
  result.sum = sums.sum;
  result.norm1 = sums.sum_of_magnitudes;
  result.norm2 = std::sqrt(sums.sum_of_squares);
  result.finite = sums.finite;
  result.nonfinite = sums.nonfinite;
  if (sums.finite > 0) {
    const auto count = static_cast<double>(sums.finite);
    result.min = sums.min;
    result.max = sums.max;
    result.mean = sums.sum / count;
    // Rounding may leave the variance of a constant image a hair below 0.
    const double variance = sums.sum_of_squares / count - result.mean * result.mean;
    result.standard_deviation = std::sqrt(std::max(variance, 0.0));
  }
  return result;
}

}  // namespace

Statistics statistics(const Image& image) {
  engine::Backend& backend = *image.state().backend;
  return from_sums(backend.fetch(backend.reduce(image.state().view)));
}

std::int64_t estimate_bytes(const Description& image) {
  // What a backend keeps of each chunk at most: OpenCL's record of eleven words is the largest.
  constexpr std::int64_t record = 11 * 8;
  engine::View view;
  view.shape = image.shape;
  view.channels = image.channels;
  return padded_bytes(image) + (engine::ReduceChunks(view).count() + 1) * record;
}

Statistics combined(const Statistics& a, const Statistics& b) {
  // fmin and fmax pass over the NaN of a part without finite values.
  return from_sums({.min = std::fmin(a.min, b.min),
                    .max = std::fmax(a.max, b.max),
                    .sum = a.sum + b.sum,
                    .sum_of_magnitudes = a.norm1 + b.norm1,
                    .sum_of_squares = a.norm2 * a.norm2 + b.norm2 * b.norm2,
                    .finite = a.finite + b.finite,
                    .nonfinite = a.nonfinite + b.nonfinite});
}

}  // namespace meander
