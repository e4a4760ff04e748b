// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "contour/likelihood/criterion.hpp"
#include "contour/likelihood/sample.hpp"

namespace meander::contour {

/// Whole likelihoods, with every constant: those that compare one family with another, for which
/// the criterion alone will not do.
struct Likelihood {
  NoiseModel noise = NoiseModel::gaussian;
  double looks = 0;               ///< Of gamma noise.
  double description_length = 0;  ///< -log likelihood + k/2 log n, k the number of parameters.
};

/// The families that the numbers can come from, likeliest first. `looks`: as given, or estimated.
/// Poisson is left out where numbers are no counts; families of positive values where a number is
/// below the one that stands for 0. Bernoulli noise is not looked at.
std::vector<Likelihood> likelihoods(const SideCounts& sides, const Levels& levels,
                                    std::optional<double> looks);

/// The looks L that make both sides likeliest as gamma noise: log L - ψ(L) = log m - mean log z.
double estimated_looks(const SideCounts& sides, std::int64_t zero);

}  // namespace meander::contour
