// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>

#include "contour/likelihood/grey_levels.hpp"
#include "contour/likelihood/sum_levels.hpp"

namespace meander::contour {

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
