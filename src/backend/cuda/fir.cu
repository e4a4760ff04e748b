// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// A block has a tile of pixels in shared memory, with what stands beyond the ends of lines in its
// place; a thread makes `outputs` results side by side along the line, and holds the pixels that
// they share in registers. Many taps are done in pieces, in their order.
#include "backend/cuda/lines.cuh"

namespace meander::cuda {
namespace {

constexpr int outputs = 8, threads = 256, most_taps = 64;

/// How a block lies over lines: results of neighbouring lines lie side by side in memory along y
/// and z, those of one line along x.
template <bool AlongX>
struct Tile {
  static constexpr int lines = AlongX ? 8 : 32;
  static constexpr int parts = threads / lines;   ///< Threads along a line.
  static constexpr int places = parts * outputs;  ///< Results along a line.
  static constexpr int held = places + most_taps + outputs;
  /// Along x every `outputs` places one is left free, so that threads read from different banks.
  static constexpr int pitch = held + held / outputs + 1;
  static constexpr int numbers = AlongX ? lines * pitch : held * lines;
  static __device__ int at(int line, int place) {
    return AlongX ? line * pitch + place + place / outputs : place * lines + line;
  }
};

template <class In, class Real, bool AlongX>
__global__ void __launch_bounds__(threads)
    filter_lines(LineLayout in, LineLayout out, std::int64_t length, std::int64_t count,
                 unsigned tiles, const Real* weights, int taps, int border, Real border_value) {
  using T = Tile<AlongX>;
  __shared__ Real tile[T::numbers];
  __shared__ Real some_weights[most_taps];
  const int line = AlongX ? threadIdx.x / T::parts : threadIdx.x % T::lines;
  const int part = AlongX ? threadIdx.x % T::parts : threadIdx.x / T::lines;
  // Neighbouring blocks read from the same lines along x, else from neighbouring lines.
  const unsigned across = AlongX ? blockIdx.x / tiles : blockIdx.x % tiles;
  const unsigned along = AlongX ? blockIdx.x % tiles : blockIdx.x / tiles;
  const std::int64_t index = across * std::int64_t{T::lines} + line;
  const std::int64_t begin = along * std::int64_t{T::places};
  const char* from = index < count ? line_of(in, index) : nullptr;
  Real sums[outputs] = {};
  for (int first = 0; first < taps; first += most_taps) {
    const int piece = min(most_taps, taps - first);
    __syncthreads();
    if (threadIdx.x < piece) some_weights[threadIdx.x] = weights[first + threadIdx.x];
    for (int place = part; from != nullptr && place < T::places + piece - 1; place += T::parts) {
      const std::int64_t pixel =
          engine::ghost_index(begin - taps / 2 + first + place, length, border);
      tile[T::at(line, place)] =
          pixel < 0 ? border_value
                    : load<Real>(*reinterpret_cast<const In*>(from + pixel * in.lines.step));
    }
    __syncthreads();
    Real window[2 * outputs];
#pragma unroll
    for (int i = 0; i < outputs; ++i) window[i] = tile[T::at(line, part * outputs + i)];
    for (int tap = 0; tap < piece; tap += outputs) {
#pragma unroll
      for (int i = outputs; i < 2 * outputs; ++i)
        window[i] = tile[T::at(line, part * outputs + tap + i)];
#pragma unroll
      for (int k = 0; k < outputs; ++k) {
        if (tap + k >= piece) break;
        const Real weight = some_weights[tap + k];
#pragma unroll
        for (int i = 0; i < outputs; ++i) sums[i] = fma(weight, window[k + i], sums[i]);
      }
#pragma unroll
      for (int i = 0; i < outputs; ++i) window[i] = window[i + outputs];
    }
  }
  if constexpr (AlongX) {
    // Through shared memory, so that threads side by side write pixels side by side.
    __syncthreads();
#pragma unroll
    for (int i = 0; i < outputs; ++i) tile[T::at(line, part * outputs + i)] = sums[i];
    __syncwarp();
    if (index >= count) return;
    Real* to = reinterpret_cast<Real*>(line_of(out, index)) + begin;
    for (int place = part; place < T::places && begin + place < length; place += T::parts)
      to[place] = tile[T::at(line, place)];
  } else {
    if (index >= count) return;
    char* to = line_of(out, index) + (begin + part * outputs) * out.lines.step;
#pragma unroll
    for (int i = 0; i < outputs; ++i, to += out.lines.step) {
      if (begin + part * outputs + i < length) *reinterpret_cast<Real*>(to) = sums[i];
    }
  }
}

template <class In, class Real, bool AlongX>
void filter(cudaStream_t stream, LineLayout in, LineLayout out, std::int64_t length,
            std::int64_t count, const void* weights, std::int64_t radius, int border,
            double border_value) {
  using T = Tile<AlongX>;
  const unsigned across = blocks_for(count, T::lines), along = blocks_for(length, T::places);
  filter_lines<In, Real, AlongX><<<across * along, threads, 0, stream>>>(
      in, out, length, count, AlongX ? along : across, static_cast<const Real*>(weights),
      static_cast<int>(2 * radius + 1), border, static_cast<Real>(border_value));
}

}  // namespace

cudaError_t launch_fir(cudaStream_t stream, const LineLayout& in, const LineLayout& out,
                       bool along_x, std::int64_t length, std::int64_t count, const void* weights,
                       std::int64_t radius, int border, double border_value) {
  return with_line_types(in.type, out.type, [&](auto pixel, auto real) {
    using In = decltype(pixel);
    using Real = decltype(real);
    const auto start = along_x ? filter<In, Real, true> : filter<In, Real, false>;
    start(stream, in, out, length, count, weights, radius, border, border_value);
  });
}

}  // namespace meander::cuda
