// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "phantom/noise/poisson.hpp"

#include <cmath>

#include "phantom/noise/elementary.hpp"

namespace meander::phantoms {
namespace {

constexpr double rejection_from = 10;  // below it the hat of the rejection method does not hold

double log_factorial_of_small(double k) {
  double product = 1;
  for (double factor = 2; factor <= k; ++factor) product *= factor;
  return natural_log(product);
}

/// log k! minus Stirling's formula, for k >= 16.
double stirling_error(double k) {
  const double s = 1 / (k * k);
  return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - (1.0 / 1680 - s / 1188) * s) * s) * s) / k;
}

/// k log(k / mean) + mean - k, by Loader's series where its terms would cancel.
double deviance(double k, double mean) {
  const double difference = k - mean;
  if (std::abs(difference) >= 0.1 * (k + mean)) return k * natural_log(k / mean) + mean - k;
  const double v = difference / (k + mean);
  double sum = difference * v;
  double term = 2 * k * v;
  for (int odd = 3;; odd += 2) {
    term *= v * v;
    const double next = sum + term / odd;
    if (next == sum) return sum;
    sum = next;
  }
}

}  // namespace

double log_poisson_probability(double k, double mean) {
  if (k < 16) return k * natural_log(mean) - mean - log_factorial_of_small(k);
  return -stirling_error(k) - deviance(k, mean) - 0.5 * natural_log(2 * pi * k);
}

PoissonSampler::PoissonSampler(double mean) : mean_(mean) {
  if (mean < rejection_from) {
    exp_minus_mean_ = exponential(-mean);
    return;
  }
  // Hörmann, The transformed rejection method for generating Poisson random variables, 1993: PTRS.
  width_ = 0.931 + 2.53 * std::sqrt(mean);
  slope_ = -0.059 + 0.02483 * width_;
  inverse_alpha_ = 1.1239 + 1.1328 / (width_ - 3.4);
  squeeze_ = 0.9277 - 3.6224 / (width_ - 2);
}

double PoissonSampler::draw(UniformSequence& uniforms) const {
  return mean_ < rejection_from ? draw_by_gaps(uniforms) : draw_by_rejection(uniforms);
}

/// Events with exponential gaps until their sum exceeds the mean; sums of logarithms as a product.
double PoissonSampler::draw_by_gaps(UniformSequence& uniforms) const {
  double count = 0;
  for (double product = uniforms.next(); product > exp_minus_mean_; product *= uniforms.next()) {
    ++count;
  }
  return count;
}

double PoissonSampler::draw_by_rejection(UniformSequence& uniforms) const {
  for (;;) {
    const double u = uniforms.next() - 0.5;
    const double v = uniforms.next();
    const double us = 0.5 - std::abs(u);
    const double k = std::floor((2 * slope_ / us + width_) * u + mean_ + 0.43);
    if (us >= 0.07 && v <= squeeze_) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    const double hat = natural_log(v * inverse_alpha_ / (slope_ / (us * us) + width_));
    if (hat <= log_poisson_probability(k, mean_)) return k;
  }
}

}  // namespace meander::phantoms
