// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <algorithm>

#include "contour/spots.hpp"

namespace meander::contour {

/// Calls f(column, row) for the cells of a finer grid under a spot and so many around it.
template <class F>
void for_cells(const CellGrid& grid, const Spot& spot, std::int64_t around, F f) {
  const std::int64_t factor = spot.block / grid.block;
  for (const CellRun& run : spot.runs) {
    const std::int64_t top = std::max<std::int64_t>(run.row * factor - around, 0);
    const std::int64_t bottom = std::min((run.row + 1) * factor + around, grid.rows);
    const std::int64_t left = std::max<std::int64_t>(run.begin * factor - around, 0);
    const std::int64_t right = std::min(run.end * factor + around, grid.columns);
    for (std::int64_t y = top; y < bottom; ++y) {
      for (std::int64_t x = left; x < right; ++x) f(x, y);
    }
  }
}

/// Some cells of a grid.
class CellSet {
 public:
  explicit CellSet(const CellGrid& grid)
      : grid_(&grid), holds_(static_cast<std::size_t>(grid.size()), false) {}

  const CellGrid& grid() const { return *grid_; }
  void add(std::int64_t x, std::int64_t y) { holds_[index(x, y)] = true; }
  bool holds(std::int64_t x, std::int64_t y) const { return holds_[index(x, y)]; }
  std::int64_t size() const { return std::count(holds_.begin(), holds_.end(), true); }
  /// Whether it holds a part of a cell of another grid.
  bool meets(const CellGrid& other, std::int64_t x, std::int64_t y) const {
    const auto first = [&](std::int64_t cell, std::int64_t cells) {
      return std::min(cell * other.block / grid_->block, cells - 1);
    };
    const auto end = [&](std::int64_t cell, std::int64_t cells) {
      return std::min(((cell + 1) * other.block - 1) / grid_->block + 1, cells);
    };
    for (std::int64_t j = first(y, grid_->rows); j < end(y, grid_->rows); ++j) {
      for (std::int64_t i = first(x, grid_->columns); i < end(x, grid_->columns); ++i) {
        if (holds(i, j)) return true;
      }
    }
    return false;
  }

 private:
  std::size_t index(std::int64_t x, std::int64_t y) const {
    return static_cast<std::size_t>(y * grid_->columns + x);
  }

  const CellGrid* grid_;
  std::vector<bool> holds_;
};

}  // namespace meander::contour
