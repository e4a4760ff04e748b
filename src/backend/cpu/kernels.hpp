// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>

#include "engine/partial.hpp"

/// The row functions that are compiled once per instruction set. Plain types only: whatever a
/// standard header would instantiate here could be picked by the linker for the rest of the
/// program, and then crash on an older processor.
namespace meander::cpu {

inline constexpr int pixel_type_count = 6;  // indexed by PixelType

struct Kernels {
  using ConvertRow = void (*)(const void* in, void* out, std::int64_t count, double scale,
                              double offset);
  using ReduceRow = void (*)(const void* in, std::int64_t count, double shift,
                             engine::Partial* partial);

  const char* level;
  ConvertRow copy_row[pixel_type_count][pixel_type_count];    ///< Ignores scale and offset.
  ConvertRow affine_row[pixel_type_count][pixel_type_count];  ///< See engine::Affine.
  ReduceRow reduce_row[pixel_type_count];                     ///< Adds row - shift to `partial`.
};

}  // namespace meander::cpu
