// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "contour/likelihood/sum_levels.hpp"

namespace meander::contour {

/// A change of an outline: before → node → after becomes before → to → after, or before → after
/// where `to` is missing.
struct Change {
  GridPoint before, node, after;
  std::optional<GridPoint> to;
};

/// On what a search looks at an image: blocks of pixels or single ones.
struct SearchLevel {
  const CumulatedSums* sums = nullptr;
  bool sweeps = false;  ///< Whether small changes are summed over what they sweep, pixel by pixel.
};

/// By how much each change would alter the sums over the inside, exactly; one call of the engine or
/// two. Safe to call from several threads where the engine is.
void sums_of_changes(const SumLevels& image, const SearchLevel& level,
                     std::span<const Change> changes, std::vector<RegionSums>& results);

/// Over the inside of a polygon.
RegionSums sums_inside(const SumLevels& image, const CumulatedSums& sums, const Polygon& polygon);

}  // namespace meander::contour
