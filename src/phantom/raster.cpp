// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "phantom/raster.hpp"

#include <algorithm>

#include "meander/error.hpp"
#include "phantom/noise.hpp"

namespace meander::phantoms {

using contour::Crossing;

void rasterise(std::span<const Region> regions, const Band& band, std::uint8_t* tenths) {
  std::vector<Crossing> crossings;
  for (const Region& region : regions) {
    contour::add_crossings(region.outline, region.tenths, band.rows(), crossings);
  }
  contour::sort_crossings(crossings);
  std::fill(tenths, tenths + band.pixels(), std::uint8_t{0});
  int sum = 0;
  for (std::size_t i = 0; i + 1 < crossings.size(); ++i) {
    const Crossing& here = crossings[i];
    const Crossing& next = crossings[i + 1];
    sum += here.change;
    if (here.row != next.row || here.column == next.column || sum == 0) continue;
    if (sum < 0 || sum > tenths_of_target) throw LogicError("regions of a phantom overlap wrongly");
    std::uint8_t* row = tenths + (here.row - band.y_begin) * band.width;
    std::fill(row + here.column, row + next.column, static_cast<std::uint8_t>(sum));
  }
}

}  // namespace meander::phantoms
