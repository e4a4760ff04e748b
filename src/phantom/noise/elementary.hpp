// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

/// Elementary functions from +, -, *, / and sqrt alone. IEEE 754 rounds these exactly, so the
/// results are the same bits everywhere; those of a system's mathematics library are not. Errors
/// stay below 1e-15 relative (sine and cosine: absolute).
namespace meander::phantoms {

inline constexpr double pi = 3.14159265358979323846;
// ln 2 in two parts; the first has 21 trailing zero bits, so that its product with an exponent is
// exact.
inline constexpr double ln2_high = 0x1.62e42fee00000p-1;
inline constexpr double ln2_low = 0x1.a39ef35793c76p-33;

/// For -700 <= x <= 700.
double exponential(double x);
double cube_root(double x);

/// c[0] + c[1] x + c[2] x^2 + … by Horner's rule, written out whatever the optimisation level.
template <std::size_t first = 0, std::size_t count>
constexpr double polynomial(const double (&c)[count], double x) {
  if constexpr (first + 1 == count) {
    return c[first];
  } else {
    return c[first] + x * polynomial<first + 1>(c, x);
  }
}

/// For positive normal numbers. Here in full, and without branches, so that loops over it become
/// vector code.
inline double natural_log(double x) {
  // x = m 2^e with m from sqrt(1/2) to sqrt(2), so that the two terms of the result never cancel.
  constexpr std::uint64_t bias = 1023;
  constexpr std::uint64_t root_half = 0x3fe6a09e667f3bcd;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t biased = (bits - root_half + (bias << 52)) >> 52;
  const double m = std::bit_cast<double>(bits - ((biased - bias) << 52));
  // An integer put into the low bits of 2^52 is a double without a conversion.
  const double e = std::bit_cast<double>(biased | 0x4330000000000000u) - (0x1p52 + bias);
  // log m = 2 artanh f, f = (m - 1) / (m + 1), |f| < 0.1716: the series gains 1.5 digits a term.
  const double f = (m - 1) / (m + 1);
  const double s = f * f;
  constexpr double c[] = {1. / 3,  1. / 5,  1. / 7,  1. / 9,  1. / 11, 1. / 13,
                          1. / 15, 1. / 17, 1. / 19, 1. / 21, 1. / 23};
  return e * ln2_high + (2 * f + (2 * f * s * polynomial(c, s) + e * ln2_low));
}

struct SineCosine {
  double sine;
  double cosine;
};
/// Of 2 pi t; for |t| < 2^40.
SineCosine sine_cosine_of_turns(double t);

}  // namespace meander::phantoms
