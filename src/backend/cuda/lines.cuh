// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "backend/cuda/pixel.cuh"
#include "engine/ghost.hpp"

namespace meander::cuda {

/// Threads of a block; one takes a line.
constexpr int line_threads = 128;

inline unsigned blocks_for(std::int64_t items, int threads) {
  return static_cast<unsigned>((items + threads - 1) / threads);
}

__device__ inline std::int64_t thread_index() {
  return blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
}

__device__ inline char* line_of(const LineLayout& view, std::int64_t index) {
  return view.block + engine::line_offset(view.lines, index);
}

/// Calls launch(In{}, Real{}) for pixels of type `in` and arithmetic in the type `real`, f32 or
/// f64, both indices of PixelType; pairs that scan and FIR do not read are an invalid value.
template <class Launch>
cudaError_t with_line_types(int in, int real, Launch launch) {
  const auto with_real = [&](auto zero) {
    return visit(in, [&](auto pixel) {
      using In = decltype(pixel);
      using Real = decltype(zero);
      if constexpr (std::is_same_v<In, __half> || sizeof(In) > sizeof(Real)) {
        return cudaErrorInvalidValue;
      } else {
        launch(pixel, zero);
        return cudaGetLastError();
      }
    });
  };
  return is_double(real) ? with_real(double{}) : with_real(float{});
}

}  // namespace meander::cuda
