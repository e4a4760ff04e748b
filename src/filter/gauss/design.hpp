// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <vector>

#include "engine/scan.hpp"
#include "meander/smooth.hpp"

namespace meander {

/// Pixels. Up to here poles are told apart from 1 and the weights of an FIR filter fit into memory.
inline constexpr double largest_sigma = 1e5;

/// What is asked of a filter along one axis.
struct GaussRequest {
  SmoothMethod method = SmoothMethod::automatic;
  double sigma = 1;  ///< Pixels, above 0.
  int order = 0;     ///< Of the derivative, 0 to 2.
  double error_bound = 1e-3;
  Precision precision = Precision::float32;  ///< Coefficients are rounded for it.
  std::int64_t length = 1;                   ///< Pixels along the axis.
  BorderRule border;

  friend bool operator==(const GaussRequest&, const GaussRequest&) = default;
};

/// A filter along one axis, ready for the scan engine: weights of an odd number of taps, or a
/// recurrence.
struct GaussFilter {
  SmoothMethod method = SmoothMethod::fir;  ///< Never `automatic`.
  double error = 0;  ///< Largest error of the impulse response, of the peak of the sampled Gaussian
                     ///< (derivative), in float64.
  std::vector<double> weights;    ///< For `fir`.
  engine::Recurrence recurrence;  ///< For all others.

  bool is_fir() const { return method == SmoothMethod::fir; }
};

/// Throws InvalidArgument when σ is too large or too small for the method. The last few designs are
/// kept: one takes up to a millisecond, longer than a GPU takes for an image. Thread-safe.
GaussFilter gauss_design(const GaussRequest& request);

/// The sampled Gaussian of σ, or its derivative, for |n| <= radius: what filters are measured by.
/// Weights of order 0 add up to 1; order 1 answers a ramp of slope 1 with 1 and a constant with 0;
/// order 2 answers n² with 2, and 1 and n with 0.
std::vector<double> sampled_gaussian(double sigma, int order, std::int64_t radius);

}  // namespace meander
