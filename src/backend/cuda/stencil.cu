// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Plain: one thread a cell, one launch a step. See engine::Neighbours for what `around` sums.
#include "backend/cuda/lines.cuh"

namespace meander::cuda {
namespace {

namespace of_float {
using real = float;
__host__ __device__ inline real mad(real a, real b, real c) { return fmaf(a, b, c); }
#include "rules/every_rule.inc"
}  // namespace of_float

namespace of_double {
using real = double;
__host__ __device__ inline real mad(real a, real b, real c) { return fma(a, b, c); }
#include "rules/every_rule.inc"
}  // namespace of_double

/// Either, by the type of the arguments.
namespace rules {
using namespace of_float;
using namespace of_double;
}  // namespace rules

#define MEANDER_RULE(name, states_, around_, fields_, parameters_)                       \
  struct rule_##name {                                                                   \
    static constexpr int states = states_, around = around_, fields = fields_;           \
    template <class Real>                                                                \
    __device__ static void apply(const Real* state, const Real* sums, const Real* field, \
                                 const Real* p, Real* next) {                            \
      rules::name(state, sums, field, p, next);                                          \
    }                                                                                    \
  };
#include "rules/table.inc"
#undef MEANDER_RULE

/// StepNumbers in the type of the arithmetic.
template <class Real>
struct Numbers {
  explicit Numbers(const StepNumbers& all)
      : border(all.border),
        corner(static_cast<Real>(all.corner)),
        beyond(static_cast<Real>(all.beyond)) {
    for (int i = 0; i < 3; ++i) axis[i] = static_cast<Real>(all.axis[i]);
    for (int i = 0; i < StepNumbers::most_parameters; ++i) {
      parameters[i] = static_cast<Real>(all.parameters[i]);
    }
  }
  int border;
  Real axis[3], corner, beyond;
  Real parameters[StepNumbers::most_parameters];
};

template <class Real>
__device__ Real& number(const Layout& view, int channel, std::int64_t x, std::int64_t y,
                        std::int64_t z) {
  return reinterpret_cast<Real*>(view.first + y * view.row_pitch + z * view.slice_pitch +
                                 channel * view.channel_pitch)[x];
}

template <class Real>
__device__ Real value_at(const Layout& view, int channel, const Numbers<Real>& n, std::int64_t x,
                         std::int64_t y, std::int64_t z) {
  const std::int64_t i = engine::ghost_index(x, view.width, n.border);
  const std::int64_t j = engine::ghost_index(y, view.height, n.border);
  const std::int64_t k = engine::ghost_index(z, view.depth, n.border);
  return i < 0 || j < 0 || k < 0 ? n.beyond : number<Real>(view, channel, i, j, k);
}

/// An axis of weight 0 has no neighbours: what stands there must not count even as NaN.
template <class Real>
__device__ Real sum_around(const Layout& view, int channel, const Numbers<Real>& n, std::int64_t x,
                           std::int64_t y, std::int64_t z) {
  const auto value = [&](int dx, int dy, int dz) {
    return value_at(view, channel, n, x + dx, y + dy, z + dz);
  };
  Real sum = 0;
  if (n.axis[0] != 0) sum += n.axis[0] * (value(-1, 0, 0) + value(1, 0, 0));
  if (n.axis[1] != 0) sum += n.axis[1] * (value(0, -1, 0) + value(0, 1, 0));
  if (n.axis[2] != 0) sum += n.axis[2] * (value(0, 0, -1) + value(0, 0, 1));
  if (n.corner != 0) {
    sum += n.corner * (value(-1, -1, 0) + value(1, -1, 0) + value(-1, 1, 0) + value(1, 1, 0));
  }
  return sum;
}

template <class Rule, class Real>
__global__ void step_cells(Layout in, Layout fields, Layout out, Numbers<Real> n) {
  const std::int64_t x = thread_index();
  if (x >= in.width) return;
  for (std::int64_t row = blockIdx.y; row < in.height * in.depth; row += gridDim.y) {
    const std::int64_t y = row % in.height, z = row / in.height;
    Real state[4] = {}, around[4] = {}, field[4] = {}, next[4];
    for (int i = 0; i < Rule::states; ++i) {
      state[i] = number<Real>(in, i, x, y, z);
      if ((Rule::around >> i & 1) != 0) around[i] = sum_around(in, i, n, x, y, z);
    }
    for (int i = 0; i < Rule::fields; ++i) field[i] = number<Real>(fields, i, x, y, z);
    Rule::apply(state, around, field, n.parameters, next);
    for (int i = 0; i < Rule::states; ++i) number<Real>(out, i, x, y, z) = next[i];
  }
}

template <class Real>
void launch(cudaStream_t stream, const dim3& grid, int rule, const Layout& in, const Layout& fields,
            const Layout& out, const StepNumbers& numbers) {
  using Kernel = void (*)(Layout, Layout, Layout, Numbers<Real>);
  constexpr Kernel kernels[] = {
#define MEANDER_RULE(name, states, around, fields, parameters) step_cells<rule_##name, Real>,
#include "rules/table.inc"
#undef MEANDER_RULE
  };
  kernels[rule]<<<grid, line_threads, 0, stream>>>(in, fields, out, Numbers<Real>(numbers));
}

}  // namespace

cudaError_t launch_step(cudaStream_t stream, int type, int rule, const Layout& in,
                        const Layout& fields, const Layout& out, const StepNumbers& numbers) {
  constexpr std::int64_t most_rows = 65535;  // of a grid; the kernel strides over the rest
  const std::int64_t rows = in.height * in.depth;
  const dim3 grid(blocks_for(in.width, line_threads),
                  static_cast<unsigned>(rows < most_rows ? rows : most_rows));
  const auto of_type = is_double(type) ? launch<double> : launch<float>;
  of_type(stream, grid, rule, in, fields, out, numbers);
  return cudaGetLastError();
}

}  // namespace meander::cuda
