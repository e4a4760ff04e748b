// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>

#include "backend/cpu/contour_kernels.hpp"
#include "backend/cpu/scan_kernels.hpp"
#include "backend/cpu/snake_kernels.hpp"
#include "backend/cpu/stencil/grid_kernels.hpp"
#include "backend/cpu/stencil/kernels.hpp"
#include "backend/cpu/stencil/packed_kernels.hpp"
#include "engine/partial.hpp"

/// The row functions that are compiled once per instruction set. Plain types only: whatever a
/// standard header would instantiate here could be picked by the linker for the rest of the
/// program, and then crash on an older processor.
namespace meander::cpu {

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
