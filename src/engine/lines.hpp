// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>

#include "engine/partial.hpp"

/// How the lines of a view along an axis lie in memory. Plain types: nvcc includes it, and kernels
/// of OpenCL have the same structure.
namespace meander::engine {

/// Lines are counted through so that neighbours are as close in memory as they can be: along y and
/// z the next line is the next x. Views of equal shape, but for their length along the axis, count
/// alike. Distances are in bytes.
struct Lines {
  std::int64_t offset;  ///< From the start of the block to the first pixel of the first line.
  std::int64_t step;    ///< Between the pixels of a line.
  std::int64_t inner_step, middle_step, outer_step;  ///< Between lines along the other axes.
  std::int64_t inner_count, middle_count;            ///< How many lines there are along them.
};

MEANDER_ON_DEVICE_TOO static inline std::int64_t line_offset(const Lines& lines,
                                                             std::int64_t index) {
  if (((index | lines.inner_count | lines.middle_count) >> 31) == 0) {
    // By division of 32 bits, which is several times as fast on GPUs.
    const auto place = static_cast<std::uint32_t>(index);
    const auto inner = static_cast<std::uint32_t>(lines.inner_count);
    const auto middle = static_cast<std::uint32_t>(lines.middle_count);
    const std::uint32_t plane = place / inner;
    return lines.offset + place % inner * lines.inner_step + plane % middle * lines.middle_step +
           plane / middle * lines.outer_step;
  }
  const std::int64_t plane = index / lines.inner_count;
  return lines.offset + index % lines.inner_count * lines.inner_step +
         plane % lines.middle_count * lines.middle_step +
         plane / lines.middle_count * lines.outer_step;
}

}  // namespace meander::engine
