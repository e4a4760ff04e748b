// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Plain: one thread a line. Integers are summed modulo 2^64, floats in float64.
#include "backend/cuda/lines.cuh"

namespace meander::cuda {
namespace {

template <class In>
__global__ void sum_lines(LineLayout in, LineLayout out, std::int64_t length, std::int64_t count,
                          bool inclusive) {
  using Sum = std::conditional_t<std::is_integral_v<In>, std::uint64_t, double>;
  const std::int64_t index = thread_index();
  if (index >= count) return;
  const char* from = line_of(in, index);
  char* to = line_of(out, index);
  Sum sum = 0;
  for (std::int64_t i = 0; i < length; ++i) {
    const Sum before = sum;
    sum += static_cast<Sum>(*reinterpret_cast<const In*>(from + i * in.lines.step));
    *reinterpret_cast<Sum*>(to + i * out.lines.step) = inclusive ? sum : before;
  }
}

}  // namespace

cudaError_t launch_prefix(cudaStream_t stream, const LineLayout& in, const LineLayout& out,
                          std::int64_t length, std::int64_t count, bool inclusive) {
  return with_line_types(in.type, out.type, [&](auto pixel, auto) {
    sum_lines<decltype(pixel)><<<blocks_for(count, line_threads), line_threads, 0, stream>>>(
        in, out, length, count, inclusive);
  });
}

}  // namespace meander::cuda
