// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// A block has a tile of pixels in shared memory, with what stands beyond the ends of lines in its
// place; a thread makes several results side by side along the line, and holds the pixels that they
// share in registers. Weights are parameters of the kernel: reading them costs nothing where they
// are multiplied.
#include "backend/cuda/lines.cuh"

namespace meander::cuda {
namespace {

/// Taps for which a tile is loaded at a time, and for which a thread reads pixels at a time.
constexpr int threads = 256, piece_taps = 64, round = 8;

template <class Real>
struct Taps {
  alignas(16) Real weights[most_taps];
  int count;
  std::int64_t first;  ///< Where the first one lies, as seen from the result.
  bool goes_on;        ///< From the sums of the launch before.
};

/// How a block lies over lines: results of neighbouring lines lie side by side in memory along y
/// and z, those of one line along x, where a warp has a line to itself.
template <class Real, bool AlongX>
struct Tile {
  static constexpr int outputs = sizeof(Real) > 4 ? 8 : 16;
  static constexpr int lines = AlongX ? 8 : 32;
  static constexpr int parts = threads / lines;   ///< Threads along a line.
  static constexpr int places = parts * outputs;  ///< Results along a line.
  static constexpr int held = places + piece_taps + round;
  /// Along x some places are left free after those of a thread, so that threads read 16 bytes each
  /// from different banks.
  static constexpr int pitch = (held + held / outputs * 4 + 3) / 4 * 4;
  static constexpr int numbers = AlongX ? lines * pitch : held * lines;
  static __device__ int at(int line, int place) {
    return AlongX ? line * pitch + place + place / outputs * 4 : place * lines + line;
  }
  /// Places [place, place + 8) of a line; along x `place` is a multiple of eight.
  static __device__ void read(Real* to, const Real* tile, int line, int place) {
    struct alignas(16) Word {
      Real numbers[16 / sizeof(Real)];
    };
    const Real* from = tile + at(line, place);
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      constexpr int in_word = 16 / sizeof(Real);
      if constexpr (AlongX) {
        if (i % in_word > 0) continue;
        const Word word = *reinterpret_cast<const Word*>(from + i);
#pragma unroll
        for (int k = 0; k < in_word; ++k) to[i + k] = word.numbers[k];
      } else {
        to[i] = from[i * lines];
      }
    }
  }
  static __device__ void wait() {
    if constexpr (AlongX) {
      __syncwarp();
    } else {
      __syncthreads();
    }
  }
};

template <class In, class Real, bool AlongX>
__global__ void __launch_bounds__(threads)
    filter_lines(LineLayout in, LineLayout out, std::int64_t length, std::int64_t count,
                 unsigned tiles, const __grid_constant__ Taps<Real> taps, int border,
                 Real border_value) {
  using T = Tile<Real, AlongX>;
  __shared__ alignas(16) Real tile[T::numbers];
  const int line = AlongX ? threadIdx.x / T::parts : threadIdx.x % T::lines;
  const int part = AlongX ? threadIdx.x % T::parts : threadIdx.x / T::lines;
  // Neighbouring blocks read from the same lines along x, else from neighbouring lines.
  const unsigned across = AlongX ? blockIdx.x / tiles : blockIdx.x % tiles;
  const unsigned along = AlongX ? blockIdx.x % tiles : blockIdx.x / tiles;
  const std::int64_t index = across * std::int64_t{T::lines} + line;
  const std::int64_t begin = along * std::int64_t{T::places};
  const bool is_there = index < count;
  const char* from = is_there ? line_of(in, index) : nullptr;
  char* to = is_there ? line_of(out, index) + begin * out.lines.step : nullptr;
  const std::int64_t in_step = AlongX ? sizeof(In) : in.lines.step;
  const std::int64_t out_step = AlongX ? sizeof(Real) : out.lines.step;
  Real sums[T::outputs] = {};
  if (taps.goes_on && is_there) {
    for (int i = 0; i < T::outputs; ++i) {
      const int place = part * T::outputs + i;
      if (begin + place < length) sums[i] = *reinterpret_cast<const Real*>(to + place * out_step);
    }
  }
#pragma unroll 1
  for (int first = 0; first < taps.count; first += piece_taps) {
    const int piece = min(piece_taps, taps.count - first), needed = T::places + piece - 1;
    const std::int64_t left = begin + taps.first + first;
    T::wait();
    const auto fill = [&](auto pixel_at) {
#pragma unroll
      for (int i = 0; i < T::outputs; ++i)
        tile[T::at(line, part + i * T::parts)] = pixel_at(part + i * T::parts);
      for (int place = T::places + part; place < needed; place += T::parts)
        tile[T::at(line, place)] = pixel_at(place);
    };
    const auto pixel = [&](std::int64_t place) {
      return load<Real>(*reinterpret_cast<const In*>(from + place * in_step));
    };
    if (is_there && left >= 0 && left + needed <= length) {
      fill([&](int place) { return pixel(left + place); });
    } else if (is_there) {
      fill([&](int place) {
        const std::int64_t source = engine::ghost_index(left + place, length, border);
        return source < 0 ? border_value : pixel(source);
      });
    }
    T::wait();
    Real window[T::outputs + round];
#pragma unroll
    for (int i = 0; i < T::outputs; i += 8) T::read(window + i, tile, line, part * T::outputs + i);
    const auto take = [&](int tap, int some) {
      T::read(window + T::outputs, tile, line, part * T::outputs + T::outputs + tap);
#pragma unroll
      for (int k = 0; k < round; ++k) {
        if (k >= some) break;
        const Real weight = taps.weights[first + tap + k];
#pragma unroll
        for (int i = 0; i < T::outputs; ++i) sums[i] = fma(weight, window[k + i], sums[i]);
      }
#pragma unroll
      for (int i = 0; i < T::outputs; ++i) window[i] = window[i + round];
    };
    int tap = 0;
#pragma unroll 1
    for (; tap + round <= piece; tap += round) take(tap, round);
    if (tap < piece) take(tap, piece - tap);
  }
  if constexpr (AlongX) {
    // Through shared memory, so that threads side by side write pixels side by side.
    T::wait();
#pragma unroll
    for (int i = 0; i < T::outputs; ++i) tile[T::at(line, part * T::outputs + i)] = sums[i];
    T::wait();
  }
  if (!is_there) return;
#pragma unroll
  for (int i = 0; i < T::outputs; ++i) {
    const int place = AlongX ? part + i * T::parts : part * T::outputs + i;
    if (begin + place < length)
      *reinterpret_cast<Real*>(to + place * out_step) = AlongX ? tile[T::at(line, place)] : sums[i];
  }
}

template <class In, class Real, bool AlongX>
cudaError_t filter(cudaStream_t stream, LineLayout in, LineLayout out, std::int64_t length,
                   std::int64_t count, const double* weights, std::int64_t all, int border,
                   double border_value) {
  using T = Tile<Real, AlongX>;
  const unsigned across = blocks_for(count, T::lines), along = blocks_for(length, T::places);
  for (std::int64_t first = 0; first < all; first += most_taps) {
    Taps<Real> taps{};
    taps.count = static_cast<int>(all - first < most_taps ? all - first : most_taps);
    taps.first = first - all / 2;
    taps.goes_on = first > 0;
    for (int i = 0; i < taps.count; ++i) taps.weights[i] = static_cast<Real>(weights[first + i]);
    filter_lines<In, Real, AlongX>
        <<<across * along, threads, 0, stream>>>(in, out, length, count, AlongX ? along : across,
                                                 taps, border, static_cast<Real>(border_value));
  }
  return cudaGetLastError();
}

}  // namespace

cudaError_t launch_fir(cudaStream_t stream, const LineLayout& in, const LineLayout& out,
                       bool along_x, std::int64_t length, std::int64_t count, const double* weights,
                       std::int64_t taps, int border, double border_value) {
  return with_line_types(in.type, out.type, [&](auto pixel, auto real) {
    using In = decltype(pixel);
    using Real = decltype(real);
    const auto start = along_x ? filter<In, Real, true> : filter<In, Real, false>;
    start(stream, in, out, length, count, weights, taps, border, border_value);
  });
}

}  // namespace meander::cuda
