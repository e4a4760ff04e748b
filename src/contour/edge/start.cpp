// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/edge/start.hpp"

#include <algorithm>

#include "contour/geometry/clip.hpp"
#include "contour/geometry/segments.hpp"
#include "contour/likelihood/grey_levels.hpp"
#include "contour/region/rectangle.hpp"
#include "core/image_state.hpp"
#include "core/message.hpp"

namespace meander::contour {
namespace {

/// Leaves a tenth of the image on each side.
Box middle_of(const Shape& image) {
  const auto x = static_cast<double>(image.x), y = static_cast<double>(image.y);
  return {meander::on_grid(0.1 * x - 0.5, 0.1 * y - 0.5),
          meander::on_grid(0.9 * x - 0.5, 0.9 * y - 0.5)};
}

std::optional<Box> best_box(const Image& image, const Control& control) {
  const SegmentOptions options{.noise = NoiseModel::gaussian};
  const GreyLevels grey = grey_levels(image, options, control);
  const SumLevels sums(grey.pixels.state().backend, grey.pixels.state().view, options);
  const auto found = best_rectangle(sums, Criterion({}, grey.levels, sums.total()));
  if (!found) return {};
  return box_around(found->outline);
}

/// Within half a pixel around the image, less one step of the grid: a curve along the border itself
/// could not turn away from it.
Box grown(const Box& box, const Shape& image) {
  const std::int64_t x = (box.high.x - box.low.x) / 4, y = (box.high.y - box.low.y) / 4;
  const GridPoint low = lowest_node(), high = highest_node(image);
  return {{std::max(box.low.x - x, low.x), std::max(box.low.y - y, low.y)},
          {std::min(box.high.x + x, high.x), std::min(box.high.y + y, high.y)}};
}

void check_inside(const Curve& start, const Shape& image) {
  const GridPoint low = lowest_node(), high = highest_node(image);
  for (const GridPoint& p : start.points) {
    if (p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y) continue;
    throw InvalidArgument(message("the start curve has a point at ", p.x / grid_steps_per_pixel,
                                  ",", p.y / grid_steps_per_pixel,
                                  ", expected all in the image of ", to_string(image)));
  }
}

}  // namespace

Curve start_in(const Image& image, const Control& control) {
  const std::optional<Box> best = best_box(image, control);
  const auto [low, high] = best ? grown(*best, image.shape()) : middle_of(image.shape());
  return {.points = {low, {high.x, low.y}, high, {low.x, high.y}}};
}

std::vector<Curve> prepared(const std::vector<Curve>& starts, const Shape& image) {
  std::vector<Curve> ready;
  for (const Curve& start : starts) {
    if (start.is_open) {
      check_inside(start, image);
      ready.push_back(start);
      continue;
    }
    Polygon polygon = clipped({start.points}, image);
    if (polygon.signed_area() < 0) {
      std::reverse(polygon.vertices.begin(), polygon.vertices.end());
    }
    ready.push_back({.points = polygon.vertices});
  }
  return ready;
}

}  // namespace meander::contour
