// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// backend/lines/scan.h on the threads of CUDA: whole lines are done in stretches, several lines a
// block, and parts of lines by a thread each, with the same bits. See engine::Recurrence for what
// is computed.
#include "backend/cuda/lines.cuh"

namespace meander::cuda {
namespace {

using engine::ghost_index;
using engine::line_offset;
using lines_of_view = engine::Lines;
using lines::ScanBlock;
using lines::TypedScanNumbers;
using lines::with_form;
using uchar = char;
using uint = unsigned;

#define UNROLL _Pragma("unroll")
#define ONE_BY_ONE _Pragma("unroll 1")
#define FUNCTION static __device__ __forceinline__
#define GLOBAL
#define LOCAL
#define TABLE const
#define BARRIER __syncthreads()
#define WARP_BARRIER __syncwarp()
#define THREAD static_cast<int>(threadIdx.x)
#define THREADS static_cast<int>(blockDim.x)
#define BLOCK blockIdx.x
#define CONSTANT_BORDER engine::ghost_constant
#define PERIODIC_BORDER engine::ghost_periodic

/// Calls f with a value of the type of pixels; scans read no f16, and f64 in float64 only.
template <class Real, class F>
__device__ __forceinline__ void with_pixel(int type, F f) {
  switch (type) {
    case 0:
      return f(std::uint8_t{});
    case 1:
      return f(std::uint16_t{});
    case 2:
      return f(std::int16_t{});
    case 4:
      return f(float{});
    default:
      return f(Real{});
  }
}

template <class REAL, int STATES, bool SUM>
struct Scan {
  using lines = lines_of_view;
  using scan_numbers = TypedScanNumbers<REAL, STATES, SUM>;
  static constexpr int TYPE_OF_REAL = sizeof(REAL) == 4 ? 4 : 5;

  FUNCTION REAL pixel_at(const uchar* pixel, int type) {
    REAL value = 0;
    with_pixel<REAL>(type, [&](auto zero) {
      value = static_cast<REAL>(*reinterpret_cast<const decltype(zero)*>(pixel));
    });
    return value;
  }
  FUNCTION void load_stretch(REAL* v, const uchar* from, long step, int pixels, int type) {
    if (type == TYPE_OF_REAL && pixels == 32) {
      UNROLL for (int i = 0; i < 32; ++i, from += step) v[i] = *reinterpret_cast<const REAL*>(from);
      return;
    }
    with_pixel<REAL>(type, [&](auto zero) {
      const uchar* pixel = from;
      UNROLL for (int i = 0; i < 32; ++i, pixel += step) {
        v[i] = 0;
        if (i < pixels) v[i] = static_cast<REAL>(*reinterpret_cast<const decltype(zero)*>(pixel));
      }
    });
  }
  /// 32 threads take 32 pixels side by side, of the stretches that are theirs later on.
  template <class Pixel, class F>
  FUNCTION void for_rows(char* block, const lines& view, long first, int across, long count,
                         long length, int parts, F f) {
    const int lane = THREAD % 32, begin = THREAD - lane, all = static_cast<int>(length) / 32;
    const int rest = static_cast<int>(length) % 32;
    for (int line = begin / parts; line < across && first + line < count; ++line) {
      const int from = max(begin - line * parts, 0), to = min(begin + 32 - line * parts, parts);
      if (from >= to) break;
      Pixel* pixel =
          reinterpret_cast<Pixel*>(block + line_offset(view, first + line)) + from * 32 + lane;
      int place = (line * parts + from) * 33 + lane;
#pragma unroll 16
      for (int i = from; i < min(to, all); ++i, pixel += 32, place += 33) f(*pixel, place);
      if (to > all && lane < rest) f(*pixel, place);
    }
  }
  FUNCTION void load_rows(REAL* tile, const uchar* in, const lines& view, int type, long first,
                          int across, long count, long length, int parts) {
    with_pixel<REAL>(type, [&](auto zero) {
      for_rows<const decltype(zero)>(
          const_cast<char*>(in), view, first, across, count, length, parts,
          [&](auto pixel, int place) { tile[place] = static_cast<REAL>(pixel); });
    });
  }
  FUNCTION void store_rows(const REAL* tile, uchar* out, const lines& view, long first, int across,
                           long count, long length, int parts) {
    for_rows<REAL>(out, view, first, across, count, length, parts,
                   [&](REAL& pixel, int place) { pixel = tile[place]; });
  }

#include "backend/lines/scan.h"
};

/// Threads whose registers hold a stretch of float32 each, of a sum also its results.
template <bool Sum>
constexpr int most_threads = Sum ? 768 : 1024;

template <int States, bool Sum, bool AlongX>
__global__ void __launch_bounds__(most_threads<Sum>)
    scan_in_blocks(LineLayout in, LineLayout out, std::int64_t length, std::int64_t count,
                   int across, int parts,
                   const __grid_constant__ TypedScanNumbers<float, States, Sum> numbers) {
  extern __shared__ float room[];
  Scan<float, States, Sum>::scan_block(in.block, in.lines, in.type, out.block, out.lines, length,
                                       count, across, parts, AlongX, &numbers, room);
}

template <class Real, int States, bool Sum>
__global__ void scan_line_by_line(
    LineLayout in, LineLayout out, std::int64_t length, std::int64_t count,
    const __grid_constant__ TypedScanNumbers<Real, States, Sum> numbers) {
  const std::int64_t index = thread_index();
  if (index >= count) return;
  Scan<Real, States, Sum>::scan_line({line_of(in, index), in.lines.step, length, in.type},
                                     line_of(out, index), out.lines.step, &numbers);
}

template <class Real, int States>
struct LineState {
  __device__ LineState(const LineLayout& state, std::int64_t index)
      : place(line_of(state, index)), step(state.lines.step) {
    UNROLL for (int k = 0; k < 3 * States; ++k) numbers[k] = *at(k);
  }
  __device__ void write() const {
    UNROLL for (int k = 0; k < 3 * States; ++k) * at(k) = numbers[k];
  }
  __device__ Real* at(int k) const { return reinterpret_cast<Real*>(place + k * step); }

  char* place;
  std::int64_t step;
  Real numbers[3 * States];  ///< The state, and what stretch and span lacked.
};

template <class Real, int States, bool Sum>
__global__ void scan_part(LineLayout in, LineLayout out, LineLayout state, bool is_forward,
                          std::int64_t begin, std::int64_t whole, std::int64_t length,
                          std::int64_t count,
                          const __grid_constant__ TypedScanNumbers<Real, States, Sum> numbers) {
  const std::int64_t index = thread_index();
  if (index >= count) return;
  LineState<Real, States> own(state, index);
  Scan<Real, States, Sum>::scan_serially({line_of(in, index), in.lines.step, length, in.type},
                                         out.block == nullptr ? nullptr : line_of(out, index),
                                         out.lines.step, begin, whole, is_forward, own.numbers,
                                         own.numbers + States, own.numbers + 2 * States, &numbers);
  own.write();
}

template <class Real, int States, bool Sum>
__global__ void scan_state(LineLayout edge, LineLayout state, ScanMap map, std::int64_t count,
                           const __grid_constant__ TypedScanNumbers<Real, States, Sum> numbers) {
  using Code = Scan<Real, States, Sum>;
  const std::int64_t index = thread_index();
  if (index >= count) return;
  const Real value = Code::pixel_at(line_of(edge, index), edge.type);
  LineState<Real, States> own(state, index);
  if (map == ScanMap::start) {
    Code::scan_steady(own.numbers, value, &numbers);
  } else {
    Code::scan_map(own.numbers, value, map == ScanMap::wrap ? numbers.wrap : numbers.turn,
                   &numbers);
  }
  own.write();
}

/// Calls launch<Real, States, Sum>(), or says that the types do not go together.
template <class Launch>
cudaError_t with_scan(int in, int real, const ScanNumbers& numbers, Launch launch) {
  constexpr int f16 = 3;
  if (in == f16 || (is_double(in) && !is_double(real))) return cudaErrorInvalidValue;
  return with_form(numbers.is_sum, numbers.states, [&]<int States, bool Sum>() {
    return is_double(real) ? launch.template operator()<double, States, Sum>()
                           : launch.template operator()<float, States, Sum>();
  });
}

}  // namespace

cudaError_t launch_scan(cudaStream_t stream, const LineLayout& in, const LineLayout& out,
                        bool along_x, std::int64_t length, std::int64_t count,
                        const ScanNumbers& numbers, const BlockRoom& room) {
  return with_scan(in.type, out.type, numbers, [&]<class Real, int States, bool Sum>() {
    const TypedScanNumbers<Real, States, Sum> typed(numbers);
    ScanBlock block{};
    if constexpr (std::is_same_v<Real, float>) {
      constexpr int sector_numbers = 8, blocks_of_processor = 2;
      if (Sum || numbers.border != engine::ghost_periodic) {
        block =
            lines::scan_block_of(length, count, States, Sum, along_x,
                                 {.threads = most_threads<Sum>,
                                  .numbers = room.shared_bytes / sizeof(Real),
                                  .side_by_side = sector_numbers,
                                  .blocks = std::int64_t{blocks_of_processor} * room.processors});
      }
      if (block.threads > 0) {
        const auto kernel =
            along_x ? scan_in_blocks<States, Sum, true> : scan_in_blocks<States, Sum, false>;
        const auto bytes = static_cast<int>(block.numbers * sizeof(Real));
        constexpr int without_asking = 48 << 10;
        if (bytes > without_asking) {
          const cudaError_t code =
              cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
          if (code != cudaSuccess) return code;
        }
        kernel<<<blocks_for(count, block.across), block.threads, bytes, stream>>>(
            in, out, length, count, block.across, block.parts, typed);
        return cudaGetLastError();
      }
    }
    scan_line_by_line<Real, States, Sum>
        <<<blocks_for(count, line_threads), line_threads, 0, stream>>>(in, out, length, count,
                                                                       typed);
    return cudaGetLastError();
  });
}

cudaError_t launch_scan_part(cudaStream_t stream, const LineLayout& in, const LineLayout& out,
                             const LineLayout& state, bool is_forward, std::int64_t begin,
                             std::int64_t whole, std::int64_t length, std::int64_t count,
                             const ScanNumbers& numbers) {
  return with_scan(in.type, state.type, numbers, [&]<class Real, int States, bool Sum>() {
    scan_part<Real, States, Sum><<<blocks_for(count, line_threads), line_threads, 0, stream>>>(
        in, out, state, is_forward, begin, whole, length, count,
        TypedScanNumbers<Real, States, Sum>(numbers));
    return cudaGetLastError();
  });
}

cudaError_t launch_scan_state(cudaStream_t stream, const LineLayout& edge, const LineLayout& state,
                              ScanMap map, std::int64_t count, const ScanNumbers& numbers) {
  return with_scan(edge.type, state.type, numbers, [&]<class Real, int States, bool Sum>() {
    scan_state<Real, States, Sum><<<blocks_for(count, line_threads), line_threads, 0, stream>>>(
        edge, state, map, count, TypedScanNumbers<Real, States, Sum>(numbers));
    return cudaGetLastError();
  });
}

}  // namespace meander::cuda
