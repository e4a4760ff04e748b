// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Plain: one thread a cell of `out`, which stands for 1 or 2 cells of `in` along each axis.
#include "backend/cuda/cells.cuh"

namespace meander::cuda {
namespace {

struct Box {
  std::int64_t begin[3], end[3];
};

/// The sum of what a step makes of the cells of a box.
template <class Rule, class Real>
__device__ Real sum_of(const Layout& in, const Layout& fields, const Numbers<Real>& n,
                       const Box& box) {
  Real sum = 0;
  for (std::int64_t z = box.begin[2]; z < box.end[2]; ++z) {
    for (std::int64_t y = box.begin[1]; y < box.end[1]; ++y) {
      for (std::int64_t x = box.begin[0]; x < box.end[0]; ++x) {
        Real next[4];
        next_of<Rule, Real>(in, fields, n, x, y, z, next);
        sum += next[0];
      }
    }
  }
  return sum;
}

template <class Rule, class Real>
__global__ void apply_cells(Layout in, Layout fields, Layout out, Numbers<Real> n) {
  const std::int64_t x = thread_index();
  if (x >= out.width) return;
  const std::int64_t full[] = {factor(out.width, in.width), factor(out.height, in.height),
                               factor(out.depth, in.depth)};
  const std::int64_t sizes[] = {in.width, in.height, in.depth};
  for (std::int64_t row = blockIdx.y; row < out.height * out.depth; row += gridDim.y) {
    const std::int64_t at[] = {x, row % out.height, row / out.height};
    Box box;
    for (int axis = 0; axis < 3; ++axis) {
      const std::int64_t end = (at[axis] + 1) * full[axis];
      box.begin[axis] = at[axis] * full[axis];
      box.end[axis] = end < sizes[axis] ? end : sizes[axis];
    }
    pixel_at<Real>(out, 0, at[0], at[1], at[2]) =
        sum_of<Rule, Real>(in, fields, n, box) / static_cast<Real>(full[0] * full[1] * full[2]);
  }
}

template <class Real>
using ApplyKernel = void (*)(Layout, Layout, Layout, Numbers<Real>);

/// Null for rules of several states.
template <class Rule, class Real>
constexpr ApplyKernel<Real> kernel_of() {
  if constexpr (Rule::states == 1) {
    return apply_cells<Rule, Real>;
  } else {
    return nullptr;
  }
}

template <class Real>
cudaError_t launch(cudaStream_t stream, int rule, const Layout& in, const Layout& fields,
                   const Layout& out, const StepNumbers& numbers) {
  constexpr ApplyKernel<Real> kernels[] = {
#define MEANDER_RULE(name, states, around, fields, parameters) kernel_of<rule_##name, Real>(),
#include "rules/table.inc"
#undef MEANDER_RULE
  };
  if (kernels[rule] == nullptr) return cudaErrorInvalidValue;
  const dim3 grid = cell_grid(out.width, out.height * out.depth);
  kernels[rule]<<<grid, line_threads, 0, stream>>>(in, fields, out, Numbers<Real>(numbers));
  return cudaGetLastError();
}

}  // namespace

cudaError_t launch_apply(cudaStream_t stream, int type, int rule, const Layout& in,
                         const Layout& fields, const Layout& out, const StepNumbers& numbers) {
  const auto of_type = is_double(type) ? launch<double> : launch<float>;
  return of_type(stream, rule, in, fields, out, numbers);
}

}  // namespace meander::cuda
