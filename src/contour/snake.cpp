// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/snake.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace meander::contour {

std::vector<std::size_t> ranking(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  return order;
}

double cost_of_node(const Polygon& outline) {
  constexpr double fewest_pixels = 16;
  const Box box = box_around(outline);
  const auto side = [](std::int64_t low, std::int64_t high) {
    return static_cast<double>(high - low) / grid_steps_per_pixel;
  };
  const double pixels = side(box.low.x, box.high.x) * side(box.low.y, box.high.y);
  return std::log(std::max(pixels, fewest_pixels));
}

Snake::Snake(const SumLevels& image, const SearchLevel& level, const Criterion& criterion,
             const Polygon& outline, std::int64_t& evaluations)
    : image_(&image),
      level_(level),
      criterion_(&criterion),
      ring_(outline.vertices),
      inside_(sums_inside(image, *level.sums, outline)),
      value_(criterion.of(inside_)),
      node_cost_(cost_of_node(outline)),
      evaluations_(&evaluations),
      offers_(outline.vertices.size()) {
  if (!is_divided(inside_)) {
    throw InvalidArgument(inside_.count == 0 ? "the start outline holds no pixel of the image"
                                             : "the start outline holds all pixels of the image");
  }
}

bool Snake::is_divided(const RegionSums& inside) const {
  return inside.count > 0 && inside.count < criterion_->total().count;
}

Change Snake::change_of(int node, std::optional<GridPoint> to) const {
  return {ring_.point(ring_.previous(node)), ring_.point(node), ring_.point(ring_.next(node)), to};
}

std::vector<RegionSums> Snake::sums_of(const std::vector<Change>& changes) {
  *evaluations_ += static_cast<std::int64_t>(changes.size());
  return sums_of_changes(*image_, level_, changes);
}

GridPoint Snake::held_inside(GridPoint place) const {
  const GridPoint low = lowest_node(), high = highest_node(image_->pixels().shape);
  return {std::clamp(place.x, low.x, high.x), std::clamp(place.y, low.y, high.y)};
}

void Snake::accept(const RegionSums& change, double value) {
  inside_ += change;
  value_ = value;
}

void Snake::forget(int node) { offers_[static_cast<std::size_t>(node)].step = 0; }

std::int64_t Snake::sweep(const Moves& moves) {
  const std::vector<int> order = ring_.order();
  // Nodes that are looked at together are no neighbours; of an odd number the last stands alone.
  const std::size_t paired = order.size() / 2 * 2;
  std::int64_t moved = 0;
  for (const std::size_t parity : {0, 1}) {
    std::vector<int> some;
    for (std::size_t i = parity; i < paired; i += 2) some.push_back(order[i]);
    moved += sweep_some(some, moves);
  }
  if (paired < order.size()) moved += sweep_some({order.back()}, moves);
  return moved;
}

std::int64_t Snake::sweep_some(const std::vector<int>& nodes, const Moves& moves) {
  find_offers(nodes, moves);
  std::int64_t moved = 0;
  for (const int node : nodes) moved += take_best(node, moves.least_gain) ? 1 : 0;
  return moved;
}

void Snake::find_offers(const std::vector<int>& nodes, const Moves& moves) {
  std::vector<Change> changes;
  std::vector<int> asked;
  for (const int node : nodes) {
    Offer& offer = offers_[static_cast<std::size_t>(node)];
    if (offer.step == moves.step) continue;
    offer.step = moves.step;
    offer.places.clear();
    const Change here = change_of(node, {});
    for (const GridPoint place :
         places_around(here.before, here.node, here.after, moves.step * grid_steps_per_pixel,
                       moves.directions)) {
      const GridPoint held = held_inside(place);
      if (held == here.node) continue;
      offer.places.push_back(held);
      changes.push_back({here.before, here.node, here.after, held});
    }
    asked.push_back(node);
  }
  const std::vector<RegionSums> sums = sums_of(changes);
  auto next = sums.begin();
  for (const int node : asked) {
    Offer& offer = offers_[static_cast<std::size_t>(node)];
    const auto end = next + static_cast<std::ptrdiff_t>(offer.places.size());
    offer.changes.assign(next, end);
    next = end;
  }
}

bool Snake::take_best(int node, double least_gain) {
  const Offer& offer = offers_[static_cast<std::size_t>(node)];
  std::vector<double> values;
  for (const auto& change : offer.changes) values.push_back(criterion_->of(inside_ + change));
  for (const std::size_t i : ranking(values)) {
    if (!(values[i] < value_ - least_gain)) return false;
    if (!is_divided(inside_ + offer.changes[i])) continue;
    if (!ring_.allows_move(node, offer.places[i])) continue;
    ring_.move(node, offer.places[i]);
    accept(offer.changes[i], values[i]);
    for (const int stale : {ring_.previous(node), node, ring_.next(node)}) forget(stale);
    return true;
  }
  return false;
}

std::vector<double> Snake::confidence() {
  const std::vector<int> nodes = ring_.order();
  std::vector<Change> changes;
  for (const int node : nodes) {
    const GridPoint p = ring_.point(node);
    const GridPoint a = ring_.point(ring_.previous(node)), b = ring_.point(ring_.next(node));
    // Across the line between the neighbours; those are apart, or the polygon would fold back.
    const auto length = std::hypot(static_cast<double>(b.x - a.x), static_cast<double>(b.y - a.y));
    const double pixel = static_cast<double>(grid_steps_per_pixel) / std::max(length, 1.0);
    const std::int64_t x = std::llround(static_cast<double>(b.y - a.y) * pixel);
    const std::int64_t y = std::llround(static_cast<double>(a.x - b.x) * pixel);
    changes.push_back(change_of(node, GridPoint{p.x + x, p.y + y}));
    changes.push_back(change_of(node, GridPoint{p.x - x, p.y - y}));
  }
  const std::vector<RegionSums> sums = sums_of(changes);
  std::vector<double> rises;
  for (std::size_t i = 0; i < sums.size(); i += 2) {
    rises.push_back(
        std::min(criterion_->of(inside_ + sums[i]), criterion_->of(inside_ + sums[i + 1])) -
        value_);
  }
  return rises;
}

}  // namespace meander::contour
