// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/detect/component_tree.hpp"

#include <algorithm>
#include <bit>
#include <queue>

#include "contour/detect/flooded_tree.hpp"

namespace meander::contour {

std::vector<Candidate> FloodedTree::best() {
  for (std::size_t g = 0; g < groups_.size(); ++g) judge(static_cast<Index>(g));
  std::vector<Candidate> found;
  std::vector<bool> is_hidden(groups_.size(), false);
  for (std::size_t g = groups_.size(); g-- > 0;) {
    const BasinGroup& group = groups_[g];
    if (!is_hidden[g] && group.is_object) {
      const Sums& sums = group.best.sums;
      if (sums.frame <= constants_.frame * sums.sides &&
          std::popcount(sums.borders) <= constants_.borders) {
        found.push_back(candidate_of(static_cast<Index>(g)));
      }
      is_hidden[g] = true;
    }
    if (!is_hidden[g]) continue;
    for (const Index child : group.children) {
      if (child != none) is_hidden[at(child)] = true;
    }
  }
  return found;
}

void FloodedTree::own_zones(Index number) {
  std::vector<Index> open{number};
  while (!open.empty()) {
    const BasinGroup& group = groups_[at(open.back())];
    open.pop_back();
    if (group.zone != none) owner_[at(group.zone)] = number;
    for (const Index child : group.children) {
      if (child != none) open.push_back(child);
    }
  }
}

std::vector<Index> FloodedTree::marked_until(Index number, Index last) {
  while (groups_[at(number)].zone == none) number = groups_[at(number)].children[0];
  std::vector<Index> ranks{groups_[at(number)].zone};
  state_[at(ranks[0])] = State::inside;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    for_neighbours(order_[at(ranks[i])], [&](Index cell) {
      const Index rank = rank_[at(cell)];
      if (rank == none || rank > last || state_[at(rank)] != State::unknown) return;
      state_[at(rank)] = State::inside;
      ranks.push_back(rank);
    });
  }
  return ranks;
}

void FloodedTree::extend(Index number) {
  BasinGroup& group = groups_[at(number)];
  own_zones(number);
  const Index saddle = group.until;
  std::priority_queue<Index, std::vector<Index>, std::greater<>> events;
  std::vector<Index> grown;
  Sums sums = group.at_saddle;
  const auto is_own = [&](Index rank) { return owner_[at(zone_[at(rank)])] == number; };
  const auto is_in = [&](Index rank) {
    return rank != none && is_own(rank) && state_[at(rank)] == State::inside;
  };
  std::vector<Index> queued = marked_until(number, saddle - 1);
  const std::size_t above = queued.size();
  const auto look_around = [&](Index rank) {
    for_neighbours(order_[at(rank)], [&](Index cell) {
      const Index other = rank_[at(cell)];
      if (other == none || !is_own(other) || state_[at(other)] != State::unknown) return;
      state_[at(other)] = State::queued;
      queued.push_back(other);
      events.push(other);
    });
  };
  for (std::size_t i = 0; i < above; ++i) look_around(queued[i]);
  while (!events.empty()) {
    const Index rank = events.top();
    events.pop();
    add_cell(order_[at(rank)], sums, [&](Index other) { return is_in(rank_[at(other)]); });
    state_[at(rank)] = State::inside;
    grown.push_back(rank);
    look_around(rank);

    constexpr double beyond = 2;
    const Index before = group.best.rank;
    judge_.try_cut(rank, sums, group.best);
    const double size = before == none ? group.at_saddle.n : group.best.sums.n;
    if (group.best.rank == before && sums.n > beyond * size) break;
  }
  extended_ += queued.size();
  for (const Index rank : queued) state_[at(rank)] = State::unknown;
  while (!grown.empty() && (group.best.rank < saddle || grown.back() > group.best.rank)) {
    grown.pop_back();
  }
  group.below = std::move(grown);
}

std::vector<Index> FloodedTree::cells_of(Index number) {
  const BasinGroup& group = groups_[at(number)];
  const Index above =
      group.until == none ? group.best.rank : std::min(group.best.rank, group.until - 1);
  std::vector<Index> cells = marked_until(number, above);
  for (const Index rank : cells) state_[at(rank)] = State::unknown;
  cells.insert(cells.end(), group.below.begin(), group.below.end());
  for (Index& cell : cells) cell = order_[at(cell)];
  return cells;
}

void FloodedTree::judge(Index number) {
  BasinGroup& group = groups_[at(number)];
  double worth_of_children = 0, saved_by_children = 0;
  for (const Index child : group.children) {
    if (child == none) continue;
    const BasinGroup& part = groups_[at(child)];
    worth_of_children += part.worth, saved_by_children += part.saved;
    group.objects += part.objects;
    group.tried_to_fill = std::max(group.tried_to_fill, groups_[at(child)].tried_to_fill);
  }
  group.worth = worth_of_children, group.saved = saved_by_children;
  if (group.until != none) {
    // What is far from an object at the saddle does not become one below it.
    Cut there;
    judge_.try_cut(group.until, group.at_saddle, there);
    constexpr double hopeless = 4;
    const bool is_hopeless =
        worth_of_children > 0 &&
        hopeless * judge_.with_fit(there, group.at_saddle.fit()) < worth_of_children;
    // In a long chain of groups each would go over the same cells again.
    constexpr std::size_t most_times = 4;
    if (!is_hopeless && extended_ < most_times * order_.size()) extend(number);
  }
  if (group.best.rank == none ||
      !(group.best.saved >
        std::max(0.0, group.objects == 1 ? saved_by_children : worth_of_children)))
    return;
  double fit = group.best.sums.fit();
  if (fit < ring_like) fit = std::max(fit, filled_fit(number));
  const double worth = judge_.with_fit(group.best, fit);
  // Shape tells one object from several, not a larger one from a smaller one; nor, where it
  // cannot be told, an object from none.
  const bool is_any = cost_.is_ellipse || worth > 0;
  const bool is_more = group.objects > 1 ? worth > worth_of_children
                                         : is_any && group.best.saved > saved_by_children;
  if (!is_more || !judge_.stands_out(group.best)) return;
  group.is_object = true;
  group.objects = 1;
  group.worth = worth, group.saved = group.best.saved;
  group.fit_of_object = fit;
}

double FloodedTree::filled_fit(Index number) {
  BasinGroup& group = groups_[at(number)];
  const bool is_new = group.zone != none || group.best.sums.n > 1.25 * group.tried_to_fill;
  if (!is_new) return 0;
  group.tried_to_fill = group.best.sums.n;
  const std::vector<Index> cells = cells_of(number);
  std::int64_t left = image_.columns, right = 0, top = image_.rows, bottom = 0;
  for (const Index cell : cells) {
    left = std::min(left, column(cell)), right = std::max(right, column(cell));
    top = std::min(top, row(cell)), bottom = std::max(bottom, row(cell));
  }
  const std::int64_t columns = right - left + 3, rows = bottom - top + 3;
  constexpr std::int64_t sparsest = 16;
  if (columns * rows > sparsest * (static_cast<std::int64_t>(cells.size()) + sparsest)) return 0;
  std::vector<std::uint8_t> kind(static_cast<std::size_t>(columns * rows), 0);
  for (const Index cell : cells) {
    kind[static_cast<std::size_t>((row(cell) - top + 1) * columns + column(cell) - left + 1)] = 1;
  }
  // Other objects in it are no holes.
  for (std::int64_t y = top; y <= bottom; ++y) {
    for (std::int64_t x = left; x <= right; ++x) {
      const float here = sign_ * image_.smooth[static_cast<std::size_t>(y * image_.columns + x)];
      std::uint8_t& there = kind[static_cast<std::size_t>((y - top + 1) * columns + x - left + 1)];
      if (there == 0 && here > level(group.best.rank)) there = 2;
    }
  }
  std::vector<std::int64_t> open{0};
  kind[0] = 2;
  while (!open.empty()) {
    const std::int64_t here = open.back();
    open.pop_back();
    for (std::size_t d = 0; d < 4; ++d) {
      const std::int64_t x = here % columns + step_x[d], y = here / columns + step_y[d];
      if (x < 0 || y < 0 || x >= columns || y >= rows) continue;
      std::uint8_t& there = kind[static_cast<std::size_t>(y * columns + x)];
      if (there != 0) continue;
      there = 2;
      open.push_back(y * columns + x);
    }
  }
  Sums filled;
  for (std::int64_t i = 0; i < columns * rows; ++i) {
    if (kind[static_cast<std::size_t>(i)] == 2) continue;
    const std::int64_t column_here = i % columns, row_here = i / columns;
    const auto x = static_cast<double>(column_here), y = static_cast<double>(row_here);
    filled.n += 1, filled.x += x, filled.y += y;
    filled.xx += x * x, filled.yy += y * y, filled.xy += x * y;
  }
  constexpr double with_a_hole = 1.1;
  return filled.n > with_a_hole * group.best.sums.n ? filled.fit() : 0;
}

Candidate FloodedTree::candidate_of(Index number) {
  const BasinGroup& group = groups_[at(number)];
  return {.cells = cells_of(number),
          .threshold = static_cast<double>(level(group.best.rank)),
          .around = group.best.sums.level / group.best.sums.n - group.best.contrast,
          .contrast = group.best.contrast,
          .sides = group.best.sums.sides,
          .fit = group.fit_of_object};
}

std::vector<Candidate> best_components(Components& components, std::size_t part) {
  return FloodedTree(components, part).best();
}

std::vector<Candidate> best_components(Components components) {
  std::vector<Candidate> all;
  for (std::size_t part = 0; part < components.parts.size(); ++part) {
    std::vector<Candidate> found = best_components(components, part);
    std::move(found.begin(), found.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace meander::contour
