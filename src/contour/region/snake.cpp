// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/region/snake.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "contour/geometry/clip.hpp"
#include "contour/geometry/spline_parts.hpp"
#include "contour/likelihood/criterion.hpp"

namespace meander::contour {
namespace {

Point between(GridPoint a, GridPoint b) {
  return {static_cast<double>(b.x - a.x), static_cast<double>(b.y - a.y)};
}

double cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }

GridPoint moved(GridPoint from, Point by) {
  return {from.x + std::llround(by.x), from.y + std::llround(by.y)};
}

/// Of length 1; `otherwise` where there is hardly a direction.
Point direction(Point v, Point otherwise) {
  constexpr double hardly = 0.05;
  const double length = length_of(v);
  return length < hardly ? otherwise : 1 / length * v;
}

std::array<Point, 4> along_edges(GridPoint before, GridPoint node, GridPoint after) {
  const Point in = direction(between(before, node), {1, 0});
  const Point out = direction(between(node, after), {1, 0});
  const Point normal{-in.y, in.x};
  return {in, out, direction(in + out, normal), direction(in - out, normal)};
}

std::array<Point, 4> along_axes() { return {Point{1, 0}, {1, 1}, {0, 1}, {-1, 1}}; }

}  // namespace

std::array<GridPoint, 8> places_around(GridPoint before, GridPoint node, GridPoint after,
                                       std::int64_t distance, Directions directions) {
  const auto ways =
      directions == Directions::axes ? along_axes() : along_edges(before, node, after);
  std::array<GridPoint, 8> places;
  const auto length = static_cast<double>(distance);
  for (std::size_t i = 0; i < ways.size(); ++i) {
    places[2 * i] = moved(node, length * ways[i]);
    places[2 * i + 1] = moved(node, -length * ways[i]);
  }
  return places;
}

std::optional<GridPoint> meeting_point(GridPoint before, GridPoint a, GridPoint b,
                                       GridPoint after) {
  constexpr double times = 4;
  const Point in = between(before, a), out = between(after, b), gap = between(a, b);
  const double turn = cross(in, out);
  if (turn == 0) return std::nullopt;
  // a + s·in = b + t·out
  const double s = cross(gap, out) / turn, t = cross(gap, in) / turn;
  const double farthest = times * length_of(gap);
  const bool is_beyond = s > 0 && t > 0;
  if (!is_beyond || s * length_of(in) > farthest || t * length_of(out) > farthest)
    return std::nullopt;
  return moved(a, s * in);
}

std::vector<std::size_t> ranking(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  return order;
}

Surroundings everywhere(const SumLevels& image) {
  return {.limits = {lowest_node(), highest_node(image.pixels().shape)}};
}

Snake::Snake(const SumLevels& image, const SearchLevel& level, const Criterion& criterion,
             const Surroundings& surroundings, const Polygon& outline, std::int64_t& evaluations)
    : image_(&image),
      level_(level),
      criterion_(&criterion),
      limits_(surroundings.limits),
      ring_(outline.vertices, surroundings.obstacles, 1),
      inside_(sums_inside(image, *level.sums, outline)),
      value_(criterion.of(inside_)),
      node_cost_(cost_of_node(outline, criterion.family().correlation)),
      evaluations_(&evaluations),
      offers_(outline.vertices.size()),
      losses_(outline.vertices.size()) {
  if (!is_divided(inside_)) {
    throw InvalidArgument(inside_.count == 0 ? "the start outline holds no pixel of the image"
                                             : "the start outline holds all pixels of the image");
  }
}

bool Snake::is_divided(const RegionSums& inside) const { return criterion_->is_divided_by(inside); }

Change Snake::change_of(int node, std::optional<GridPoint> to) const {
  return {ring_.point(ring_.previous(node)), ring_.point(node), ring_.point(ring_.next(node)), to};
}

const std::vector<RegionSums>& Snake::sums_of(const std::vector<Change>& changes) {
  thread_local std::vector<RegionSums> sums;
  *evaluations_ += static_cast<std::int64_t>(changes.size());
  sums_of_changes(*image_, level_, changes, sums);
  return sums;
}

GridPoint Snake::held_inside(GridPoint place) const {
  return {std::clamp(place.x, limits_.low.x, limits_.high.x),
          std::clamp(place.y, limits_.low.y, limits_.high.y)};
}

void Snake::accept(const RegionSums& change, double value) {
  inside_ += change;
  value_ = value;
}

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
  for (const int node : nodes) moved += take_best(node, moves) ? 1 : 0;
  return moved;
}

Snake::Offer& Snake::offer_of(int node, std::int64_t step) {
  return offers_[static_cast<std::size_t>(node)][step == level_.sums->block ? 0 : 1];
}

void Snake::find_offers(const std::vector<int>& nodes, const Moves& moves) {
  std::vector<Change> changes;
  std::vector<int> asked;
  changes.reserve(8 * nodes.size());
  asked.reserve(nodes.size());
  for (const int node : nodes) {
    Offer& offer = offer_of(node, moves.step);
    const Change here = change_of(node, {});
    const std::array at{here.before, here.node, here.after};
    if (offer.step == moves.step && offer.directions == moves.directions && offer.at == at)
      continue;
    offer.step = moves.step;
    offer.directions = moves.directions;
    offer.at = at;
    offer.count = 0;
    for (const GridPoint place :
         places_around(here.before, here.node, here.after, moves.step * grid_steps_per_pixel,
                       moves.directions)) {
      const GridPoint held = held_inside(place);
      if (held == here.node) continue;
      offer.places[offer.count++] = held;
      changes.push_back({here.before, here.node, here.after, held});
    }
    asked.push_back(node);
  }
  const std::vector<RegionSums>& sums = sums_of(changes);
  auto next = sums.begin();
  for (const int node : asked) {
    Offer& offer = offer_of(node, moves.step);
    std::copy_n(next, offer.count, offer.changes.begin());
    next += static_cast<std::ptrdiff_t>(offer.count);
  }
}

bool Snake::take_best(int node, const Moves& moves) {
  const Offer& offer = offer_of(node, moves.step);
  std::array<double, 8> values;
  std::array<std::size_t, 8> order;  // The best first, of equal ones as they come.
  std::size_t better = 0;
  for (std::size_t i = 0; i < offer.count; ++i) {
    values[i] = criterion_->of(inside_ + offer.changes[i]);
    if (!(values[i] < value_ - moves.least_gain)) continue;
    std::size_t place = better++;
    for (; place > 0 && values[i] < values[order[place - 1]]; --place) {
      order[place] = order[place - 1];
    }
    order[place] = i;
  }
  for (std::size_t k = 0; k < better; ++k) {
    const std::size_t i = order[k];
    if (!is_divided(inside_ + offer.changes[i])) continue;
    if (!ring_.allows_move(node, offer.places[i])) continue;
    ring_.move(node, offer.places[i]);
    accept(offer.changes[i], values[i]);
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
  const std::vector<RegionSums>& sums = sums_of(changes);
  std::vector<double> rises;
  for (std::size_t i = 0; i < sums.size(); i += 2) {
    rises.push_back(
        std::min(criterion_->of(inside_ + sums[i]), criterion_->of(inside_ + sums[i + 1])) -
        value_);
  }
  return rises;
}

}  // namespace meander::contour
