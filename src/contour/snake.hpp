// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <vector>

#include "contour/changes.hpp"
#include "contour/criterion.hpp"
#include "contour/ring.hpp"

namespace meander::contour {

/// An outline on its way to the least criterion, on one level of an image. Always simple; sums and
/// criterion are those of the outline at any time. All decisions are made here, from exact sums, in
/// the order of the nodes: so they do not depend on who computed the sums.
class Snake {
 public:
  /// `outline` is simple. Throws InvalidArgument when no pixel is inside or none outside. What it
  /// refers to outlives it; `evaluations` counts the changes whose criterion it and its copies ask
  /// for.
  Snake(const SumLevels& image, const SearchLevel& level, const Criterion& criterion,
        const Polygon& outline, std::int64_t& evaluations);

  const RegionSums& inside() const { return inside_; }
  double criterion() const { return value_; }
  /// The criterion and what the nodes cost.
  double description_length() const {
    return value_ + criterion_->node_cost() * static_cast<double>(ring_.size());
  }
  std::int64_t nodes() const { return ring_.size(); }
  Polygon polygon() const { return ring_.polygon(); }

  /// Offers every node eight places at a distance of `step` pixels, first the even nodes, then the
  /// odd ones; each takes the best that lowers the criterion by more than `least_gain`. Returns how
  /// many moved.
  std::int64_t sweep(std::int64_t step, double least_gain);
  /// Gives segments longer than `longest` pixels a node in their middle. Returns how many.
  std::int64_t insert_midpoints(double longest);
  /// Removes nodes while that raises the criterion by less than a node costs. Returns how many.
  std::int64_t remove_nodes();
  /// See Outline::confidence.
  std::vector<double> confidence();

 private:
  /// What the eight places of a node would change, as long as neither it nor its neighbours move.
  struct Offer {
    std::int64_t step = 0;  ///< 0: unknown.
    std::vector<GridPoint> places;
    std::vector<RegionSums> changes;
  };

  std::int64_t sweep_some(const std::vector<int>& nodes, std::int64_t step, double least_gain);
  void find_offers(const std::vector<int>& nodes, std::int64_t step);
  bool take_best(int node, double least_gain);
  std::int64_t remove_some();
  bool is_divided(const RegionSums& inside) const;
  void forget(int node);
  Change change_of(int node, std::optional<GridPoint> to) const;
  std::vector<RegionSums> sums_of(const std::vector<Change>& changes);
  void accept(const RegionSums& change, double value);

  const SumLevels* image_;
  SearchLevel level_;
  const Criterion* criterion_;
  Ring ring_;
  RegionSums inside_;
  double value_ = 0;
  std::int64_t* evaluations_;
  std::vector<Offer> offers_;
};

}  // namespace meander::contour
