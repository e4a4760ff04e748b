// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <algorithm>

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

}  // namespace meander::contour
