// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "filter/gauss/design.hpp"
#include "filter/gauss/recurrence_model.hpp"

namespace meander::testing {

/// The weights of the pixels n = -radius … radius places further on that a filter comes to, found
/// by filtering an impulse in the arithmetic `Real`.
template <class Real>
std::vector<double> measured_weights(const GaussFilter& filter, std::int64_t radius) {
  const auto size = static_cast<std::size_t>(2 * radius + 1);
  std::vector<double> weights(size);
  if (filter.is_fir()) {
    const auto reach = static_cast<std::int64_t>(filter.weights.size() / 2);
    for (std::int64_t n = -std::min(reach, radius); n <= std::min(reach, radius); ++n) {
      weights[static_cast<std::size_t>(radius + n)] =
          filter.weights[static_cast<std::size_t>(reach + n)];
    }
    return weights;
  }
  std::vector<Real> impulse(size);
  impulse[static_cast<std::size_t>(radius)] = 1;
  const auto response = RecurrenceModel<Real>(filter.recurrence, impulse).run_from_rest();
  for (std::size_t i = 0; i < size; ++i) {
    weights[i] = static_cast<double>(response[size - 1 - i]);
  }
  return weights;
}

inline std::int64_t whole_radius(double sigma) {
  return static_cast<std::int64_t>(14 * sigma) + 14;
}

/// The largest difference to the sampled Gaussian, of its largest weight.
template <class Real>
double measured_error(const GaussFilter& filter, double sigma, int order) {
  const std::int64_t radius = whole_radius(sigma);
  const std::vector<double> found = measured_weights<Real>(filter, radius);
  const std::vector<double> wanted = sampled_gaussian(sigma, order, radius);
  double peak = 0, error = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    peak = std::max(peak, std::abs(wanted[i]));
    error = std::max(error, std::abs(found[i] - wanted[i]));
  }
  return error / peak;
}

/// Σ n^power·weight.
inline double moment_of(const std::vector<double>& weights, int power) {
  const auto radius = static_cast<double>(weights.size() / 2);
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    sum += std::pow(static_cast<double>(i) - radius, power) * weights[i];
  }
  return sum;
}

}  // namespace meander::testing
