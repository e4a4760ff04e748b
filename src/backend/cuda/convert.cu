// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Plain: one thread a number.
#include "backend/cuda/pixel.cuh"

namespace meander::cuda {
namespace {

template <class In, class Out, bool Identity>
__global__ void convert(Layout in, Layout out, double scale, double offset) {
  using Real =
      std::conditional_t<std::is_same_v<In, double> || std::is_same_v<Out, double>, double, float>;
  const std::int64_t x = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (x >= in.width) return;
  for (std::int64_t row = blockIdx.y; row < in.rows; row += gridDim.y) {
    const In value = reinterpret_cast<const In*>(row_of(in, row))[x];
    Out& target = reinterpret_cast<Out*>(row_of(out, row))[x];
    if constexpr (Identity && std::is_same_v<In, Out>) {
      target = value;  // the bits, also of a NaN
    } else if constexpr (Identity) {
      target = store<Out>(load<Real>(value));
    } else {
      target = store<Out>(load<Real>(value) * static_cast<Real>(scale) + static_cast<Real>(offset));
    }
  }
}

}  // namespace

cudaError_t launch_convert(cudaStream_t stream, int in_type, const Layout& in, int out_type,
                           const Layout& out, double scale, double offset, bool identity) {
  constexpr int threads = 256;
  constexpr std::int64_t most_rows = 65535;  // of a grid; the kernel strides over the rest
  const dim3 grid(static_cast<unsigned>((in.width + threads - 1) / threads),
                  static_cast<unsigned>(in.rows < most_rows ? in.rows : most_rows));
  visit(in_type, [&](auto from) {
    visit(out_type, [&](auto to) {
      using In = decltype(from);
      using Out = decltype(to);
      if (identity) {
        convert<In, Out, true><<<grid, threads, 0, stream>>>(in, out, scale, offset);
      } else {
        convert<In, Out, false><<<grid, threads, 0, stream>>>(in, out, scale, offset);
      }
    });
  });
  return cudaGetLastError();
}

}  // namespace meander::cuda
