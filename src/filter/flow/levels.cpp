// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "filter/flow/levels.hpp"

#include <algorithm>

namespace meander {
namespace {

constexpr double comparable = 1.5;

using Extents = std::array<std::int64_t, 3>;

FlowLevel level_of(const Extents& extents, const std::array<double, 3>& sides, double mu,
                   const BorderRule& border) {
  FlowLevel level{.shape = {extents[0], extents[1], extents[2]}, .neighbours = {.border = border}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    level.neighbours.axis[axis] = extents[axis] > 1 ? mu / (sides[axis] * sides[axis]) : 0;
  }
  return level;
}

}  // namespace

std::vector<FlowLevel> flow_levels(const Shape& shape, const std::array<double, 3>& sides,
                                   double mu, const BorderRule& border) {
  Extents extents{shape.x, shape.y, shape.z};
  std::array<double, 3> side = sides;
  std::vector<FlowLevel> levels{level_of(extents, side, mu, border)};
  while (extents != Extents{1, 1, 1}) {
    const auto& weights = levels.back().neighbours.axis;
    const double largest = *std::ranges::max_element(weights);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (extents[axis] == 1 || weights[axis] * comparable < largest) continue;
      extents[axis] = engine::halved(extents[axis]);
      side[axis] *= 2;
    }
    levels.push_back(level_of(extents, side, mu, border));
  }
  return levels;
}

}  // namespace meander
