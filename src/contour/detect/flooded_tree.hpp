// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <vector>

#include "contour/detect/component_sums.hpp"
#include "contour/detect/component_tree.hpp"

namespace meander::contour {

/// A basin, or what two of them have become at a saddle.
struct BasinGroup {
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

/// The components of a part of an image at all levels, from the highest down, and the best of them.
class FloodedTree {
 public:
  FloodedTree(Components& components, std::size_t part);

  std::vector<Candidate> best();

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
  void sort_cells();

  Index group_of(Component& component, Index zone) {
    if (component.group == none) {
      component.group = static_cast<Index>(groups_.size());
      groups_.push_back({.zone = zone});
    }
    return component.group;
  }

  /// A component ends as it is where it meets another.
  Index ended(Component& component, Index zone, Index rank);

  /// `second` becomes part of `first` at a cell.
  void unite(Component& first, Index first_cell, Component& second, Index second_cell, Index rank);

  /// A cell becomes part of a component that holds all its neighbours that are higher.
  template <class IsInside>
  void add_cell(Index cell, Sums& sums, IsInside is_inside) const;

  /// Cells come in the order of their levels, from all over the image: memory is asked for early.
  static constexpr Index ahead = 12;
  void fetch(Index rank) const;

  void flood();

  template <class F>
  void for_neighbours(Index cell, F f) const;

  /// The zones of a group become its own.
  void own_zones(Index number);

  /// Cells up to a rank that hang together with a group's highest one, by rank; they are marked.
  std::vector<Index> marked_until(Index number, Index last);

  /// Goes on below the saddle where it meets another, in its own zones.
  void extend(Index number);

  std::vector<Index> cells_of(Index number);

  void judge(Index number);

  /// The fit with holes filled, of what has a large one; 0 of others.
  double filled_fit(Index number);

  Candidate candidate_of(Index number);

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
  std::vector<BasinGroup> groups_;   ///< Children before parents.
  std::vector<Index> owner_;         ///< Of a zone: the group that is looked at.
  enum class State : std::uint8_t { unknown, queued, inside };
  std::size_t extended_ = 0;  ///< Cells that were looked at below saddles.
  std::vector<State> state_;  ///< Of cells below the saddle, while a group is extended.
};

template <class IsInside>
void FloodedTree::add_cell(Index cell, Sums& sums, IsInside is_inside) const {
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

template <class F>
void FloodedTree::for_neighbours(Index cell, F f) const {
  const std::int64_t x = column(cell), y = row(cell);
  const auto columns = static_cast<Index>(image_.columns);
  if (x + 1 < image_.columns) f(cell + 1);
  if (x > 0) f(cell - 1);
  if (y + 1 < image_.rows) f(cell + columns);
  if (y > 0) f(cell - columns);
}

}  // namespace meander::contour
