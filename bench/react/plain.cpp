// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// The loop of the paper: its variables, its formula, its locals; but the border is exact. Compiled
// without vectorisation, and once per instruction-set level with it.
#include "bench/react/loops.hpp"

namespace meander::bench {
namespace {

/// The numbers of the network, as the paper has them.
struct Genes {
  float a, b, c, e, d1, d2, dt;

  float f1(float u, float v) const { return c * u - u * u * u / 3.0f - v; }
  float f2(float u, float v) const { return -e * (u - b * v + a); }
};

/// One cell; `left` and `right` are its neighbours' places.
[[gnu::always_inline]] inline float next(const float* row, const float* before, const float* after,
                                         std::int64_t x, std::int64_t left, std::int64_t right,
                                         float reaction, float d, float dt) {
  return row[x] +
         dt * (reaction + d * (row[right] + row[left] + before[x] + after[x] - 4.0f * row[x]));
}

void row_of_cells(const float* __restrict u, const float* __restrict u_before,
                  const float* __restrict u_after, const float* __restrict v,
                  const float* __restrict v_before, const float* __restrict v_after,
                  float* __restrict next_u, float* __restrict next_v, std::int64_t width,
                  const Genes genes) {
  const auto cell = [&](std::int64_t x, std::int64_t left, std::int64_t right)
      __attribute__((always_inline)) {
    next_u[x] =
        next(u, u_before, u_after, x, left, right, genes.f1(u[x], v[x]), genes.d1, genes.dt);
    next_v[x] =
        next(v, v_before, v_after, x, left, right, genes.f2(u[x], v[x]), genes.d2, genes.dt);
  };
  const std::int64_t last = width - 1;
  cell(0, 0, last > 0 ? 1 : 0);
  for (std::int64_t x = 1; x < last; ++x) cell(x, x - 1, x + 1);
  if (last > 0) cell(last, last - 1, last);
}

Genes genes_of(const ReactNetwork& network) {
  const auto number = [](double value) { return static_cast<float>(value); };
  return {number(network.a),  number(network.b),  number(network.c), number(network.e),
          number(network.d1), number(network.d2), number(network.dt)};
}

}  // namespace

namespace MEANDER_ISA {

void plain_step(const ReactLayers<float>& layers, const ReactNetwork& network, std::int64_t begin,
                std::int64_t end) {
  const Genes genes = genes_of(network);
  for (std::int64_t y = begin; y < end; ++y) {
    const std::int64_t at = y * layers.pitch;
    const std::int64_t before = y > 0 ? at - layers.pitch : at;
    const std::int64_t after = y < layers.height - 1 ? at + layers.pitch : at;
    row_of_cells(layers.u + at, layers.u + before, layers.u + after, layers.v + at,
                 layers.v + before, layers.v + after, layers.next_u + at, layers.next_v + at,
                 layers.width, genes);
  }
}

}  // namespace MEANDER_ISA
}  // namespace meander::bench
