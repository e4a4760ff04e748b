// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "phantom/noise/distributions.hpp"

#include <algorithm>
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

namespace {

struct Rational {
  double numerator[8];
  double denominator[8];

  double at(double r) const { return polynomial(numerator, r) / polynomial(denominator, r); }
};

// Wichura, Algorithm AS 241, Applied Statistics 37 (1988), PPND16.
constexpr Rational central = {
    {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
     1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
     3.3430575583588128105e4, 2.5090809287301226727e3},
    {1, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
     2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4,
     5.2264952788528545610e3}};
constexpr Rational tail = {
    {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
     3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
     2.27238449892691845833e-2, 7.74545014278341407640e-4},
    {1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
     1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
     1.05075007164441684324e-9}};
constexpr Rational far_tail = {
    {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
     2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
     2.71155556874348757815e-5, 2.01033439929228813265e-7},
    {1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
     7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
     2.04426310338993978564e-15}};

bool is_central(double u) { return std::abs(u - 0.5) <= 0.425; }
/// Where -log of the distance to the nearer end exceeds 23.5; the far tail begins at 25.
bool is_far(double u) { return std::abs(u - 0.5) > 0.5 - 0x1p-34; }

double central_quantile(double q) { return q * central.at(0.180625 - q * q); }

double tail_quantile(double u) {
  const double r = std::sqrt(-natural_log(u < 0.5 ? u : 1 - u));
  const double magnitude = r <= 5 ? tail.at(r - 1.6) : far_tail.at(r - 5);
  return u < 0.5 ? -magnitude : magnitude;
}

/// The numbers of the values outside the central part, and how many there are.
std::size_t find_tails(const double (&values)[chunk_length], std::size_t (&tails)[chunk_length]) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < chunk_length; ++i) {
    tails[count] = i;
    count += is_central(values[i]) ? 0 : 1;
  }
  return count;
}

/// tail_quantile of eight at a time; the far tail, one in eight thousand million, is left to
/// tail_quantile.
void near_tail_quantiles(const double (&u)[8], double (&quantiles)[8]) {
  for (int i = 0; i < 8; ++i) {
    const double q = u[i] - 0.5;
    const double r = std::sqrt(-natural_log(0.5 - std::abs(q)));
    quantiles[i] = std::copysign(tail.at(r - 1.6), q);
  }
}

}  // namespace

double normal_quantile(double u) {
  return is_central(u) ? central_quantile(u - 0.5) : tail_quantile(u);
}

void to_normal(double (&values)[chunk_length]) {
  // Everything by the central formula first, in one loop without branches, then one in seven again.
  std::size_t tails[chunk_length];
  const std::size_t count = find_tails(values, tails);
  double quantiles[chunk_length];
  for (std::size_t i = 0; i < chunk_length; ++i) quantiles[i] = central_quantile(values[i] - 0.5);
  for (std::size_t k = 0; k < count; k += 8) {
    double u[8], z[8];
    for (std::size_t i = 0; i < 8; ++i) u[i] = values[tails[std::min(k + i, count - 1)]];
    near_tail_quantiles(u, z);
    for (std::size_t i = 0; i < std::min<std::size_t>(8, count - k); ++i) {
      quantiles[tails[k + i]] = is_far(u[i]) ? tail_quantile(u[i]) : z[i];
    }
  }
  std::copy(quantiles, quantiles + chunk_length, values);
}

}  // namespace meander::phantoms
