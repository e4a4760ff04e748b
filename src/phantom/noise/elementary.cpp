// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "phantom/noise/elementary.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

namespace meander::phantoms {
namespace {

double power_of_two(std::int64_t exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

}  // namespace

double exponential(double x) {
  const double k = std::floor(x * 1.4426950408889634 + 0.5);
  const double r = (x - k * ln2_high) - k * ln2_low;
  double sum = 1;
  for (int n = 14; n >= 1; --n) sum = 1 + sum * r / n;
  return sum * power_of_two(static_cast<std::int64_t>(k));
}

double cube_root(double x) { return exponential(natural_log(x) / 3); }

SineCosine sine_cosine_of_turns(double t) {
  const double quarter = std::floor(4 * t + 0.5);
  const double angle = (4 * t - quarter) * (pi / 2);  // at most pi / 4
  const double square = angle * angle;
  constexpr double s[] = {1,
                          -1. / 6,
                          1. / 120,
                          -1. / 5040,
                          1. / 362880,
                          -1. / 39916800,
                          1. / 6227020800,
                          -1. / 1307674368000,
                          1. / 355687428096000};
  constexpr double c[] = {1,
                          -1. / 2,
                          1. / 24,
                          -1. / 720,
                          1. / 40320,
                          -1. / 3628800,
                          1. / 479001600,
                          -1. / 87178291200,
                          1. / 20922789888000};
  const double sine = angle * polynomial(s, square);
  const double cosine = polynomial(c, square);
  switch (static_cast<std::int64_t>(quarter) & 3) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    default:
      return {-cosine, sine};
  }
}

}  // namespace meander::phantoms
