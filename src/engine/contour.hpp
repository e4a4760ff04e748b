// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>

#include "engine/view.hpp"
#include "meander/outline.hpp"

/// The contour engine: sums over the pixels inside polygons, from sums along their edges.
///
/// Every edge adds, for each row that it covers, the sums of the pixels left of where it crosses
/// the row: added where y rises along the edge, subtracted where it falls. Over all edges of a
/// polygon of positive area that makes the sums over its pixels (see Polygon), exactly: everything
/// is integer arithmetic modulo 2^64. The arithmetic of crossings is in rules/crossing.h.
///
/// The value of a pixel is that of u8 and u16, and i16 plus 32768.
namespace meander::engine {

/// Of some pixels: their number, the sum of their values and of the squares of their values. Signed
/// sums, of an edge or of a change, stand modulo 2^64.
struct RegionSums {
  std::uint64_t count = 0;
  std::uint64_t sum = 0;
  std::uint64_t squares = 0;
  friend bool operator==(const RegionSums&, const RegionSums&) = default;
  RegionSums& operator+=(const RegionSums& b) {
    count += b.count, sum += b.sum, squares += b.squares;
    return *this;
  }
  RegionSums& operator-=(const RegionSums& b) {
    count -= b.count, sum -= b.sum, squares -= b.squares;
    return *this;
  }
  friend RegionSums operator+(RegionSums a, const RegionSums& b) { return a += b; }
  friend RegionSums operator-(RegionSums a, const RegionSums& b) { return a -= b; }
};

struct ContourEdge {
  GridPoint from, to;
};

/// The closed polygon a, b, c.
struct ContourTriangle {
  GridPoint a, b, c;
};

/// Sums along the rows of a grid of cells of `block` x `block` pixels (fewer at the right and lower
/// border). The words of `sums`, which has the type f64, are 64-bit integers: 2i and 2i + 1 of a
/// row are Σz and Σz² over its first i·step cells. With a step above 1 the cells are pixels, and
/// the rest of a sum is taken from `pixels`.
struct CumulatedSums {
  View sums;
  View pixels;  ///< One channel, 2-D: u8, u16 or i16. Needed with a step above 1 only.
  Shape image;  ///< Of the pixels.
  std::int64_t block = 1;
  std::int64_t step = 1;

  std::int64_t columns() const { return (image.x + block - 1) / block; }
  std::int64_t rows() const { return (image.y + block - 1) / block; }
  std::int64_t words_in_row() const { return 2 * (columns() / step + 1); }
  /// Grid steps between the centres of neighbouring cells, and where that of the first cell is.
  std::int64_t unit() const { return grid_steps_per_pixel * block; }
  std::int64_t origin() const { return grid_steps_per_pixel / 2 * (block - 1); }
};

/// The step of the store that keeps most sums out of memory.
inline constexpr std::int64_t base_step = 32;

}  // namespace meander::engine
