// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// A thread takes eight numbers of a row.
#include "backend/cuda/pixel.cuh"

namespace meander::cuda {
namespace {

template <class In, class Out, bool Identity>
__global__ void convert(Layout in, Layout out, double scale, double offset) {
  using Real =
      std::conditional_t<std::is_same_v<In, double> || std::is_same_v<Out, double>, double, float>;
  const auto mapped = [&](In value) {
    if constexpr (Identity && std::is_same_v<In, Out>) {
      return value;  // the bits, also of a NaN
    } else if constexpr (Identity) {
      return store<Out>(load<Real>(value));
    } else {
      return store<Out>(load<Real>(value) * static_cast<Real>(scale) + static_cast<Real>(offset));
    }
  };
  const std::int64_t first = first_column();
  for (std::int64_t row = first_row(); row < in.rows; row += rows_at_once()) {
    const In* from = reinterpret_cast<const In*>(row_of(in, row));
    Out* to = reinterpret_cast<Out*>(row_of(out, row));
    In loaded[columns_per_thread];
#pragma unroll
    for (int i = 0; i < columns_per_thread; ++i) {
      const std::int64_t x = first + i * row_lanes;
      if (x < in.width) loaded[i] = from[x];
    }
#pragma unroll
    for (int i = 0; i < columns_per_thread; ++i) {
      const std::int64_t x = first + i * row_lanes;
      if (x < in.width) to[x] = mapped(loaded[i]);
    }
  }
}

}  // namespace

cudaError_t launch_convert(cudaStream_t stream, int in_type, const Layout& in, int out_type,
                           const Layout& out, double scale, double offset, bool identity) {
  const RowGrid grid(in);
  visit(in_type, [&](auto from) {
    visit(out_type, [&](auto to) {
      using In = decltype(from);
      using Out = decltype(to);
      if (identity) {
        convert<In, Out, true><<<grid.blocks, grid.threads, 0, stream>>>(in, out, scale, offset);
      } else {
        convert<In, Out, false><<<grid.blocks, grid.threads, 0, stream>>>(in, out, scale, offset);
      }
    });
  });
  return cudaGetLastError();
}

}  // namespace meander::cuda
