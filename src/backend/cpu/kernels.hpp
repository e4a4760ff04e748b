// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>

/// The row functions that are compiled once per instruction set. Plain types only: whatever a
/// standard header would instantiate here could be picked by the linker for the rest of the
/// program, and then crash on an older processor.
namespace meander::cpu {

inline constexpr int pixel_type_count = 6;  // indexed by PixelType

/// Sums over part of an image. Integer pixels use the exact integers, floats the doubles.
struct Partial {
  double min, max;
  double sum, magnitudes, squares;
  std::int64_t integer_sum, integer_magnitudes, integer_squares;
  std::int64_t finite, nonfinite;
};

struct Kernels {
  using ConvertRow = void (*)(const void* in, void* out, std::int64_t count, double scale,
                              double offset);
  using ReduceRow = void (*)(const void* in, std::int64_t count, Partial* partial);

  const char* level;
  ConvertRow copy_row[pixel_type_count][pixel_type_count];    ///< Ignores scale and offset.
  ConvertRow affine_row[pixel_type_count][pixel_type_count];  ///< See engine::Affine.
  ReduceRow reduce_row[pixel_type_count];                     ///< Adds a row to `partial`.
};

}  // namespace meander::cpu
