// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <span>

#include "contour/spots.hpp"

namespace meander::contour {

/// Spots of the finer grids that lie in one place, or one of a coarser grid.
struct Choice {
  double gain = 0;
  double fit = 0;                    ///< With the variance of the pixels, see Spot.
  double numbers = 0, variance = 0;  ///< Of the finest cells, and as the finest spots tell it.
  std::vector<Spot> spots;
};

/// Grids with the noise of their cells, and of the cells of the finest grid within these.
struct Scale {
  const CellGrid* grid;
  double noise;
  double within;
};

/// The spots that shorten the description most, of all grids from the finest to the coarsest.
std::vector<Choice> choices_on(const Backdrop& backdrop, std::span<const Scale> scales,
                               const Control& control);

}  // namespace meander::contour
