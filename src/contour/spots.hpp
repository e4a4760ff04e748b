// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cmath>
#include <vector>

#include "contour/backdrop.hpp"
#include "meander/outline.hpp"

namespace meander::contour {

/// Cells [begin, end) of a row of a grid.
struct CellRun {
  std::int64_t row, begin, end;
};

/// Cells of one grid that hang together by their sides and are all brighter than the background,
/// or all darker, by so much that noise does not explain it.
struct Spot {
  std::int64_t block = 1;     ///< Of the grid.
  std::vector<CellRun> runs;  ///< From top to bottom, from left to right.
  std::int64_t cells = 0;
  double level = 0;  ///< Mean difference from the background.
  /// By how much the description of the image is shorter with it: the likelihood of its cells as
  /// background and with a level of their own, less what it takes to say which cells they are.
  double gain = 0;
  double variance = 1;  ///< Of the object's pixels, in the background's; at least 1.
  /// How far the cells of the finest grid are from its level: so many numbers, and the sum of their
  /// squares in the background's variance.
  double numbers = 0, squares = 0;

  /// The gain if the pixels of the object have a variance of their own. Speckle has bright pixels
  /// anywhere, so this does not tell whether there is an object; but which of two descriptions of
  /// one is the better.
  double fit() const {
    return gain + (squares * (1 - 1 / variance) - numbers * std::log(variance)) / 2;
  }
};

/// A grid as it differs from the background.
struct CellView {
  const CellGrid* grid = nullptr;
  const Backdrop::Rows* levels = nullptr;  ///< Of the background, in this grid.
  double noise = 1;                        ///< Of a cell.
  double within = 1;                       ///< Of a cell of the finest grid about its cell of this.

  /// What it takes to say where something is: among the pixels, whatever the grid.
  double place() const {
    const double side = static_cast<double>(grid->block);
    return std::log(static_cast<double>(grid->size()) * side * side);
  }
};

/// Both brighter and darker ones that have a gain, in no order that depends on threads.
std::vector<Spot> find_spots(const CellView& view);

/// Half the squares of all differences from the background, in the noise: with the gains of spots
/// taken off, how long the description of the image is.
double background_length(const CellView& view);

/// What a spot covers, in pixels; holes that do not shorten the description are filled.
Region region_of(const Spot& spot, const CellView& view);

}  // namespace meander::contour
