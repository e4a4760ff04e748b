// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cmath>

#include "contour/region/snake.hpp"

namespace meander::contour {
namespace {

/// In pixels; a root, unlike std::hypot, is rounded alike on every machine.
double distance(GridPoint a, GridPoint b) {
  const auto x = static_cast<double>(a.x - b.x), y = static_cast<double>(a.y - b.y);
  return std::sqrt(x * x + y * y) / static_cast<double>(grid_steps_per_pixel);
}

}  // namespace

std::int64_t Snake::insert_midpoints(double longest, int since) {
  std::vector<int> before;
  std::vector<Change> changes;
  for (const int node : ring_.order()) {
    if (std::max(node, ring_.next(node)) < since) continue;
    const auto [a, b] = ring_.edge(node);
    const GridPoint middle{(a.x + b.x) / 2, (a.y + b.y) / 2};
    if (distance(a, b) <= longest || !ring_.allows_insertion(node, middle)) continue;
    before.push_back(node);
    // Of the edge a → b as a → b → b the second node moves to the middle.
    changes.push_back({a, b, b, middle});
  }
  const std::vector<RegionSums>& sums = sums_of(changes);
  std::int64_t inserted = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    // A middle off the grid is rounded: it may take in a pixel, but the criterion may not rise.
    const double value = criterion_->of(inside_ + sums[i]);
    const GridPoint middle = *changes[i].to;
    if (value > value_ || !ring_.allows_insertion(before[i], middle)) continue;
    ring_.insert(before[i], middle);
    accept(sums[i], value);
    offers_.emplace_back();
    losses_.emplace_back();
    ++inserted;
  }
  return inserted;
}

std::int64_t Snake::remove_nodes(double most_rise) {
  std::int64_t removed = 0;
  while (const std::int64_t some = lose_some(most_rise)) removed += some;
  return removed;
}

void Snake::find_losses() {
  std::vector<Losses*> asked;
  std::vector<Change> changes;
  for (const int node : ring_.order()) {
    const Change here = change_of(node, {});
    const GridPoint beyond = ring_.point(ring_.next(ring_.next(node)));
    const std::array at{here.before, here.node, here.after, beyond};
    Losses& losses = losses_[static_cast<std::size_t>(node)];
    if (losses.is_known && losses.at == at) continue;
    losses = {.at = at, .is_known = true, .meeting = {}};
    changes.push_back(here);
    if (const auto meeting = meeting_point(here.before, here.node, here.after, beyond)) {
      losses.meeting = held_inside(*meeting);
      changes.push_back({here.before, here.node, here.after, losses.meeting});
      changes.push_back({*losses.meeting, here.after, beyond, {}});
    }
    asked.push_back(&losses);
  }
  auto next = sums_of(changes).begin();
  for (Losses* losses : asked) {
    losses->removed = *next++;
    if (!losses->meeting) continue;
    losses->merged = *next++;
    losses->merged += *next++;
  }
}

std::vector<Snake::Loss> Snake::possible_losses() {
  find_losses();
  std::vector<Loss> all;
  for (const int node : ring_.order()) {
    const Losses& losses = losses_[static_cast<std::size_t>(node)];
    all.push_back({.node = node, .merged = {}, .change = losses.removed});
    if (losses.meeting) {
      all.push_back({.node = node, .merged = losses.meeting, .change = losses.merged});
    }
  }
  return all;
}

/// The nodes whose edges, or whose neighbours' places, change.
std::vector<int> Snake::touched_by(const Loss& loss) const {
  const int next = ring_.next(loss.node);
  std::vector<int> nodes{ring_.previous(loss.node), loss.node, next};
  if (loss.merged) nodes.push_back(ring_.next(next));
  return nodes;
}

bool Snake::allows(const Loss& loss) const {
  if (!is_divided(inside_ + loss.change)) return false;
  return loss.merged ? ring_.allows_merger(loss.node, *loss.merged)
                     : ring_.allows_removal(loss.node);
}

/// One look at all nodes; those whose surroundings have changed since wait for the next.
std::int64_t Snake::lose_some(double most_rise) {
  const std::vector<Loss> losses = possible_losses();
  std::vector<double> values;
  for (const Loss& loss : losses) values.push_back(criterion_->of(inside_ + loss.change));
  std::vector<bool> is_stale(offers_.size(), false);
  const auto stale = [&](int node) { return is_stale[static_cast<std::size_t>(node)]; };
  std::int64_t lost = 0;
  for (const std::size_t i : ranking(values)) {
    const Loss& loss = losses[i];
    if (stale(loss.node)) continue;
    const std::vector<int> touched = touched_by(loss);
    const double value = criterion_->of(inside_ + loss.change);
    const bool is_cheap = value < value_ + most_rise;
    if (!is_cheap || std::any_of(touched.begin(), touched.end(), stale) || !allows(loss)) continue;
    for (const int node : touched) is_stale[static_cast<std::size_t>(node)] = true;
    loss.merged ? ring_.merge(loss.node, *loss.merged) : ring_.remove(loss.node);
    accept(loss.change, value);
    ++lost;
  }
  return lost;
}

}  // namespace meander::contour
