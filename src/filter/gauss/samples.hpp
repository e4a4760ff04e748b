// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>

namespace meander {

/// The weight that the sampled Gaussian, or its derivative, gives to the pixel n places further on,
/// for any n: a polynomial times exp(-n²/2σ²), its moments made exact.
class GaussSamples {
 public:
  /// Moments taken over all n.
  GaussSamples(double sigma, int order);
  /// Moments taken over |n| <= radius, which is at least 1 for derivatives.
  GaussSamples(double sigma, int order, std::int64_t radius);

  double operator()(std::int64_t n) const;

 private:
  void take_moments(std::int64_t radius);
  /// exp(-n²/2σ²), for derivatives as a multiple of its value at 1, so that it does not vanish
  /// there at the smallest σ.
  double bell(double n) const;

  double half_precision_;  ///< 1 / 2σ²
  int order_;
  double root_ = 0;    ///< Order 2: the polynomial is n² - root.
  double scale_ = 1;   ///< Of the polynomial.
  double centre_ = 0;  ///< The value at 0.
};

}  // namespace meander
