// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "filter/gauss/fir.hpp"

#include <algorithm>
#include <cmath>

#include "filter/gauss/design.hpp"
#include "filter/gauss/samples.hpp"

namespace meander {
namespace {

/// What cutting off does: to the weights left out and, as moments are kept, to the others.
double truncation_error(const std::vector<double>& weights, double sigma, int order) {
  const GaussSamples gauss(sigma, order);
  const auto radius = static_cast<std::int64_t>(weights.size() / 2);
  const auto beyond = std::max(radius + 1, static_cast<std::int64_t>(2 * sigma) + 1);
  double peak = 0, error = 0;
  for (std::int64_t n = 0; n <= beyond; ++n) {
    const double wanted = gauss(n);
    const double weight = n > radius ? 0 : weights[static_cast<std::size_t>(radius + n)];
    peak = std::max(peak, std::abs(wanted));
    error = std::max(error, std::abs(weight - wanted));
  }
  return error / peak;
}

/// Rounds to float from the ends inwards, each weight taking over what the rounding of the one
/// before it did to the sum, so that the sum is right and no weight is off by more than its own
/// rounding.
void round_to_float(std::vector<double>& weights, int order) {
  const std::size_t centre = weights.size() / 2;
  double missing = 0;
  for (std::size_t n = centre; n > 0; --n) {
    const double wanted = weights[centre + n] + missing;
    const double rounded = static_cast<double>(static_cast<float>(wanted));
    missing = wanted - rounded;
    weights[centre + n] = rounded;
    weights[centre - n] = order == 1 ? -rounded : rounded;
  }
  if (order != 1) {
    weights[centre] = static_cast<double>(static_cast<float>(weights[centre] + 2 * missing));
  }
}

}  // namespace

std::int64_t fir_radius_guess(double sigma, int order, double error_bound) {
  // Where exp(-x²/2) falls below a third of the bound, and for derivatives x^order times it.
  const double depth = std::log(std::max(1.0, 3 / error_bound));
  const double plain = std::sqrt(2 * depth);
  const double tail = std::sqrt(2 * (depth + order * std::log(std::max(1.0, plain))));
  return std::max<std::int64_t>(order > 0 ? 1 : 0,
                                static_cast<std::int64_t>(std::floor(sigma * tail)) - 1);
}

FirFilter gauss_fir(double sigma, int order, double error_bound, Precision precision) {
  const auto step = static_cast<std::int64_t>(std::max(1.0, sigma / 32));
  std::int64_t radius = fir_radius_guess(sigma, order, error_bound);
  FirFilter fir;
  for (;; radius += step) {
    fir.weights = sampled_gaussian(sigma, order, radius);
    fir.error = truncation_error(fir.weights, sigma, order);
    if (fir.error <= error_bound / 3) break;
  }
  if (precision == Precision::float32) round_to_float(fir.weights, order);
  return fir;
}

}  // namespace meander
