// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <vector>

#include "meander/control.hpp"
#include "meander/image.hpp"

namespace meander::contour {

/// Means over blocks of `block` x `block` pixels. Only whole blocks count: rows and columns that
/// are left at the right and lower border are not looked at.
struct CellGrid {
  std::int64_t block = 1;
  std::int64_t columns = 0, rows = 0;
  double step = 1;  ///< By which means differ at least: that of grey levels over a block's pixels.
  std::vector<float> means;
  /// How many cells of the finest grid are in one of these, and the mean square of how far they are
  /// from its mean; nothing in the finest grid itself.
  std::int64_t parts = 1;
  std::vector<float> within;

  const float* row(std::int64_t y) const { return means.data() + y * columns; }
  std::int64_t size() const { return columns * rows; }
};

/// Grids from the finest to the coarsest, each with blocks of twice the side. The finest has at
/// most some four million cells, the coarsest at least eight along either side, where there are so
/// many pixels. The image is in host memory, 2-D, of type u8, u16 or i16. One pass over it.
std::vector<CellGrid> cell_grids(const Image& image, const Control& control);

/// Of the finest of them.
std::int64_t finest_cells(const Shape& image);

/// So many cells apart lie about `sample` of them, in all columns alike.
std::int64_t stride_for(const CellGrid& grid, std::int64_t sample);

/// The standard deviation of a cell: from the median of the differences between cells up to 8
/// pixels apart, which edges do not move. At least what rounding makes of it.
double noise_of(const CellGrid& grid);
/// The same from cells side by side alone.
double noise_beside(const CellGrid& grid);
/// A pixel is rounded by up to a half, with the variance of a twelfth.
double rounding_noise(const CellGrid& grid);

}  // namespace meander::contour
