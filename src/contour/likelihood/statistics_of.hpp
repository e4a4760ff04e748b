// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cmath>

#include "contour/likelihood/criterion.hpp"

namespace meander::contour {

/// In grey levels; of no pixels all 0.
inline RegionStatistics statistics_of(const RegionSums& sums, const Levels& levels) {
  if (sums.count == 0) return {};
  const auto n = static_cast<double>(sums.count);
  return {.pixels = static_cast<std::int64_t>(sums.count),
          .mean = levels.offset + levels.scale * (static_cast<double>(sums.sum) / n),
          .sigma = levels.scale * std::sqrt(scatter(sums)) / n};
}

}  // namespace meander::contour
