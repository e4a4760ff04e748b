// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <algorithm>
#include <vector>

#include "contour/geometry/segments.hpp"

namespace meander::contour {

/// A coarse grid of square cells over a box: which cells an edge passes through, so that a question
/// about it costs about the edges near by. Places beyond the grid belong to its outermost cells.
class EdgeGrid {
 public:
  EdgeGrid() = default;
  EdgeGrid(const Box& box, std::int64_t cells_along)
      : low_(box.low),
        along_(cells_along),
        cell_(std::max(box.high.x - box.low.x, box.high.y - box.low.y) / cells_along + 1) {}

  std::int64_t along() const { return along_; }
  std::size_t cells() const { return static_cast<std::size_t>(along_ * along_); }

  /// Calls f(cell) for the cells that an edge passes through, and some beside it, until one answers
  /// true; says whether one did.
  template <class F>
  bool any_cell(const ContourEdge& edge, F f) const {
    if (along_ == 1) return f(std::size_t{0});
    const auto [y_low, y_high] = std::minmax(edge.from.y, edge.to.y);
    const std::int64_t last = cell_of(y_high - low_.y);
    for (std::int64_t row = cell_of(y_low - low_.y); row <= last; ++row) {
      const std::int64_t top = row == 0 ? y_low : std::max(y_low, low_.y + row * cell_);
      const std::int64_t bottom = row == last ? y_high : low_.y + (row + 1) * cell_;
      const Range x = x_between(edge, top, bottom);
      for (std::int64_t column = cell_of(x.low - low_.x); column <= cell_of(x.high - low_.x);
           ++column) {
        if (f(static_cast<std::size_t>(row * along_ + column))) return true;
      }
    }
    return false;
  }

 private:
  struct Range {
    std::int64_t low, high;
  };

  /// The x that an edge has between two heights, to within one step outwards.
  static Range x_between(const ContourEdge& edge, std::int64_t y_low, std::int64_t y_high) {
    const GridPoint from = edge.from, to = edge.to;
    const auto [x_low, x_high] = std::minmax(from.x, to.x);
    if (from.y == to.y) return {x_low, x_high};
    const auto x_at = [&](std::int64_t y) {
      return from.x + (y - from.y) * (to.x - from.x) / (to.y - from.y);
    };
    const std::int64_t at_low = x_at(y_low), at_high = x_at(y_high);
    const auto [a, b] = std::minmax(at_low, at_high);
    return {std::max(a - 1, x_low), std::min(b + 1, x_high)};
  }

  std::int64_t cell_of(std::int64_t distance) const {
    return distance < 0 ? 0 : std::min(distance / cell_, along_ - 1);
  }

  GridPoint low_;
  std::int64_t along_ = 1, cell_ = 1;  ///< Number of cells along each axis, and their side.
};

/// Rings that an outline in a window may neither touch nor pass over. Does not change, so that
/// copies of an outline share it. All answers are exact.
class Obstacles {
 public:
  /// None.
  Obstacles() = default;
  /// `rings` are closed and need not live on.
  Obstacles(const Box& window, const std::vector<const Polygon*>& rings);

  bool is_empty() const { return edges_.empty() && places_.empty(); }
  /// Whether an edge has a point in common with a ring.
  bool touches(const ContourEdge& edge) const;
  /// Whether a closed outline has.
  bool touches(const Polygon& outline) const;
  /// Whether one of the rings, the i-th, has a point in common with another.
  bool touches_another(const Polygon& ring, std::size_t i) const;
  /// Whether a ring that touches no side of the triangle may lie in it: its first node does. Enough
  /// for a change of an outline that touches no ring before and after, since each ring is then on
  /// one side of it as a whole.
  bool lies_in(GridPoint a, GridPoint b, GridPoint c) const;
  /// Which rings lie within an outline that touches none.
  std::vector<bool> rings_in(const Polygon& outline) const;

 private:
  struct RingEdge {
    ContourEdge edge;
    std::size_t ring;
  };
  static std::vector<RingEdge> edges_near(const Box& window,
                                          const std::vector<const Polygon*>& rings);
  template <class F>
  bool any_touching(const ContourEdge& edge, F f) const;

  EdgeGrid grid_;
  std::vector<RingEdge> edges_;     ///< By cells; in several where it passes through several.
  std::vector<std::size_t> first_;  ///< Of each cell, and the end of the last one.
  std::vector<GridPoint> places_;   ///< A node of each ring.
};

}  // namespace meander::contour
