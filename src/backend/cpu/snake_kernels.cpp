// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Compiled once per instruction-set level; see kernels.hpp for what may be included here.
#include "backend/cpu/kernels.hpp"

#include "backend/cpu/vector.hpp"

namespace meander::cpu {
namespace {

using real = float;
using wide = std::int64_t;
[[gnu::always_inline]] static inline float floor(float value) { return __builtin_floorf(value); }
#define SNAKE [[gnu::always_inline]] static inline
#include "rules/snake.h"
#undef SNAKE

/// Point 0 of every line, x and y.
struct Lines {
  Lines(float* room, const SnakeRoom& size)
      : x(room + size.margin),
        y(x + size.length),
        bend_x(y + size.length),
        bend_y(bend_x + size.length),
        change_x(bend_y + size.length),
        change_y(change_x + size.length) {}
  float *x, *y;
  float *bend_x, *bend_y;
  float *change_x, *change_y;
};

/// Beyond its ends a ring goes on at the other one.
void close_ring(float* line, std::int64_t points, std::int64_t margin) {
  // In this order copies of copies are right where the ring is shorter than the margin.
  for (std::int64_t i = 0; i < margin; ++i) line[points + i] = line[i];
  for (std::int64_t i = 1; i <= margin; ++i) line[-i] = line[points - i];
}

/// Differences of differences at every point and one beyond either end.
void bend_line(const SnakePlan& plan, float* __restrict place, float* __restrict bend) {
  const std::int64_t n = plan.points;
  if (!plan.is_open) close_ring(place, n, 2);
  for (std::int64_t i = -1; i <= n; ++i) {
    bend[i] = (place[i + 1] - place[i]) - (place[i] - place[i - 1]);
  }
  if (plan.is_open) bend[-1] = bend[0] = bend[n - 1] = bend[n] = 0;
}

float force_at(const std::byte* component, std::int64_t pitch, const snake_cell& x,
               const snake_cell& y) {
  const auto* low = reinterpret_cast<const float*>(component + y.low * pitch);
  const auto* high = reinterpret_cast<const float*>(component + y.high * pitch);
  return snake_force(low[x.low], low[x.high], high[x.low], high[x.high], x.part, y.part);
}

/// The force at every point, put where its change will be.
void feel_force(const ForceRows& force, const SnakePlan& plan, const Lines& lines) {
  for (std::int64_t i = 0; i < plan.points; ++i) {
    const snake_cell x = snake_cell_of(lines.x[i], plan.origin_x, force.columns);
    const snake_cell y = snake_cell_of(lines.y[i], plan.origin_y, force.rows);
    lines.change_x[i] = force_at(force.x, force.pitch, x, y);
    lines.change_y[i] = force_at(force.y, force.pitch, x, y);
  }
}

/// Of a coordinate of point i, whose force lies in `change`.
[[gnu::always_inline]] inline void set_change(const SnakePlan& plan, std::int64_t i, float push,
                                              const float* bend, float* change) {
  const float pull = plan.step * change[i] + push;
  change[i] = snake_change(pull, bend[i - 1], bend[i], bend[i + 1], plan.tension, plan.rigidity);
}

void set_changes(const SnakePlan& plan, const float* __restrict x, const float* __restrict y,
                 const float* __restrict bend_x, const float* __restrict bend_y,
                 float* __restrict change_x, float* __restrict change_y) {
  const std::int64_t skipped = plan.is_open ? 1 : 0;
  for (std::int64_t i = skipped; i < plan.points - skipped; ++i) {
    const float out_x = plan.normal * (y[i + 1] - y[i - 1]);
    const float out_y = plan.normal * (x[i - 1] - x[i + 1]);
    const float push = plan.balloon * snake_unit(out_x, out_y);
    set_change(plan, i, push * out_x, bend_x, change_x);
    set_change(plan, i, push * out_y, bend_y, change_y);
  }
}

void set_end(const SnakePlan& plan, const Lines& lines, std::int64_t i) {
  set_change(plan, i, 0, lines.bend_x, lines.change_x);
  set_change(plan, i, 0, lines.bend_y, lines.change_y);
  if (plan.has_fixed_ends) lines.change_x[i] = lines.change_y[i] = 0;
}

constexpr int lanes = vector_lanes<float>;
/// Sums of so many vectors stay in registers while the taps pass over them.
constexpr int sums_held = 4;
static_assert(snake_block % (sums_held * lanes) == 0);

[[gnu::always_inline]] inline void add_smoothed(const SnakePlan& plan, const float* change,
                                                float* place) {
  Vector<float> sum[sums_held];
  unrolled<sums_held>([&](auto part) __attribute__((always_inline)) {
    sum[part] = plan.weights[0] * load_vector(change + part * lanes);
  });
  for (std::int64_t k = 1; k <= plan.taps; ++k) {
    const float weight = plan.weights[k];
    unrolled<sums_held>([&](auto part) __attribute__((always_inline)) {
      const float* at = change + part * lanes;
      sum[part] += weight * (load_vector(at - k) + load_vector(at + k));
    });
  }
  unrolled<sums_held>([&](auto part) __attribute__((always_inline)) {
    float* to = place + part * lanes;
    store_vector(to, load_vector(to) + sum[part]);
  });
}

/// The last sums reach beyond the last point, where nothing counts.
void solve_ring(const SnakePlan& plan, std::int64_t margin, float* change, float* place) {
  close_ring(change, plan.points, margin);
  for (std::int64_t i = 0; i < plan.points; i += sums_held * lanes) {
    add_smoothed(plan, change + i, place + i);
  }
}

/// Numbers of both coordinates, whose recursions then wait together.
struct Two {
  float x, y;
};

void solve_band(const SnakePlan& plan, const Lines& lines) {
  Two one{}, two{};  // those of the point passed last and of the one before it
  const auto keep = [&](std::int64_t i, Two now) {
    lines.change_x[i] = now.x;
    lines.change_y[i] = now.y;
    two = one;
    one = now;
  };
  for (std::int64_t i = 0; i < plan.points; ++i) {
    const float* w = plan.weights + snake_band * i;
    keep(i, {(lines.change_x[i] - w[1] * one.x) - w[0] * two.x,
             (lines.change_y[i] - w[1] * one.y) - w[0] * two.y});
  }
  one = two = {};
  for (std::int64_t i = plan.points - 1; i >= 0; --i) {
    const float* w = plan.weights + snake_band * i;
    keep(i, {((lines.change_x[i] - w[3] * one.x) - w[4] * two.x) * w[2],
             ((lines.change_y[i] - w[3] * one.y) - w[4] * two.y) * w[2]});
  }
  for (std::int64_t i = 0; i < plan.points; ++i) {
    lines.x[i] += lines.change_x[i];
    lines.y[i] += lines.change_y[i];
  }
}

void move(const ForceRows& force, const SnakePlan& plan, std::int64_t steps, float* room) {
  const SnakeRoom size = room_of(plan);
  const Lines lines(room, size);
  for (std::int64_t step = 0; step < steps; ++step) {
    feel_force(force, plan, lines);
    bend_line(plan, lines.x, lines.bend_x);
    bend_line(plan, lines.y, lines.bend_y);
    set_changes(plan, lines.x, lines.y, lines.bend_x, lines.bend_y, lines.change_x, lines.change_y);
    if (plan.is_open) {
      set_end(plan, lines, 0);
      if (plan.points > 1) set_end(plan, lines, plan.points - 1);
      solve_band(plan, lines);
    } else {
      solve_ring(plan, size.margin, lines.change_x, lines.x);
      solve_ring(plan, size.margin, lines.change_y, lines.y);
    }
  }
}

}  // namespace

namespace MEANDER_ISA {

extern const SnakeKernels snake_kernels;
const SnakeKernels snake_kernels = {move};

}  // namespace MEANDER_ISA
}  // namespace meander::cpu
