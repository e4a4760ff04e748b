// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/likelihood/description_cost.hpp"

#include <algorithm>
#include <cmath>

#include "contour/geometry/segments.hpp"

namespace meander::contour {

double cost_of_node(const Polygon& outline, double correlation) {
  constexpr double fewest_pixels = 16;
  const Box box = box_around(outline);
  const auto side = [](std::int64_t low, std::int64_t high) {
    return static_cast<double>(high - low) / grid_steps_per_pixel;
  };
  const double pixels = side(box.low.x, box.high.x) * side(box.low.y, box.high.y);
  return std::log(std::max(pixels / correlation, fewest_pixels));
}

double cost_of_place(const Shape& image) {
  return 2 * std::log(static_cast<double>(image.x * image.y));
}

double cost_of_nodes(const Polygon& ring) {
  return static_cast<double>(ring.vertices.size()) * cost_of_node(ring);
}

double cost_of_hole(const Polygon& hole, const Polygon& outer) {
  return 2 * cost_of_node(outer) + cost_of_nodes(hole);
}

double cost_of_region(const Region& region, const Shape& image) {
  double cost = cost_of_place(image) + cost_of_nodes(region.outer);
  for (const Polygon& hole : region.holes) cost += cost_of_hole(hole, region.outer);
  return cost;
}

}  // namespace meander::contour
