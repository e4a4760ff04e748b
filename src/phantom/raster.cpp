// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "phantom/scene.hpp"

#include <algorithm>

#include "meander/error.hpp"
#include "phantom/noise/noise.hpp"

namespace meander::phantoms {

using contour::Crossing;

namespace {

template <class T, class WeightOf>
void add_up(std::span<const Region> regions, const Band& band, WeightOf weight_of, int most,
            T* sums) {
  std::vector<Crossing> crossings;
  for (const Region& region : regions) {
    contour::add_crossings(region.outline, weight_of(region), band.rows(), crossings);
  }
  contour::sort_crossings(crossings);
  std::fill(sums, sums + band.pixels(), T{0});
  int sum = 0;
  for (std::size_t i = 0; i + 1 < crossings.size(); ++i) {
    const Crossing& here = crossings[i];
    const Crossing& next = crossings[i + 1];
    sum += here.change;
    if (here.row != next.row || here.column == next.column || sum == 0) continue;
    if (sum < 0 || sum > most) throw LogicError("regions of a phantom overlap wrongly");
    T* row = sums + (here.row - band.y_begin) * band.width;
    std::fill(row + here.column, row + next.column, static_cast<T>(sum));
  }
}

}  // namespace

void rasterise(std::span<const Region> regions, const Band& band, std::uint8_t* tenths) {
  add_up(
      regions, band, [](const Region& region) { return region.tenths; }, tenths_of_target, tenths);
}

void rasterise_labels(std::span<const Region> regions, const Band& band, std::uint16_t* labels) {
  add_up(
      regions, band, [](const Region& region) { return static_cast<int>(region.label); }, 65535,
      labels);
}

}  // namespace meander::phantoms
