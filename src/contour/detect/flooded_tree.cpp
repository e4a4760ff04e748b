// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/detect/flooded_tree.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace meander::contour {

FloodedTree::FloodedTree(Components& components, std::size_t part)
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

void FloodedTree::sort_cells() {
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

Index FloodedTree::ended(Component& component, Index zone, Index rank) {
  const Index number = group_of(component, zone);
  BasinGroup& group = groups_[at(number)];
  group.until = rank;
  group.best = component.best;
  group.at_saddle = component.sums;
  return number;
}

void FloodedTree::unite(Component& first, Index first_cell, Component& second, Index second_cell,
                        Index rank) {
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

void FloodedTree::fetch(Index rank) const {
  if (at(rank) >= order_.size()) return;
  const auto cell = static_cast<std::int64_t>(order_[at(rank)]);
  for (const std::int64_t near : {cell - image_.columns, cell, cell + image_.columns}) {
    if (near >= 0 && near < image_.size()) __builtin_prefetch(rank_.data() + near);
  }
  __builtin_prefetch(image_.cells.data() + cell);
  around_.fetch(column(order_[at(rank)]), row(order_[at(rank)]));
}

void FloodedTree::flood() {
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

}  // namespace meander::contour
