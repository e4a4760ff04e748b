// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/statistics.hpp"

#include <cmath>
#include <limits>

#include "core/image_state.hpp"

namespace meander {

Statistics statistics(const Image& image) {
  engine::Backend& backend = *image.state().backend;
  const engine::Sums sums = backend.fetch(backend.reduce(image.state().view));
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

}  // namespace meander
