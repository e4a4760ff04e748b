// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>

#include "contour/likelihood/criterion.hpp"
#include "contour/likelihood/grey_levels.hpp"
#include "contour/likelihood/sample.hpp"
#include "contour/likelihood/sums.hpp"

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

/// Which family to search with: what the options say, or what the image says once it has been
/// divided for the first time.
class NoiseChoice {
 public:
  /// All of them outlive it. Throws InvalidArgument for bernoulli noise unless the image has two
  /// values.
  NoiseChoice(const GreyLevels& grey, const SumLevels& sums, const SegmentOptions& options);

  /// The family to begin with.
  const Criterion::Family& first() const { return first_; }
  /// After a search with the first family that ended in some outlines, or in none: the family to
  /// search with once more, if it is another.
  std::optional<Criterion::Family> second(const std::vector<const Polygon*>& outlines) const;

 private:
  std::optional<Criterion::Family> two_values() const;

  const GreyLevels* grey_;
  const SumLevels* sums_;
  const SegmentOptions* options_;
  Criterion::Family first_;
};

}  // namespace meander::contour
