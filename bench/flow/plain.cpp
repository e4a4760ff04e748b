// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Algorithms 1 and 2 of the paper: V <- V + mu * laplacian - (V - V0) * |V0|^2, pixel by pixel,
// with exact borders. Compiled without vectorisation, and once per instruction-set level with it.
#include "bench/flow/loops.hpp"

namespace meander::bench {
namespace {

/// Rows of one component around the row that is computed.
struct Rows {
  const float *centre, *above, *below, *before, *behind, *gradient;
  float* next;
};

/// Places of the two neighbours along an axis.
struct Neighbours {
  std::int64_t low, high;
};

Neighbours neighbours_of(std::int64_t place, std::int64_t length, bool mirror) {
  const std::int64_t last = length - 1;
  const std::int64_t inward = mirror && last > 0 ? 1 : 0;
  return {place > 0 ? place - 1 : inward, place < last ? place + 1 : last - inward};
}

[[gnu::always_inline]] inline float in_plane(const Rows& rows, std::int64_t x, Neighbours beside) {
  return rows.centre[beside.low] + rows.centre[beside.high] + rows.above[x] + rows.below[x];
}

[[gnu::always_inline]] inline float stepped(const Rows& rows, std::int64_t x, float laplacian,
                                            float squares, float mu) {
  const float v = rows.centre[x];
  return v + mu * laplacian - (v - rows.gradient[x]) * squares;
}

[[gnu::always_inline]] inline void pixel_of_plane(const Rows& u, const Rows& v, std::int64_t x,
                                                  Neighbours beside, float mu) {
  const float squares = u.gradient[x] * u.gradient[x] + v.gradient[x] * v.gradient[x];
  u.next[x] = stepped(u, x, in_plane(u, x, beside) - 4 * u.centre[x], squares, mu);
  v.next[x] = stepped(v, x, in_plane(v, x, beside) - 4 * v.centre[x], squares, mu);
}

[[gnu::always_inline]] inline float in_depth(const Rows& rows, std::int64_t x, Neighbours beside) {
  return in_plane(rows, x, beside) + rows.before[x] + rows.behind[x] - 6 * rows.centre[x];
}

[[gnu::always_inline]] inline void pixel_of_volume(const Rows& u, const Rows& v, const Rows& w,
                                                   std::int64_t x, Neighbours beside, float mu) {
  const float squares =
      u.gradient[x] * u.gradient[x] + v.gradient[x] * v.gradient[x] + w.gradient[x] * w.gradient[x];
  u.next[x] = stepped(u, x, in_depth(u, x, beside), squares, mu);
  v.next[x] = stepped(v, x, in_depth(v, x, beside), squares, mu);
  w.next[x] = stepped(w, x, in_depth(w, x, beside), squares, mu);
}

// Nothing that a row writes is read by it: the compiler cannot know, and would not vectorise.
// Clang vectorises with a test at run time.
#ifdef __clang__
#define MEANDER_NOTHING_WRITTEN_IS_READ
#else
#define MEANDER_NOTHING_WRITTEN_IS_READ _Pragma("GCC ivdep")
#endif
void row_of_plane(const Rows u, const Rows v, std::int64_t width, const FlowStep& step) {
  const auto mu = static_cast<float>(step.mu);
  const std::int64_t last = width - 1;
  pixel_of_plane(u, v, 0, neighbours_of(0, width, step.mirror), mu);
  MEANDER_NOTHING_WRITTEN_IS_READ
  for (std::int64_t x = 1; x < last; ++x) pixel_of_plane(u, v, x, {x - 1, x + 1}, mu);
  pixel_of_plane(u, v, last, neighbours_of(last, width, step.mirror), mu);
}

void row_of_volume(const Rows u, const Rows v, const Rows w, std::int64_t width,
                   const FlowStep& step) {
  const auto mu = static_cast<float>(step.mu);
  const std::int64_t last = width - 1;
  pixel_of_volume(u, v, w, 0, neighbours_of(0, width, step.mirror), mu);
  MEANDER_NOTHING_WRITTEN_IS_READ
  for (std::int64_t x = 1; x < last; ++x) pixel_of_volume(u, v, w, x, {x - 1, x + 1}, mu);
  pixel_of_volume(u, v, w, last, neighbours_of(last, width, step.mirror), mu);
}

Rows rows_at(const FlowVolumes& volumes, int component, std::int64_t y, std::int64_t z,
             bool mirror) {
  const Neighbours along_y = neighbours_of(y, volumes.height, mirror);
  const Neighbours along_z = neighbours_of(z, volumes.depth, mirror);
  const auto offset = [&](std::int64_t row, std::int64_t slice) {
    return slice * volumes.slice_pitch + row * volumes.row_pitch;
  };
  const float* field = volumes.field[component];
  return {field + offset(y, z),
          field + offset(along_y.low, z),
          field + offset(along_y.high, z),
          field + offset(y, along_z.low),
          field + offset(y, along_z.high),
          volumes.gradient[component] + offset(y, z),
          volumes.next[component] + offset(y, z)};
}

}  // namespace

namespace MEANDER_ISA {

void plain_flow_step(const FlowVolumes& volumes, const FlowStep& step) {
  for (std::int64_t z = 0; z < volumes.depth; ++z) {
    for (std::int64_t y = 0; y < volumes.height; ++y) {
      const Rows u = rows_at(volumes, 0, y, z, step.mirror);
      const Rows v = rows_at(volumes, 1, y, z, step.mirror);
      if (volumes.depth == 1) {
        row_of_plane(u, v, volumes.width, step);
      } else {
        row_of_volume(u, v, rows_at(volumes, 2, y, z, step.mirror), volumes.width, step);
      }
    }
  }
}

}  // namespace MEANDER_ISA
}  // namespace meander::bench
