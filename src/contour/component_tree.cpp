// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/component_tree.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <queue>

#include "contour/component_sums.hpp"

namespace meander::contour {
namespace {

/// A basin, or what two of them have become at a saddle.
struct Group {
  std::array<Index, 2> children{none, none};
  Index zone = none;   ///< Of a basin.
  Index until = none;  ///< Where it meets another group; none: never.
  Cut best;            ///< Above the saddle where it meets another; then also below it.
  Sums at_saddle;
  std::vector<Index> below;  ///< Cells that it has below the saddle, by rank.
  double tried_to_fill = 0;
  double saved = 0;  ///< By the best of it or its children, and how many objects that is.
  std::int64_t objects = 0;
  double worth = 0;  ///< The best of it or its children.
  double fit_of_object = 1;
  bool is_object = false;
};

class Tree {
 public:
  Tree(Components& components, std::size_t part)
      : image_(components.image),
        sign_(components.sign),
        constants_(components.constants),
        cost_(components.cost),
        judge_(components.noise, components.constants, components.cost, components.fewest_cells,
               components.least_contrast),
        around_(components.around),
        order_(std::move(components.parts[part])),
        rank_(components.rank) {
    sort_cells();
    flood();
    owner_.assign(order_.size(), none);
    state_.assign(order_.size(), State::unknown);
  }

  std::vector<Candidate> best() {
    for (std::size_t g = 0; g < groups_.size(); ++g) judge(static_cast<Index>(g));
    std::vector<Candidate> found;
    std::vector<bool> is_hidden(groups_.size(), false);
    for (std::size_t g = groups_.size(); g-- > 0;) {
      const Group& group = groups_[g];
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

 private:
  /// A component while the image is flooded from above.
  struct Component {
    float peak = 0;
    Index group = none;
    Sums sums;
    Cut best;
  };

  float level(Index rank) const { return sign_ * image_.smooth[at(order_[at(rank)])]; }
  std::int64_t column(Index cell) const { return cell % image_.columns; }
  std::int64_t row(Index cell) const { return cell / image_.columns; }

  /// From the highest, in an order that does not depend on the sorting.
  void sort_cells() {
    struct Key {
      std::uint32_t key;
      Index cell;
    };
    std::vector<Key> keys, other(order_.size());
    for (const Index cell : order_) {
      keys.push_back({~std::bit_cast<std::uint32_t>(sign_ * image_.smooth[at(cell)]), cell});
    }
    // Two passes over the upper 22 of the 31 bits that positive numbers have: 14 of the mantissa.
    for (const int shift : {9, 20}) {
      std::vector<std::size_t> first(2049, 0);
      for (const Key& key : keys) ++first[((key.key >> shift) & 2047U) + 1];
      std::partial_sum(first.begin(), first.end(), first.begin());
      for (const Key& key : keys) other[first[(key.key >> shift) & 2047U]++] = key;
      keys.swap(other);
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
      order_[i] = keys[i].cell;
      rank_[at(keys[i].cell)] = static_cast<Index>(i);
    }
  }

  Index group_of(Component& component, Index zone) {
    if (component.group == none) {
      component.group = static_cast<Index>(groups_.size());
      groups_.push_back({.zone = zone});
    }
    return component.group;
  }

  /// A component ends as it is where it meets another.
  Index ended(Component& component, Index zone, Index rank) {
    const Index number = group_of(component, zone);
    Group& group = groups_[at(number)];
    group.until = rank;
    group.best = component.best;
    group.at_saddle = component.sums;
    return number;
  }

  /// `second` becomes part of `first` at a cell.
  void unite(Component& first, Index first_cell, Component& second, Index second_cell, Index rank) {
    const float saddle = level(rank);
    const bool is_first = judge_.stands_above(first.sums, static_cast<double>(saddle));
    const bool is_second = judge_.stands_above(second.sums, static_cast<double>(saddle));
    const Index a = root(alias_, zone_[at(first_cell)]), b = root(alias_, zone_[at(second_cell)]);
    if (is_first && is_second) {
      const std::array<Index, 2> children{ended(first, a, rank), ended(second, b, rank)};
      first.group = static_cast<Index>(groups_.size());
      groups_.push_back({.children = children});
      first.best = {};
    } else if (is_second || (!is_first && second.peak > first.peak)) {
      alias_[at(a)] = b;
      first.group = second.group;
      first.best = second.best;
    } else {
      alias_[at(b)] = a;
    }
    first.peak = std::max(first.peak, second.peak);
    first.sums += second.sums;
  }

  /// A cell becomes part of a component that holds all its neighbours that are higher.
  template <class IsInside>
  void add_cell(Index cell, Sums& sums, IsInside is_inside) const {
    const std::int64_t x = column(cell), y = row(cell);
    const auto dx = static_cast<double>(x), dy = static_cast<double>(y);
    sums.n += 1, sums.level += static_cast<double>(sign_ * image_.cells[at(cell)]);
    sums.x += dx, sums.y += dy, sums.xx += dx * dx, sums.yy += dy * dy, sums.xy += dx * dy;
    for (std::size_t d = 0; d < 4; ++d) {
      const std::int64_t nx = x + step_x[d], ny = y + step_y[d];
      if (nx < 0 || ny < 0 || nx >= image_.columns || ny >= image_.rows) {
        sums.frame += 1, sums.borders |= 1U << d;
        continue;
      }
      const bool is_gone = is_inside(static_cast<Index>(ny * image_.columns + nx));
      const double around = is_gone ? around_(nx, ny, d ^ 1U) : around_(x, y, d);
      const double sign = is_gone ? -1 : 1;
      sums.sides += sign;
      sums.around += sign * around;
      sums.around_squares += sign * around * around;
    }
  }

  /// Cells come in the order of their levels, from all over the image: memory is asked for early.
  static constexpr Index ahead = 12;
  void fetch(Index rank) const {
    if (at(rank) >= order_.size()) return;
    const auto cell = static_cast<std::int64_t>(order_[at(rank)]);
    for (const std::int64_t near : {cell - image_.columns, cell, cell + image_.columns}) {
      if (near >= 0 && near < image_.size()) __builtin_prefetch(rank_.data() + near);
    }
    __builtin_prefetch(image_.cells.data() + cell);
    around_.fetch(column(order_[at(rank)]), row(order_[at(rank)]));
  }

  void flood() {
    const std::size_t count = order_.size();
    zone_.assign(count, none);
    alias_.resize(count);
    std::iota(alias_.begin(), alias_.end(), 0);
    std::vector<Index> parents(count, none), slot(count, none);
    std::vector<Component> components;
    std::vector<Index> free;
    for (Index i = 0; i < static_cast<Index>(count); ++i) {
      const Index cell = order_[at(i)];
      fetch(i + ahead);
      std::array<Index, 4> near{};
      std::size_t known = 0;
      Index highest = i;
      for_neighbours(cell, [&](Index other) {
        const Index rank = rank_[at(other)];
        if (rank == none || rank >= i) return;
        near[known++] = rank;
        highest = std::min(highest, rank);
      });
      parents[at(i)] = i;
      if (known == 0) {
        zone_[at(i)] = i;
        if (free.empty()) {
          slot[at(i)] = static_cast<Index>(components.size());
          components.emplace_back();
        } else {
          slot[at(i)] = free.back();
          free.pop_back();
          components[at(slot[at(i)])] = {};
        }
        components[at(slot[at(i)])].peak = level(i);
      } else {
        const Index first = root(parents, highest);
        parents[at(i)] = first;
        zone_[at(i)] = root(alias_, zone_[at(highest)]);
        for (std::size_t k = 0; k < known; ++k) {
          const Index second = root(parents, near[k]);
          if (second == first) continue;
          unite(components[at(slot[at(first)])], i, components[at(slot[at(second)])], near[k], i);
          parents[at(second)] = first;
          free.push_back(slot[at(second)]);
        }
      }
      Component& component = components[at(slot[at(root(parents, i))])];
      add_cell(cell, component.sums, [&](Index other) {
        const Index rank = rank_[at(other)];
        return rank != none && rank < i;
      });
      judge_.try_cut(i, component.sums, component.best);
    }
    for (Index i = 0; i < static_cast<Index>(count); ++i) {
      if (parents[at(i)] != i) continue;
      Component& component = components[at(slot[at(i)])];
      if (component.group == none && component.best.rank == none) continue;
      groups_[at(group_of(component, root(alias_, zone_[at(i)])))].best = component.best;
    }
    for (Index& zone : zone_) zone = root(alias_, zone);
    alias_.clear();
  }

  template <class F>
  void for_neighbours(Index cell, F f) const {
    const std::int64_t x = column(cell), y = row(cell);
    const auto columns = static_cast<Index>(image_.columns);
    if (x + 1 < image_.columns) f(cell + 1);
    if (x > 0) f(cell - 1);
    if (y + 1 < image_.rows) f(cell + columns);
    if (y > 0) f(cell - columns);
  }

  /// The zones of a group become its own.
  void own_zones(Index number) {
    std::vector<Index> open{number};
    while (!open.empty()) {
      const Group& group = groups_[at(open.back())];
      open.pop_back();
      if (group.zone != none) owner_[at(group.zone)] = number;
      for (const Index child : group.children) {
        if (child != none) open.push_back(child);
      }
    }
  }

  /// Cells up to a rank that hang together with a group's highest one, by rank; they are marked.
  std::vector<Index> marked_until(Index number, Index last) {
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

  /// Goes on below the saddle where it meets another, in its own zones.
  void extend(Index number) {
    Group& group = groups_[at(number)];
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

  std::vector<Index> cells_of(Index number) {
    const Group& group = groups_[at(number)];
    const Index above =
        group.until == none ? group.best.rank : std::min(group.best.rank, group.until - 1);
    std::vector<Index> cells = marked_until(number, above);
    for (const Index rank : cells) state_[at(rank)] = State::unknown;
    cells.insert(cells.end(), group.below.begin(), group.below.end());
    for (Index& cell : cells) cell = order_[at(cell)];
    return cells;
  }

  void judge(Index number) {
    Group& group = groups_[at(number)];
    double worth_of_children = 0, saved_by_children = 0;
    for (const Index child : group.children) {
      if (child == none) continue;
      const Group& part = groups_[at(child)];
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

  /// The fit with holes filled, of what has a large one; 0 of others.
  double filled_fit(Index number) {
    Group& group = groups_[at(number)];
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
        std::uint8_t& there =
            kind[static_cast<std::size_t>((y - top + 1) * columns + x - left + 1)];
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

  Candidate candidate_of(Index number) {
    const Group& group = groups_[at(number)];
    return {.cells = cells_of(number),
            .threshold = static_cast<double>(level(group.best.rank)),
            .around = group.best.sums.level / group.best.sums.n - group.best.contrast,
            .contrast = group.best.contrast,
            .sides = group.best.sums.sides,
            .fit = group.fit_of_object};
  }

  static constexpr double ring_like = 0.9;

  const ScaleImage& image_;
  const float sign_;
  const FindingConstants& constants_;
  const ObjectCost& cost_;
  Judge judge_;
  const LevelsAround& around_;
  std::vector<Index> order_;         ///< Cells by rank.
  std::vector<Index>& rank_;         ///< Of every cell; none below the floor.
  std::vector<Index> zone_, alias_;  ///< By rank; a zone is named by the rank of its peak.
  std::vector<Group> groups_;        ///< Children before parents.
  std::vector<Index> owner_;         ///< Of a zone: the group that is looked at.
  enum class State : std::uint8_t { unknown, queued, inside };
  std::size_t extended_ = 0;  ///< Cells that were looked at below saddles.
  std::vector<State> state_;  ///< Of cells below the saddle, while a group is extended.
};

}  // namespace

std::vector<Candidate> best_components(Components& components, std::size_t part) {
  return Tree(components, part).best();
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
