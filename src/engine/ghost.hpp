// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>

#include "engine/partial.hpp"

/// Where the pixel comes from that stands beyond the end of a line. Plain types: nvcc and files
/// compiled per instruction set include it.
namespace meander::engine {

/// The values of meander::Border.
enum GhostKind : int {
  ghost_clamp = 0,
  ghost_constant = 1,
  ghost_reflect = 2,
  ghost_mirror = 3,
  ghost_periodic = 4
};

/// The index in [0, n) that stands for `i`, any integer, on a line of n >= 1 pixels; -1 where the
/// border's constant stands.
MEANDER_ON_DEVICE_TOO static inline std::int64_t ghost_index(std::int64_t i, std::int64_t n,
                                                             int kind) {
  if (i >= 0 && i < n) return i;
  if (kind == ghost_constant) return -1;
  if (kind == ghost_clamp) return i < 0 ? 0 : n - 1;
  const std::int64_t period = kind == ghost_periodic  ? n
                              : kind == ghost_reflect ? 2 * n
                              : n > 1                 ? 2 * n - 2
                                                      : 1;
  std::int64_t place = i % period;
  if (place < 0) place += period;
  if (place < n) return place;
  return kind == ghost_reflect ? period - 1 - place : period - place;
}

}  // namespace meander::engine
