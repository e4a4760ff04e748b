// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Plain: one thread a cell, one launch a step.
#include "backend/cuda/cells.cuh"

namespace meander::cuda {
namespace {

template <class Rule, class Pixel>
__global__ void step_cells(Layout in, Layout fields, Layout out, Numbers<RealOf<Pixel>> n) {
  const std::int64_t x = thread_index();
  if (x >= in.width) return;
  for (std::int64_t row = blockIdx.y; row < in.height * in.depth; row += gridDim.y) {
    const std::int64_t y = row % in.height, z = row / in.height;
    RealOf<Pixel> next[4];
    next_of<Rule, Pixel>(in, fields, n, x, y, z, next);
    for (int i = 0; i < Rule::states; ++i) {
      pixel_at<Pixel>(out, i, x, y, z) = pixel_of<Pixel>(next[i]);
    }
  }
}

template <class Pixel>
cudaError_t launch(cudaStream_t stream, int rule, const Layout& in, const Layout& fields,
                   const Layout& out, const StepNumbers& numbers) {
  using Kernel = void (*)(Layout, Layout, Layout, Numbers<RealOf<Pixel>>);
  constexpr Kernel kernels[] = {
#define MEANDER_RULE(name, states, around, fields, parameters) step_cells<rule_##name, Pixel>,
#include "rules/table.inc"
#undef MEANDER_RULE
  };
  const dim3 grid = cell_grid(in.width, in.height * in.depth);
  kernels[rule]<<<grid, line_threads, 0, stream>>>(in, fields, out,
                                                   Numbers<RealOf<Pixel>>(numbers));
  return cudaGetLastError();
}

}  // namespace

cudaError_t launch_step(cudaStream_t stream, int type, int rule, const Layout& in,
                        const Layout& fields, const Layout& out, const StepNumbers& numbers) {
  return visit(type, [&](auto pixel) {
    using Pixel = decltype(pixel);
    if constexpr (std::is_unsigned_v<Pixel>) {
      return cudaErrorInvalidValue;
    } else {
      return launch<Pixel>(stream, rule, in, fields, out, numbers);
    }
  });
}

}  // namespace meander::cuda
