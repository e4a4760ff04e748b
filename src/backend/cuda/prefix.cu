// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Integers are summed modulo 2^64, floats in float64. Along x 32 threads take a line, some hundred
// pixels at a time. Along y and z a block takes 16 lines in pieces, one for each of its rows of
// threads: the sums of pieces first, then every pixel from the sums of the pieces before.
#include "backend/cuda/lines.cuh"

namespace meander::cuda {
namespace {

constexpr int width = 32;              ///< Threads of a line along x.
constexpr int ahead = 8;               ///< Pixels of each of them that are under way at once.
constexpr int side = 16, pieces = 64;  ///< Lines of a block along y and z, and pieces of each.

template <class In>
using SumOf = std::conditional_t<std::is_integral_v<In>, std::uint64_t, double>;
/// Holds the sum of `width` pixels.
template <class In>
using PartOf = std::conditional_t<std::is_integral_v<In>, std::int32_t, double>;

template <class In>
__device__ SumOf<In> pixel_of(const char* from) {
  // Past what may be written: loads do not wait for stores before them.
  return static_cast<SumOf<In>>(__ldg(reinterpret_cast<const In*>(from)));
}

template <class In>
__global__ void sum_along_x(LineLayout in, LineLayout out, std::int64_t length, std::int64_t count,
                            bool inclusive) {
  using Sum = SumOf<In>;
  using Part = PartOf<In>;
  const std::int64_t index = thread_index() / width;
  if (index >= count) return;
  const int lane = threadIdx.x % width;
  const char* from = line_of(in, index);
  char* to = line_of(out, index);
  Sum before = 0;
  Part next[ahead];
  const auto fetch = [&](std::int64_t begin) {
#pragma unroll
    for (int k = 0; k < ahead; ++k) {
      const std::int64_t place = begin + k * width + lane;
      next[k] = place < length ? static_cast<Part>(pixel_of<In>(from + place * in.lines.step)) : 0;
    }
  };
  fetch(0);
  for (std::int64_t begin = 0; begin < length; begin += ahead * width) {
    Part own[ahead], sums[ahead];
#pragma unroll
    for (int k = 0; k < ahead; ++k) own[k] = sums[k] = next[k];
    fetch(begin + ahead * width);
#pragma unroll
    for (int distance = 1; distance < width; distance *= 2) {
#pragma unroll
      for (int k = 0; k < ahead; ++k) {
        const Part other = __shfl_up_sync(0xffffffffu, sums[k], distance);
        if (lane >= distance) sums[k] += other;
      }
    }
#pragma unroll
    for (int k = 0; k < ahead; ++k) {
      Part up_to = sums[k];
      if (!inclusive) {
        if constexpr (std::is_integral_v<In>) {
          up_to -= own[k];
        } else {  // a difference would be rounded twice
          up_to = __shfl_up_sync(0xffffffffu, up_to, 1);
          if (lane == 0) up_to = 0;
        }
      }
      const std::int64_t place = begin + k * width + lane;
      if (place < length)
        *reinterpret_cast<Sum*>(to + place * out.lines.step) = before + static_cast<Sum>(up_to);
      before += static_cast<Sum>(__shfl_sync(0xffffffffu, sums[k], width - 1));
    }
  }
}

template <class In>
__global__ void __launch_bounds__(side* pieces, 2)
    sum_across_x(LineLayout in, LineLayout out, std::int64_t length, std::int64_t count,
                 bool inclusive) {
  using Sum = SumOf<In>;
  __shared__ Sum of_pieces[pieces][side];
  const int lane = threadIdx.x % side, piece = threadIdx.x / side;
  const std::int64_t index = blockIdx.x * std::int64_t{side} + lane;
  const std::int64_t each = (length + pieces - 1) / pieces;
  const std::int64_t begin = piece * each, end = min(begin + each, length);
  const char* from = index < count ? line_of(in, index) : nullptr;
  Sum sum = 0;
  if (from != nullptr) {
#pragma unroll 8
    for (std::int64_t i = begin; i < end; ++i) sum += pixel_of<In>(from + i * in.lines.step);
  }
  of_pieces[piece][lane] = sum;
  __syncthreads();
  if (from == nullptr) return;
  sum = 0;
  for (int i = 0; i < piece; ++i) sum += of_pieces[i][lane];
  char* to = line_of(out, index);
#pragma unroll 8
  for (std::int64_t i = begin; i < end; ++i) {
    const Sum before = sum;
    sum += pixel_of<In>(from + i * in.lines.step);
    *reinterpret_cast<Sum*>(to + i * out.lines.step) = inclusive ? sum : before;
  }
}

}  // namespace

cudaError_t launch_prefix(cudaStream_t stream, const LineLayout& in, const LineLayout& out,
                          bool along_x, std::int64_t length, std::int64_t count, bool inclusive) {
  return with_line_types(in.type, out.type, [&](auto pixel, auto) {
    using In = decltype(pixel);
    if (along_x) {
      sum_along_x<In><<<blocks_for(count * width, line_threads), line_threads, 0, stream>>>(
          in, out, length, count, inclusive);
    } else {
      sum_across_x<In><<<blocks_for(count, side), side * pieces, 0, stream>>>(in, out, length,
                                                                              count, inclusive);
    }
  });
}

}  // namespace meander::cuda
