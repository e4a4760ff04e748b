// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstddef>
#include <cstdint>

/// The loops of the contour engine, compiled once per instruction set; see engine/contour.hpp for
/// what they sum. Pixels are u8, u16 or i16, and the tables have their order.
namespace meander::cpu {

inline constexpr int contour_types = 3;
inline constexpr int contour_groups = 7;  ///< Of 1, 2, 4, … 64 pixels.

/// Rows in memory, `pitch` bytes apart.
struct PixelRows {
  const std::byte* first;
  std::int64_t pitch;
  std::int64_t columns, rows;
};

/// A CumulatedSums in plain types; without a step above 1 `pixels` has the size of the image alone.
struct SumRows {
  const std::byte* first;
  std::int64_t pitch;
  std::int64_t columns, rows;
  std::int64_t block, step, unit, origin;
  PixelRows pixels;
};

struct Corner {
  std::int64_t x, y;
};

/// Twice the area of a triangle in grid steps squared, positive when it runs from the x axis
/// towards the y axis.
static inline std::int64_t doubled_area(Corner a, Corner b, Corner c) {
  return (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
}

struct RowRange {
  std::int64_t first, end;
};

struct PixelTotals {
  std::uint64_t count, sum, squares;
};

struct ContourKernels {
  /// One row in groups of G pixels. Adds the sums of each to `blocks`, the last one of fewer pixels
  /// where the row ends so; and stores those of the pixels before every `stride` groups, from 0, in
  /// `stored`. Either may be null.
  using CumulateRow = void (*)(const void* row, std::int64_t count, std::int64_t stride,
                               std::uint64_t* stored, std::uint64_t* blocks);
  /// The part of an edge, or of a triangle, that lies in some rows.
  using SumEdge = PixelTotals (*)(const SumRows& sums, Corner from, Corner to, RowRange range);
  using SumTriangle = PixelTotals (*)(const PixelRows& image, Corner a, Corner b, Corner c,
                                      RowRange range);

  CumulateRow cumulate_row[contour_types][contour_groups];
  SumEdge sum_edge[contour_types];
  SumTriangle sum_triangle[contour_types];
};

}  // namespace meander::cpu
