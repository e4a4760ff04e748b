// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/geometry/trace.hpp"

#include <algorithm>
#include <tuple>

namespace meander::contour {
namespace {

constexpr auto no_name = static_cast<std::size_t>(-1);

bool starts_before(const Part& a, const Part& b) { return std::tie(a.y, a.x) < std::tie(b.y, b.x); }

void keep_larger(std::optional<Part>& largest, const Part& part) {
  const bool larger = !largest || part.pixels > largest->pixels ||
                      (part.pixels == largest->pixels && starts_before(part, *largest));
  if (larger) largest = part;
}

/// The root above an entry of a forest; shortens the way to it.
std::size_t root_in(std::vector<std::size_t>& parents, std::size_t at) {
  while (parents[at] != at) at = parents[at] = parents[parents[at]];
  return at;
}

}  // namespace

std::size_t Parts::part_of(std::size_t run) { return root_in(parents_, run); }

void Parts::unite(std::size_t a, std::size_t b) {
  const auto [first, later] = std::minmax({part_of(a), part_of(b)});
  parents_[later] = first;
}

void Parts::add_row(std::span<const Run> runs) {
  std::size_t i = rows_.size() > 1 ? rows_[rows_.size() - 2] : 0;
  const std::size_t first_new = rows_.back();
  for (const Run& run : runs) {
    const std::size_t added = runs_.size();
    runs_.push_back(run);
    parents_.push_back(added);
    while (i < first_new && runs_[i].end <= run.begin) ++i;
    for (std::size_t j = i; j < first_new && runs_[j].begin < run.end; ++j) {
      if (runs_[j].kind == run.kind) unite(j, added);
    }
  }
  rows_.push_back(runs_.size());
}

std::int64_t Parts::row_of(std::size_t run) const {
  return std::upper_bound(rows_.begin(), rows_.end(), run) - rows_.begin() - 1;
}

std::size_t Parts::run_at(std::int64_t x, std::int64_t y) const {
  const auto row = runs_.begin() + static_cast<std::ptrdiff_t>(rows_[static_cast<std::size_t>(y)]);
  const auto end =
      runs_.begin() + static_cast<std::ptrdiff_t>(rows_[static_cast<std::size_t>(y) + 1]);
  const auto found = std::lower_bound(
      row, end, x, [](const Run& run, std::int64_t begin) { return run.begin < begin; });
  return static_cast<std::size_t>(found - runs_.begin());
}

std::size_t LargestPart::root_of(std::size_t part) { return root_in(parents_, part); }

void LargestPart::unite(std::size_t a, std::size_t b) {
  a = root_of(a), b = root_of(b);
  if (a == b) return;
  if (starts_before(parts_[b], parts_[a])) std::swap(a, b);
  parts_[a].pixels += parts_[b].pixels;
  parents_[b] = a;
}

void LargestPart::unite_with_row_above(std::span<const Run> runs, std::size_t first_new) {
  std::size_t i = 0;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    while (i < above_.size() && above_[i].end <= runs[k].begin) ++i;
    for (std::size_t j = i; j < above_.size() && above_[j].begin < runs[k].end; ++j) {
      unite(above_[j].part, first_new + k);
    }
  }
}

void LargestPart::keep_parts_of(std::span<const Run> runs, std::size_t first_new) {
  above_.clear();
  kept_.clear();
  new_names_.assign(parts_.size(), no_name);
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const std::size_t root = root_of(first_new + k);
    if (new_names_[root] == no_name) {
      new_names_[root] = kept_.size();
      kept_.push_back(parts_[root]);
    }
    above_.push_back({runs[k], new_names_[root]});
  }
  for (std::size_t part = 0; part < first_new; ++part) {
    const bool ended = parents_[part] == part && new_names_[part] == no_name;
    if (ended) keep_larger(largest_, parts_[part]);
  }
  parts_.swap(kept_);
}

void LargestPart::add_row(std::span<const Run> runs) {
  const std::size_t first_new = parts_.size();
  for (const Run& run : runs) parts_.push_back({run.end - run.begin, run.begin, row_});
  parents_.resize(parts_.size());
  for (std::size_t part = 0; part < parts_.size(); ++part) parents_[part] = part;
  unite_with_row_above(runs, first_new);
  keep_parts_of(runs, first_new);
  ++row_;
}

std::optional<Part> LargestPart::finish() {
  for (const Part& part : parts_) keep_larger(largest_, part);
  parts_.clear(), above_.clear();
  return largest_;
}

}  // namespace meander::contour
