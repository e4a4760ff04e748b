// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "contour/detect/component_tree.hpp"
#include "contour/detect/detect.hpp"

/// Candidates of all scales in one place.
namespace meander::contour {

/// Cells [begin, end) of a row of the finest scale.
struct CellRun {
  std::int32_t row, begin, end;
};

/// A candidate of some scale, in cells of the finest one.
struct Spot {
  std::vector<CellRun> runs;  ///< From the top and from the left.
  std::int64_t cells = 0;
  double saved = 0, saved_with_fit = 0;  ///< Of the description.
  Polygon zone;
  double background = 0;  ///< See FoundObject.
};
using Spots = std::vector<Spot>;

/// Cells [begin, end) of a row, behind the others.
void add_cells(Spot& spot, std::int64_t begin, std::int64_t end, std::int64_t y);

template <class F>
void for_cells(const Spot& spot, const ScaleImage& finest, F f) {
  for (const CellRun& run : spot.runs) {
    for (std::int64_t x = run.begin; x < run.end; ++x) {
      f(static_cast<std::size_t>(run.row * finest.columns + x));
    }
  }
}

/// The cells where the smoothed image, linear between the middles of cells, is above the
/// candidate's threshold, and the holes that noise has made or that have less than `least_hole`
/// cells; with its zone. Of no cells at worst.
Spot spot_of(const Candidate& candidate, const ScaleImage& scale, const ScaleImage& finest,
             float sign, double least_hole, const FindingConstants& constants);
/// Where spots of two sets meet, those of the set that saves more. `map`: of all cells, 0, and left
/// so.
Spots better(Spots a, Spots b, const ScaleImage& finest, std::vector<std::int32_t>& map);
/// The best first. What another one has already it leaves to it; what has less than half left is
/// left out. `map`: of all cells, 0.
Spots side_by_side(Spots spots, const ScaleImage& finest, std::vector<std::int32_t>& map);
/// The largest part of a spot with its holes.
FoundObject object_of(const Spot& spot, std::int64_t block);

}  // namespace meander::contour
