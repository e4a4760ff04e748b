// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cuda_fp16.h>

#include <cstdint>
#include <type_traits>

#include "backend/cuda/kernels.hpp"
#include "engine/saturation.hpp"

namespace meander::cuda {

/// Threads of a block that works along rows, and columns that each of them takes, a warp's width
/// apart: finding a row costs more than a number.
constexpr int row_threads = 256, row_lanes = 32, columns_per_thread = 8;

/// Blocks over rows; kernels stride over those that are beyond the grid's limit. Short rows share a
/// block.
struct RowGrid {
  explicit RowGrid(const Layout& view) {
    constexpr std::int64_t most_rows = 65535;
    unsigned across = row_lanes;
    while (across < row_threads && across * columns_per_thread < view.width) across *= 2;
    const std::int64_t down = row_threads / across, columns = across * columns_per_thread;
    const std::int64_t rows = (view.rows + down - 1) / down;
    threads = dim3(across, static_cast<unsigned>(down));
    blocks = dim3(static_cast<unsigned>((view.width + columns - 1) / columns),
                  static_cast<unsigned>(rows < most_rows ? rows : most_rows));
  }
  dim3 blocks, threads;
};

/// Of a RowGrid: the first column of a thread, and the first row.
__device__ inline std::int64_t first_column() {
  const unsigned warp = threadIdx.x / row_lanes, lane = threadIdx.x % row_lanes;
  return blockIdx.x * std::int64_t{blockDim.x * columns_per_thread} +
         warp * row_lanes * columns_per_thread + lane;
}
__device__ inline std::int64_t first_row() {
  return blockIdx.y * std::int64_t{blockDim.y} + threadIdx.y;
}
__device__ inline std::int64_t rows_at_once() { return std::int64_t{gridDim.y} * blockDim.y; }

__device__ inline char* row_of(const Layout& view, std::int64_t row) {
  if (((row | view.height | view.depth) >> 31) == 0) {  // by division of 32 bits, which is fast
    const auto index = static_cast<unsigned>(row), height = static_cast<unsigned>(view.height),
               depth = static_cast<unsigned>(view.depth);
    const unsigned slice = index / height;
    return view.first + index % height * view.row_pitch + slice % depth * view.slice_pitch +
           slice / depth * view.channel_pitch;
  }
  const std::int64_t y = row % view.height;
  const std::int64_t z = row / view.height % view.depth;
  const std::int64_t c = row / view.height / view.depth;
  return view.first + y * view.row_pitch + z * view.slice_pitch + c * view.channel_pitch;
}

template <class Real, class T>
__device__ Real load(T value) {
  if constexpr (std::is_same_v<T, __half>) {
    return __half2float(value);
  } else {
    return static_cast<Real>(value);
  }
}

/// The nearest number of type T: ties to even; integers saturate and NaN becomes 0.
template <class T, class Real>
__device__ T store(Real value) {
  if constexpr (std::is_same_v<T, __half>) {
    if constexpr (std::is_same_v<Real, double>) {
      return __double2half(value);
    } else {
      return __float2half_rn(value);
    }
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(value);
  } else {
    if (isnan(value)) return 0;
    const Real rounded = rint(value);
    return static_cast<T>(static_cast<int>(
        fmin(fmax(rounded, Real(engine::Saturation<T>::low)), Real(engine::Saturation<T>::high))));
  }
}

/// Whether index `type` of PixelType is f64.
inline bool is_double(int type) { return type == 5; }

/// Calls f with a value of the C++ type that index `type` of PixelType stands for.
template <class F>
auto visit(int type, F f) {
  switch (type) {
    case 0:
      return f(std::uint8_t{});
    case 1:
      return f(std::uint16_t{});
    case 2:
      return f(std::int16_t{});
    case 3:
      return f(__half{});
    case 4:
      return f(float{});
    default:
      return f(double{});
  }
}

}  // namespace meander::cuda
