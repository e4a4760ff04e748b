// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Plain: one thread a pixel. Neighbouring threads take neighbouring pixels in memory: of one line
// along x, else of neighbouring lines.
#include "backend/cuda/lines.cuh"

namespace meander::cuda {
namespace {

template <class In, class Real>
__global__ void filter_lines(LineLayout in, LineLayout out, bool along_x, std::int64_t length,
                             std::int64_t count, const Real* weights, std::int64_t radius,
                             int border, Real border_value) {
  const std::int64_t fast = thread_index();
  if (fast >= (along_x ? length : count)) return;
  for (std::int64_t slow = blockIdx.y; slow < (along_x ? count : length); slow += gridDim.y) {
    const std::int64_t line = along_x ? slow : fast;
    const std::int64_t place = along_x ? fast : slow;
    const char* from = line_of(in, line);
    Real sum = 0;
    for (std::int64_t k = 0; k <= 2 * radius; ++k) {
      const std::int64_t index = engine::ghost_index(place - radius + k, length, border);
      const Real value =
          index < 0 ? border_value
                    : load<Real>(*reinterpret_cast<const In*>(from + index * in.lines.step));
      sum += weights[k] * value;
    }
    *reinterpret_cast<Real*>(line_of(out, line) + place * out.lines.step) = sum;
  }
}

}  // namespace

cudaError_t launch_fir(cudaStream_t stream, const LineLayout& in, const LineLayout& out,
                       bool along_x, std::int64_t length, std::int64_t count, const void* weights,
                       std::int64_t radius, int border, double border_value) {
  constexpr std::int64_t most_rows = 65535;  // of a grid; the kernel strides over the rest
  const std::int64_t slow = along_x ? count : length;
  const dim3 grid(blocks_for(along_x ? length : count, line_threads),
                  static_cast<unsigned>(slow < most_rows ? slow : most_rows));
  return with_line_types(in.type, out.type, [&](auto pixel, auto real) {
    using Real = decltype(real);
    filter_lines<decltype(pixel), Real><<<grid, line_threads, 0, stream>>>(
        in, out, along_x, length, count, static_cast<const Real*>(weights), radius, border,
        static_cast<Real>(border_value));
  });
}

}  // namespace meander::cuda
