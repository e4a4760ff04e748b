// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Plain: one block a contour, whose threads share its points. First all changes are found, then
// they are solved: of a ring every thread adds up its own points', of an open contour one thread
// does all of a coordinate.
#include "backend/cuda/cells.cuh"

namespace meander::cuda {
namespace {

using real = float;
using wide = std::int64_t;
#define SNAKE __device__ inline
#include "rules/snake.h"
#undef SNAKE

constexpr int contour_threads = 256;

/// The numbers of one coordinate of a contour.
struct Coordinate {
  float *places, *changes;
};

/// One contour and the weights of its solve.
struct Contour {
  SnakeContour c;
  const float* weights;

  __device__ bool is_open() const { return c.ends != snake_closed; }
  __device__ bool is_end(std::int64_t i) const {
    return is_open() && (i == 0 || i == c.points - 1);
  }
  /// Of a point that lies at most two places before the first.
  __device__ std::int64_t on_ring(std::int64_t i) const { return (i + 2 * c.points) % c.points; }

  __device__ float from_to_next(const float* p, std::int64_t i) const {
    return p[on_ring(i + 1)] - p[on_ring(i)];
  }
  __device__ float bend_at(const float* p, std::int64_t i) const {
    if (is_open() && (i <= 0 || i >= c.points - 1)) return 0;
    return from_to_next(p, i) - from_to_next(p, i - 1);
  }
  /// Of a coordinate of point i on which the force and the balloon pull.
  __device__ float change_at(const float* p, std::int64_t i, float force, float push) const {
    const float pull = c.step * force + push;
    return snake_change(pull, bend_at(p, i - 1), bend_at(p, i), bend_at(p, i + 1), c.tension,
                        c.rigidity);
  }

  __device__ float smoothed(const float* changes, std::int64_t i) const {
    float sum = weights[0] * changes[i];
    for (std::int64_t k = 1; k <= c.taps; ++k) {
      const std::int64_t before = i < k ? i - k + c.points : i - k;
      const std::int64_t after = i + k < c.points ? i + k : i + k - c.points;
      sum += weights[k] * (changes[before] + changes[after]);
    }
    return sum;
  }
};

__device__ float force_at(const Layout& force, int component, const snake_cell& x,
                          const snake_cell& y) {
  const char* first = force.first + component * force.channel_pitch;
  const auto* low = reinterpret_cast<const float*>(first + y.low * force.row_pitch);
  const auto* high = reinterpret_cast<const float*>(first + y.high * force.row_pitch);
  return snake_force(low[x.low], low[x.high], high[x.low], high[x.high], x.part, y.part);
}

__device__ void find_change(const Contour& contour, const Layout& force, const Coordinate& x,
                            const Coordinate& y, std::int64_t i) {
  const SnakeContour& c = contour.c;
  const bool end = contour.is_end(i);
  const snake_cell across = snake_cell_of(x.places[i], c.origin_x, force.width);
  const snake_cell down = snake_cell_of(y.places[i], c.origin_y, force.height);
  const std::int64_t before = contour.on_ring(i - 1), after = contour.on_ring(i + 1);
  const float out_x = end ? 0 : c.normal * (y.places[after] - y.places[before]);
  const float out_y = end ? 0 : c.normal * (x.places[before] - x.places[after]);
  const float push = c.balloon * snake_unit(out_x, out_y);
  const bool rests = end && c.ends == snake_fixed;
  const float force_x = force_at(force, 0, across, down);
  const float force_y = force_at(force, 1, across, down);
  x.changes[i] = rests ? 0 : contour.change_at(x.places, i, force_x, push * out_x);
  y.changes[i] = rests ? 0 : contour.change_at(y.places, i, force_y, push * out_y);
}

__device__ void solve_band(const Contour& contour, const Coordinate& along) {
  const std::int64_t points = contour.c.points;
  float one = 0, two = 0;  // those of the point passed last and of the one before it
  for (std::int64_t i = 0; i < points; ++i) {
    const float* w = contour.weights + snake_band * i;
    const float now = (along.changes[i] - w[1] * one) - w[0] * two;
    along.changes[i] = now;
    two = one;
    one = now;
  }
  one = two = 0;
  for (std::int64_t i = points - 1; i >= 0; --i) {
    const float* w = contour.weights + snake_band * i;
    const float now = ((along.changes[i] - w[3] * one) - w[4] * two) * w[2];
    along.places[i] += now;
    two = one;
    one = now;
  }
}

__device__ void solve(const Contour& contour, const Coordinate& x, const Coordinate& y) {
  if (contour.is_open()) {
    // In different warps, so that neither waits for the other.
    if (threadIdx.x == 0) solve_band(contour, x);
    if (threadIdx.x == contour_threads - 1) solve_band(contour, y);
    return;
  }
  for (std::int64_t i = threadIdx.x; i < contour.c.points; i += contour_threads) {
    x.places[i] += contour.smoothed(x.changes, i);
    y.places[i] += contour.smoothed(y.changes, i);
  }
}

__global__ void move_contour(Layout force, SnakeNumbers all, std::int64_t steps) {
  const SnakeContour& given = all.contours[blockIdx.x];
  const Contour contour{given, all.weights + given.first_weight};
  const Coordinate x{all.x + given.first, all.change_x + given.first};
  const Coordinate y{all.y + given.first, all.change_y + given.first};
  for (std::int64_t step = 0; step < steps; ++step) {
    for (std::int64_t i = threadIdx.x; i < given.points; i += contour_threads) {
      find_change(contour, force, x, y, i);
    }
    __syncthreads();
    solve(contour, x, y);
    __syncthreads();
  }
}

}  // namespace

cudaError_t launch_move_contours(cudaStream_t stream, const Layout& force, const SnakeNumbers& all,
                                 std::int64_t count, std::int64_t steps) {
  move_contour<<<static_cast<unsigned>(count), contour_threads, 0, stream>>>(force, all, steps);
  return cudaGetLastError();
}

}  // namespace meander::cuda
