// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <vector>

#include "filter/gauss/complex_matrix.hpp"
#include "meander/smooth.hpp"

namespace meander {

/// A pole p of a recursive filter, inside the unit circle. One that is not real stands for its
/// conjugate as well.
struct Pole {
  Complex value;
  Complex rest;  ///< 1 - p, to full precision however near to 1 the pole is.
  bool is_real() const { return value.imag() == 0; }
};

/// Whether the method is two passes of one filter, the second on what the first left, rather than
/// a sum of damped cosines.
bool is_cascade(SmoothMethod method);

/// The smallest σ that a recursive method can be designed for.
double smallest_sigma(SmoothMethod method, int order);

/// The poles of a recursive method for a σ not below the smallest, real ones last.
std::vector<Pole> gauss_poles(SmoothMethod method, double sigma);

/// The same poles, conjugates written out.
std::vector<Pole> with_conjugates(const std::vector<Pole>& poles);

/// What p^n comes to, for n >= 0.
Complex power(const Pole& pole, double n);

/// A damped cosine of the published sums: exp(-x²/2) ≈ Σ Re((cosine + i·sine)·exp(-(decay +
/// i·turn)x)).
struct DampedCosine {
  double decay, turn, cosine, sine;
};
/// Of `deriche` and the exponential methods; empty for others.
std::vector<DampedCosine> damped_cosines(SmoothMethod method);

}  // namespace meander
