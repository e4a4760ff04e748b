// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <vector>

#include "contour/cells.hpp"

namespace meander::contour {

/// The level of the background all over an image: the values of tiles, and between their middles
/// what lies between them.
class Backdrop {
 public:
  /// One level for all.
  explicit Backdrop(const CellGrid& grid, double noise);
  /// With twice as many tiles along either side, in each of which the most frequent difference of
  /// what lies around it is added.
  Backdrop refined(const CellGrid& grid, double noise) const;

  std::int64_t tiles() const { return across_ * down_; }
  /// From the darkest tile to the brightest.
  double range() const;
  /// Levels of the cells of one row of a grid of the same image.
  class Rows;

 private:
  Backdrop() = default;
  /// At a part of the image's width and height.
  double level(double column, double row) const;
  double at(std::int64_t across, std::int64_t down) const {
    return levels_[static_cast<std::size_t>(down * across_ + across)];
  }

  double width_ = 1, height_ = 1;  ///< Of the image, in pixels.
  std::int64_t across_ = 1, down_ = 1;
  std::vector<double> levels_;
};

class Backdrop::Rows {
 public:
  Rows(const Backdrop& backdrop, const CellGrid& grid);
  /// One number for each of the columns [begin, end).
  void find(std::int64_t row, std::int64_t begin, std::int64_t end,
            std::vector<float>& levels) const;

 private:
  const Backdrop* backdrop_;
  const CellGrid* grid_;
  std::vector<float> across_;  ///< Of every row of tiles, at the columns of the grid.
};

/// The most frequent of some values that scatter by `noise`: the mean of those near the highest
/// place of their histogram. There is at least one.
double most_frequent(const std::vector<float>& values, double noise);

}  // namespace meander::contour
