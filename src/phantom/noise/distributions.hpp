// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstddef>

#include "phantom/noise/philox.hpp"

namespace meander::phantoms {

/// The largest mean whose counts a double still tells apart with room to spare.
inline constexpr double largest_poisson_mean = 0x1p50;

/// log P(count = k) for mean > 0 and k a whole number, without cancellation at any mean.
double log_poisson_probability(double k, double mean);

/// Exact Poisson counts for one mean from 0 to largest_poisson_mean.
class PoissonSampler {
 public:
  PoissonSampler() = default;
  explicit PoissonSampler(double mean);
  double draw(UniformSequence& uniforms) const;
  double mean() const { return mean_; }

 private:
  double draw_by_gaps(UniformSequence& uniforms) const;
  double draw_by_rejection(UniformSequence& uniforms) const;

  double mean_ = 0;
  double exp_minus_mean_ = 1;
  double width_ = 0, slope_ = 0, inverse_alpha_ = 0, squeeze_ = 0;  // Hörmann's b, a, 1/alpha, v_r
};

/// The standard normal quantile of u in (0, 1) by Wichura's AS241, relative error about 1e-16.
double normal_quantile(double u);

/// Replaces each of a chunk's uniforms, multiples of 2^-53, by its normal quantile: the same values
/// as one by one, faster.
inline constexpr std::size_t chunk_length = 256;
void to_normal(double (&values)[chunk_length]);

}  // namespace meander::phantoms
