// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <vector>

#include "meander/smooth.hpp"

namespace meander {

struct FirFilter {
  std::vector<double> weights;
  double error = 0;  ///< Of the weights, of the largest of the sampled Gaussian.
};

/// The sampled Gaussian (derivative), cut off where that changes it by less than a third of the
/// bound.
FirFilter gauss_fir(double sigma, int order, double error_bound, Precision precision);

/// A radius near that of gauss_fir, not above it.
std::int64_t fir_radius_guess(double sigma, int order, double error_bound);

}  // namespace meander
