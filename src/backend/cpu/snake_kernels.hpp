// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstddef>
#include <cstdint>

/// The loop of contours that move, compiled once per instruction set; see engine/snake.hpp for what
/// a step is.
namespace meander::cpu {

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

}  // namespace meander::cpu
