// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <span>

/// Contours that move through a field of forces, the second half of the contour engine.
///
/// One step, for every point i of a contour and each coordinate x (rules/snake.h has the
/// arithmetic):
///   t[i] = x[i+1] - x[i],  s[i] = t[i] - t[i-1]
///   r[i] = step·F(x[i], y[i]) + balloon·n[i] + tension·s[i] - rigidity·(s[i-1] - 2 s[i] + s[i+1])
///   x[i] <- x[i] + (M⁻¹ r)[i],  M = I + tension·(-s) + rigidity·(second difference of s)
/// F is bilinear between pixels. n is normal·(y[i+1] - y[i-1], x[i-1] - x[i+1]), brought nearer to
/// length 1 by snake_unit; it points outwards where the area is positive. The solve acts on the
/// change, not on the places, so nothing is lost to rounding far from the origin.
///
/// Closed contours are rings: M is circulant, and M⁻¹ r is the sum
///   w[0] r[i] + w[1] (r[i-1] + r[i+1]) + … + w[taps] (r[i-taps] + r[i+taps]),
/// added up in this order; taps <= points/2. Open contours: s and n are 0 at both ends and beyond,
/// so that tension does not draw free ends in. M is factored by the caller: five weights a point,
/// l2, l1, d, u1, u2, and
///   q[i] = (r[i] - l1[i] q[i-1]) - l2[i] q[i-2],  then from the end
///   m[i] = ((q[i] - u1[i] m[i+1]) - u2[i] m[i+2])·d[i].
/// Where the ends are fixed r is 0 there.
namespace meander::engine {

enum class ContourEnds : std::int64_t { closed, free, fixed };

struct MovingContour {
  std::int64_t first = 0;  ///< Of its points among those of the batch.
  std::int64_t points = 0;
  std::int64_t origin_x = 0, origin_y = 0;  ///< The pixel that its places count from.
  ContourEnds ends = ContourEnds::closed;
  std::int64_t first_weight = 0;  ///< Of its weights among those of the batch.
  std::int64_t taps = 0;          ///< Of a closed contour, which has one weight more.
  float step = 0, balloon = 0;
  float tension = 0, rigidity = 0;
  float normal = 0;  ///< 1 over the distance of the points on both sides of one where all are even.
  float unused = 0;  ///< So that the next contour begins where 64-bit numbers may.
};
static_assert(sizeof(MovingContour) == 80);  // as the kernels of every backend read it

inline constexpr std::int64_t weights_of_open_point = 5;

struct MovingBatch {
  std::span<const MovingContour> contours;
  std::span<const float> weights;
  std::span<float> x, y;  ///< Of all points, before and after.
  std::int64_t steps = 0;
};

}  // namespace meander::engine
