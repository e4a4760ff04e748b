// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Plain: one thread a cell, one launch a half sweep. A cell of one colour looks at itself and at
// cells of the other, so the launch may write where it reads.
#include "backend/cuda/cells.cuh"

namespace meander::cuda {
namespace {

template <class Real>
__global__ void clear_cells(Layout state) {
  const std::int64_t x = thread_index();
  if (x >= state.width) return;
  for (std::int64_t row = blockIdx.y; row < state.height * state.depth; row += gridDim.y) {
    reinterpret_cast<Real*>(row_of(state, row))[x] = 0;
  }
}

/// `colour` is 0 for red cells, x + y + z even, and 1 for black ones.
template <class Rule, class Real>
__global__ void relax_cells(Layout state, Layout fields, int colour, Numbers<Real> n) {
  for (std::int64_t row = blockIdx.y; row < state.height * state.depth; row += gridDim.y) {
    const std::int64_t y = row % state.height, z = row / state.height;
    const std::int64_t x = 2 * thread_index() + ((y + z + colour) & 1);
    if (x >= state.width) continue;
    Real next[4];
    next_of<Rule, Real>(state, fields, n, x, y, z, next);
    pixel_at<Real>(state, 0, x, y, z) = next[0];
  }
}

template <class Real>
using RelaxKernel = void (*)(Layout, Layout, int, Numbers<Real>);

/// Null for rules of several states.
template <class Rule, class Real>
constexpr RelaxKernel<Real> kernel_of() {
  if constexpr (Rule::states == 1) {
    return relax_cells<Rule, Real>;
  } else {
    return nullptr;
  }
}

template <class Real>
cudaError_t launch(cudaStream_t stream, int rule, const Layout& state, const Layout& fields,
                   int colour, const StepNumbers& numbers) {
  constexpr RelaxKernel<Real> kernels[] = {
#define MEANDER_RULE(name, states, around, fields, parameters) kernel_of<rule_##name, Real>(),
#include "rules/table.inc"
#undef MEANDER_RULE
  };
  if (kernels[rule] == nullptr) return cudaErrorInvalidValue;
  const dim3 grid = cell_grid((state.width + 1) / 2, state.height * state.depth);
  kernels[rule]<<<grid, line_threads, 0, stream>>>(state, fields, colour, Numbers<Real>(numbers));
  return cudaGetLastError();
}

}  // namespace

cudaError_t launch_clear(cudaStream_t stream, int type, const Layout& state) {
  const dim3 grid = cell_grid(state.width, state.height * state.depth);
  const auto kernel = is_double(type) ? clear_cells<double> : clear_cells<float>;
  kernel<<<grid, line_threads, 0, stream>>>(state);
  return cudaGetLastError();
}

cudaError_t launch_half_sweep(cudaStream_t stream, int type, int rule, const Layout& state,
                              const Layout& fields, int colour, const StepNumbers& numbers) {
  const auto of_type = is_double(type) ? launch<double> : launch<float>;
  return of_type(stream, rule, state, fields, colour, numbers);
}

}  // namespace meander::cuda
