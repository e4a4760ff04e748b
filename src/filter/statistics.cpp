// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/image_state.hpp"
#include "core/parallel_for.hpp"

namespace meander {
namespace {

/// `squared_deviations` is the sum of (x - mean)² over the finite values.
Statistics from_sums(const engine::Sums& sums, double squared_deviations) {
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
    result.standard_deviation = std::sqrt(std::max(squared_deviations, 0.0) / count);
  }
  return result;
}

/// From sums over x - shift, whatever the shift. The nearer it is to the mean, the less cancels.
double squared_deviations(const engine::Sums& shifted) {
  if (shifted.finite == 0) return 0;
  const auto count = static_cast<double>(shifted.finite);
  return shifted.sum_of_squares - shifted.sum * (shifted.sum / count);
}

}  // namespace

Statistics statistics(const Image& image, const Control& control) {
  control.step(0);
  const StopScope scope(control.stop);
  engine::Backend& backend = *image.state().backend;
  const engine::View& view = image.state().view;
  const engine::Sums sums = backend.reduced(view, engine::Wanted::all);
  // Integers are small and their sums exact. Floats may have any offset, beside which the
  // deviations would be lost, so they are gone through again about their mean.
  const bool again = !is_integer(image.type()) && sums.finite > 0;
  const double mean = again ? sums.sum / static_cast<double>(sums.finite) : 0;
  const bool shiftable = again && std::isfinite(mean);
  const engine::Sums shifted = shiftable ? backend.reduced(view, engine::Wanted::all, mean) : sums;
  control.step(1);
  return from_sums(sums, squared_deviations(shifted));
}

std::int64_t estimate_statistics_bytes(const Description& image) {
  // What a backend keeps of each chunk at most: OpenCL's record of eleven words is the largest, of
  // as many chunks as a whole tree has, and of those that 64 and 64 are added up to.
  constexpr std::int64_t record = 11 * 8;
  engine::View view;
  view.shape = image.shape;
  view.channels = image.channels;
  const auto chunks = static_cast<std::uint64_t>(engine::ReduceChunks(view).count());
  const auto nodes = static_cast<std::int64_t>(std::bit_ceil(chunks));
  return padded_bytes(image) + (nodes + nodes / 63 + 2) * record;
}

Statistics combined(const Statistics& a, const Statistics& b) {
  // fmin and fmax pass over the NaN of a part without finite values.
  const engine::Sums sums{.min = std::fmin(a.min, b.min),
                          .max = std::fmax(a.max, b.max),
                          .sum = a.sum + b.sum,
                          .sum_of_magnitudes = a.norm1 + b.norm1,
                          .sum_of_squares = a.norm2 * a.norm2 + b.norm2 * b.norm2,
                          .finite = a.finite + b.finite,
                          .nonfinite = a.nonfinite + b.nonfinite};
  // Chan's update: deviations from two means become deviations from the common one.
  const auto count_a = static_cast<double>(a.finite), count_b = static_cast<double>(b.finite);
  double deviations = 0;
  if (a.finite > 0) deviations += a.standard_deviation * a.standard_deviation * count_a;
  if (b.finite > 0) deviations += b.standard_deviation * b.standard_deviation * count_b;
  if (a.finite > 0 && b.finite > 0) {
    const double apart = b.mean - a.mean;
    deviations += apart * apart * count_a * (count_b / (count_a + count_b));
  }
  return from_sums(sums, deviations);
}

}  // namespace meander
