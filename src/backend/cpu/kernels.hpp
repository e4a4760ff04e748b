// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/cpu/scan_kernels.hpp"
#include "backend/cpu/stencil/kernels.hpp"
#include "engine/partial.hpp"

namespace meander::cpu {

// The loops of the contour engine, compiled once per instruction set; see engine/contour.hpp for
// what they sum. Pixels are u8, u16 or i16, and the tables have their order.

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

// The loop of contours that move, compiled once per instruction set; see engine/snake.hpp for what
// a step is.

/// Both components of a field, rows `pitch` bytes apart.
struct ForceRows {
  const std::byte *x, *y;
  std::int64_t pitch;
  std::int64_t columns, rows;
};

/// A MovingContour in plain types.
struct SnakePlan {
  std::int64_t points;
  std::int64_t origin_x, origin_y;
  bool is_open, has_fixed_ends;
  std::int64_t taps;  ///< 0 of an open contour.
  float step, balloon, tension, rigidity, normal;
  const float* weights;
};

inline constexpr std::int64_t snake_block = 64;
inline constexpr std::int64_t snake_lines = 6;  ///< Places, bends and changes, of x and y.
inline constexpr std::int64_t snake_band = 5;   ///< Weights of a point of an open contour.

/// What a contour works with: snake_lines lines of `length` numbers, whose point 0 is number
/// `margin`. The margins hold what lies beyond the ends, and before the second there is room for
/// whole blocks of the solve.
struct SnakeRoom {
  std::int64_t margin, length;
};
static inline SnakeRoom room_of(const SnakePlan& plan) {
  const std::int64_t margin = plan.taps < 2 ? 2 : plan.taps;
  return {margin, 2 * margin + (plan.points + snake_block - 1) / snake_block * snake_block};
}

struct SnakeKernels {
  /// Moves the points in lines 0 (x) and 1 (y) of `room`, which begins with zeros elsewhere.
  using Move = void (*)(const ForceRows& force, const SnakePlan& plan, std::int64_t steps,
                        float* room);
  Move move;
};

// What grids need besides steps, compiled once per instruction set; plain types only, as in
// kernels.hpp.

template <class Real>
struct GridKernels {
  /// Steps cells `first`, `first` + 2, … of a whole line with a rule of one state, `first` being 0
  /// or 1, and copies the others. `next` is `centre`, or a line that overlaps nothing that is read.
  using Relax = void (*)(const StencilLine<Real>& line, const StencilNumbers<Real>& numbers,
                         int first);
  /// By rule (null for those of several states), then of a plane or a volume.
  const Relax (*relax)[2];

  /// coarse[i] = factor · Σ of the `count` fine lines at i or, `by_pairs`, at 2i and 2i + 1, of
  /// which the last may lie beyond their `length`.
  void (*coarsen)(const Real* const* lines, int count, std::int64_t length, bool by_pairs,
                  Real factor, Real* coarse);
  /// fine[i] gets, or grows by, weight[i] · coarse[i or, in pairs, i / 2]; no weight: 1.
  void (*refine)(const Real* coarse, const Real* weight, bool by_pairs, bool add, Real* fine,
                 std::int64_t length);
};

/// States of 16 bits to float and back, a line at a time; compiled once per instruction set.
struct PackedKernels {
  using Widen = void (*)(const void* from, float* to, std::int64_t count);
  using Narrow = void (*)(const float* from, void* to, std::int64_t count);
  Widen widen_half, widen_part;  ///< Parts are of 32767; see engine/stencil.hpp.
  Narrow narrow_half, narrow_part;
};

// The row functions that are compiled once per instruction set. Plain types only: whatever a
// standard header would instantiate here could be picked by the linker for the rest of the
// program, and then crash on an older processor.

inline constexpr int pixel_type_count = 6;  // indexed by PixelType
inline constexpr int pointwise_count = 12;  // indexed by engine::Pointwise

struct Kernels {
  using ConvertRow = void (*)(const void* in, void* out, std::int64_t count, double scale,
                              double offset);
  using ReduceRow = void (*)(const void* in, std::int64_t count, double shift,
                             engine::Partial* partial);
  using SquaresRow = bool (*)(const void* row, std::int64_t count, engine::Partial* partial);

  /// See engine::Pointwise; the type of all is f32 or f64.
  using PointwiseRow = void (*)(const void* a, const void* b, const void* c, void* out,
                                std::int64_t count);
  /// Prefix sums as 64-bit words. Along a row; and of many lines side by side, one step: `totals`
  /// grow by the row, `out` gets them before (exclusive) or after.
  using PrefixAlong = void (*)(const void* in, void* out, std::int64_t count, bool exclusive);
  using PrefixStep = void (*)(const void* in, void* totals, void* out, std::int64_t count,
                              bool exclusive);

  const char* level;
  ConvertRow copy_row[pixel_type_count][pixel_type_count];    ///< Ignores scale and offset.
  ConvertRow affine_row[pixel_type_count][pixel_type_count];  ///< See engine::Affine.
  ReduceRow reduce_row[pixel_type_count];                     ///< Adds row - shift to `partial`.
  /// Adds squares and count alone to `partial`, or nothing when any is not finite; f32, f64.
  SquaresRow squares_row[2];
  PointwiseRow pointwise_row[pointwise_count][2];  ///< By operation; f32, f64.
  PrefixAlong prefix_along[pixel_type_count];
  PrefixStep prefix_step[pixel_type_count];
  const ScanKernels<float>* scan_float;
  const ScanKernels<double>* scan_double;
  const StencilKernels<float>* stencil_float;
  const StencilKernels<double>* stencil_double;
  const GridKernels<float>* grid_float;
  const GridKernels<double>* grid_double;
  const PackedKernels* packed;
  const ContourKernels* contour;
  const SnakeKernels* snake;
};

}  // namespace meander::cpu
