// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "contour/cell_set.hpp"
#include "contour/spot_choices.hpp"

namespace meander::contour {

/// What spots are looked for on, and where some are.
struct Ground {
  std::vector<Scale> scales;
  Backdrop backdrop;
  CellSet covered;
};

/// First with the noise of pixels that know nothing of each other, on an even background: it does
/// not mind how close together objects are. Where that is not so, with the noise of each grid.
Ground find_ground(const std::vector<CellGrid>& grids, const Control& control);

}  // namespace meander::contour
