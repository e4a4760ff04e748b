// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "contour/geometry/ring.hpp"
#include "contour/geometry/segments.hpp"
#include "contour/likelihood/criterion.hpp"
#include "contour/likelihood/sums.hpp"

namespace meander::contour {

/// Where the eight places of a node lie.
enum class Directions : std::uint8_t {
  axes,  ///< Along the axes and diagonals of the image, as published.
  edges  ///< Along both edges, the line that halves their corner, and across it: so a corner can
         ///< slide along one edge without turning it.
};

/// Eight places around `node`, `distance` grid steps away.
std::array<GridPoint, 8> places_around(GridPoint before, GridPoint node, GridPoint after,
                                       std::int64_t distance, Directions directions);

/// Where the edges before → a and b → after meet when they are drawn out beyond a and b, if that is
/// not farther away than a few times the length of a → b.
std::optional<GridPoint> meeting_point(GridPoint before, GridPoint a, GridPoint b, GridPoint after);

/// Places of values in ascending order, of equal ones as they come.
std::vector<std::size_t> ranking(const std::vector<double>& values);

/// How nodes are to move.
struct Moves {
  std::int64_t step = 1;  ///< In pixels.
  double least_gain = 0;  ///< By how much a move has to lower the criterion, at least.
  Directions directions = Directions::edges;
};

/// Where an outline may be.
struct Surroundings {
  Box limits;                            ///< Nodes stay in it, its border included.
  const Obstacles* obstacles = nullptr;  ///< The outline begins and stays off them.
};

/// Anywhere in the image and half a pixel around it.
Surroundings everywhere(const SumLevels& image);

/// An outline on its way to the least criterion, on one level of an image. Always simple; sums and
/// criterion are those of the outline at any time. All decisions are made here, from exact sums, in
/// the order of the nodes: so they do not depend on who computed the sums.
class Snake {
 public:
  /// `outline` is simple. Throws InvalidArgument when no pixel is inside or none outside. What it
  /// refers to outlives it; `evaluations` counts the changes whose criterion it and its copies ask
  /// for. What a node costs is decided here, whatever becomes of the outline.
  Snake(const SumLevels& image, const SearchLevel& level, const Criterion& criterion,
        const Surroundings& surroundings, const Polygon& outline, std::int64_t& evaluations);

  const RegionSums& inside() const { return inside_; }
  double criterion() const { return value_; }
  /// The criterion and what the nodes cost.
  double description_length() const {
    return value_ + node_cost_ * static_cast<double>(ring_.size());
  }
  double node_cost() const { return node_cost_; }
  Polygon polygon() const { return ring_.polygon(); }

  /// Offers every node eight places, first the even nodes, then the odd ones; each takes the best
  /// that lowers the criterion enough. Returns how many moved.
  std::int64_t sweep(const Moves& moves);
  /// Gives segments longer than `longest` pixels a node in their middle, of those segments that end
  /// at a node numbered `since` or more. Returns how many.
  std::int64_t insert_midpoints(double longest, int since = 0);
  /// The number of the next node that comes; numbers rise.
  int next_number() const { return ring_.numbers(); }
  /// Removes nodes while one of them raises the criterion by less than `most_rise`, and merges
  /// neighbours where their outer edges meet while that does. Returns how many nodes are gone.
  std::int64_t remove_nodes(double most_rise);
  /// See Outline::confidence.
  std::vector<double> confidence();

 private:
  /// What the eight places of a node would change. True as long as `at` is where the node and its
  /// neighbours are.
  struct Offer {
    std::array<GridPoint, 3> at;
    Directions directions = Directions::edges;
    std::int64_t step = 0;  ///< 0: unknown.
    std::size_t count = 0;
    std::array<GridPoint, 8> places;
    std::array<RegionSums, 8> changes;
  };
  /// Of the finest step, and of the last other one.
  using Offers = std::array<Offer, 2>;

  /// What would change without a node, and with one in the place of it and the next one. True as
  /// long as `at` is where the one before it, it, and the two behind it are.
  struct Losses {
    std::array<GridPoint, 4> at;
    bool is_known = false;
    RegionSums removed;
    std::optional<GridPoint> meeting;
    RegionSums merged;
  };

  /// A node that goes, or that stands for itself and the next one at another place.
  struct Loss {
    int node = 0;
    std::optional<GridPoint> merged;
    RegionSums change;
  };

  std::int64_t sweep_some(const std::vector<int>& nodes, const Moves& moves);
  Offer& offer_of(int node, std::int64_t step);
  void find_offers(const std::vector<int>& nodes, const Moves& moves);
  bool take_best(int node, const Moves& moves);
  void find_losses();
  std::vector<Loss> possible_losses();
  std::vector<int> touched_by(const Loss& loss) const;
  bool allows(const Loss& loss) const;
  std::int64_t lose_some(double most_rise);
  bool is_divided(const RegionSums& inside) const;
  /// The nearest place where it may be.
  GridPoint held_inside(GridPoint place) const;
  Change change_of(int node, std::optional<GridPoint> to) const;
  /// Overwritten by the next call.
  const std::vector<RegionSums>& sums_of(const std::vector<Change>& changes);
  void accept(const RegionSums& change, double value);

  const SumLevels* image_;
  SearchLevel level_;
  const Criterion* criterion_;
  Box limits_;
  Ring ring_;
  RegionSums inside_;
  double value_ = 0;
  double node_cost_;
  std::int64_t* evaluations_;
  // By the numbers of nodes.
  std::vector<Offers> offers_;
  std::vector<Losses> losses_;
};

}  // namespace meander::contour
