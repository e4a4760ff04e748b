// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/objects/windows.hpp"

#include <algorithm>
#include <numeric>

#include "contour/geometry/clip.hpp"
#include "contour/likelihood/sums.hpp"

namespace meander::contour {
namespace {

constexpr std::int64_t least_margin = 16 * grid_steps_per_pixel;
constexpr std::int64_t half = grid_steps_per_pixel / 2;

/// The border between pixels at or before a place.
std::int64_t border_before(std::int64_t place) {
  std::int64_t pixels = (place + half) / grid_steps_per_pixel;
  if (pixels * grid_steps_per_pixel > place + half) --pixels;
  return pixels * grid_steps_per_pixel - half;
}

std::int64_t border_after(std::int64_t place) { return -border_before(-place); }

}  // namespace

Box window_around(const Polygon& outline, const Shape& image) {
  const Box box = box_around(outline);
  const std::int64_t larger = std::max(box.high.x - box.low.x, box.high.y - box.low.y);
  const std::int64_t margin = std::max(larger / 2, least_margin);
  const GridPoint low = lowest_node(), high = highest_node(image);
  return {{std::max(low.x, border_before(box.low.x - margin)),
           std::max(low.y, border_before(box.low.y - margin))},
          {std::min(high.x, border_after(box.high.x + margin)),
           std::min(high.y, border_after(box.high.y + margin))}};
}

bool is_held_back(const Polygon& outline, const Box& window, const Shape& image) {
  const Box box = box_around(outline);
  const GridPoint low = lowest_node(), high = highest_node(image);
  return (box.low.x <= window.low.x && window.low.x > low.x) ||
         (box.low.y <= window.low.y && window.low.y > low.y) ||
         (box.high.x >= window.high.x && window.high.x < high.x) ||
         (box.high.y >= window.high.y && window.high.y < high.y);
}

bool do_meet(const Box& a, const Box& b) {
  return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y;
}

bool is_within(const Box& inner, const Box& outer) {
  return inner.low.x >= outer.low.x && inner.low.y >= outer.low.y && inner.high.x <= outer.high.x &&
         inner.high.y <= outer.high.y;
}

std::vector<std::vector<std::size_t>> neighbours_of(const std::vector<Box>& boxes) {
  std::vector<std::size_t> order(boxes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return boxes[a].low.y < boxes[b].low.y; });
  std::vector<std::vector<std::size_t>> neighbours(boxes.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Box& box = boxes[order[i]];
    for (std::size_t k = i + 1; k < order.size() && boxes[order[k]].low.y <= box.high.y; ++k) {
      if (!do_meet(box, boxes[order[k]])) continue;
      neighbours[order[i]].push_back(order[k]);
      neighbours[order[k]].push_back(order[i]);
    }
  }
  for (auto& some : neighbours) std::sort(some.begin(), some.end());
  return neighbours;
}

std::vector<std::vector<std::size_t>> groups_apart(
    const std::vector<std::vector<std::size_t>>& neighbours, const std::vector<bool>& takes_part) {
  constexpr std::size_t none = ~std::size_t{0};
  std::vector<std::size_t> group_of(neighbours.size(), none);
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    if (!takes_part[i]) continue;
    std::vector<bool> is_taken(groups.size() + 1, false);
    for (const std::size_t other : neighbours[i]) {
      if (group_of[other] != none) is_taken[group_of[other]] = true;
    }
    const auto free = std::find(is_taken.begin(), is_taken.end(), false);
    group_of[i] = static_cast<std::size_t>(free - is_taken.begin());
    if (group_of[i] == groups.size()) groups.emplace_back();
    groups[group_of[i]].push_back(i);
  }
  return groups;
}

}  // namespace meander::contour
