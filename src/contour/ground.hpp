// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>

#include "contour/cell_set.hpp"
#include "contour/spot_choices.hpp"

namespace meander::contour {

/// What spots are looked for on, and where some are.
struct Ground {
  std::vector<Scale> scales;
  Backdrop backdrop;
  CellSet covered;

  /// The background, where it changes by more than half the noise of a pixel.
  std::optional<Backdrop> shading() const {
    const auto side = static_cast<double>(scales.front().grid->block);
    if (!(2 * backdrop.range() > scales.front().noise * side)) return std::nullopt;
    return backdrop;
  }
};

/// First with the noise of pixels that know nothing of each other, on an even background: it does
/// not mind how close together objects are. Where that is not so, with the noise of each grid.
Ground find_ground(const std::vector<CellGrid>& grids, const Control& control);

}  // namespace meander::contour
