// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "filter/gauss/samples.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/message.hpp"
#include "filter/gauss/design.hpp"
#include "meander/error.hpp"

namespace meander {

namespace {

/// 1 / 2σ², finite however small σ is.
double half_precision(double sigma) {
  const double at_least = std::max(sigma, 1e-100);
  return 0.5 / (at_least * at_least);
}

}  // namespace

GaussSamples::GaussSamples(double sigma, int order)
    : half_precision_(half_precision(sigma)), order_(order) {
  if (sigma < 2) {
    take_moments(80);
    return;
  }
  // From here on sums and integrals differ by less than 1e-33.
  const double mass = sigma * std::sqrt(2 * std::numbers::pi);
  const double at_one = order == 0 ? 1 : std::exp(half_precision_);
  const double variance = sigma * sigma;
  root_ = variance;
  scale_ = 1 / (mass * at_one * (order == 0 ? 1 : order == 1 ? variance : variance * variance));
  centre_ = order == 0 ? scale_ : order == 1 ? 0 : -root_ * scale_ * at_one;
}

GaussSamples::GaussSamples(double sigma, int order, std::int64_t radius)
    : half_precision_(half_precision(sigma)), order_(order) {
  if (radius < (order > 0 ? 1 : 0)) {
    throw InvalidArgument(message("the radius of a sampled Gaussian is ", radius,
                                  ", expected at least ", order > 0 ? 1 : 0));
  }
  take_moments(radius);
}

void GaussSamples::take_moments(std::int64_t radius) {
  double mass = 0, second = 0, fourth = 0;  // of one side
  for (std::int64_t n = radius; n > 0; --n) {
    const auto square = static_cast<double>(n) * static_cast<double>(n);
    const double value = bell(static_cast<double>(n));
    mass += value;
    second += square * value;
    fourth += square * square * value;
  }
  if (order_ == 0) {
    centre_ = scale_ = 1 / (1 + 2 * mass);
  } else if (order_ == 1) {
    scale_ = 1 / (2 * second);
  } else {
    root_ = 2 * second / (bell(0) + 2 * mass);
    scale_ = 1 / (fourth - root_ * second);
    centre_ = -2 * scale_ * (second - root_ * mass);
  }
}

double GaussSamples::bell(double n) const {
  return std::exp(-half_precision_ * (order_ == 0 ? n * n : n * n - 1));
}

double GaussSamples::operator()(std::int64_t n) const {
  if (n == 0) return centre_;
  const auto x = static_cast<double>(n);
  const double value = scale_ * bell(x);
  return order_ == 0 ? value : order_ == 1 ? x * value : (x * x - root_) * value;
}

std::vector<double> sampled_gaussian(double sigma, int order, std::int64_t radius) {
  const GaussSamples samples(sigma, order, radius);
  std::vector<double> weights(static_cast<std::size_t>(2 * radius + 1));
  for (std::int64_t n = -radius; n <= radius; ++n) {
    weights[static_cast<std::size_t>(n + radius)] = samples(n);
  }
  return weights;
}

}  // namespace meander
