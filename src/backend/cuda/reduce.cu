// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Eight threads a chunk, one for each of the eight running sums that the `cpu` backend has, and the
// same order of additions: results agree to the bit.
#include "backend/cuda/pixel.cuh"

namespace meander::cuda {
namespace {

using engine::Partial;

constexpr int lanes = 8;
constexpr int threads = 128;

/// ((v0+v4)+(v2+v6))+((v1+v5)+(v3+v7)) in every one of the eight lanes.
template <class T>
__device__ T lane_sum(T value) {
  for (int distance = 4; distance > 0; distance /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, distance);
  return value;
}
__device__ double lane_min(double value) {
  for (int distance = 4; distance > 0; distance /= 2)
    value = fmin(value, __shfl_xor_sync(0xffffffffu, value, distance));
  return value;
}
__device__ double lane_max(double value) {
  for (int distance = 4; distance > 0; distance /= 2)
    value = fmax(value, __shfl_xor_sync(0xffffffffu, value, distance));
  return value;
}

template <class T>
__device__ void add_row(const T* row, std::int64_t count, int lane, double shift, Partial& total) {
  Partial own = engine::empty_partial();
  for (std::int64_t i = lane; i < count; i += lanes) {
    const double value = load<double>(row[i]) - shift;
    if (!isfinite(value)) continue;
    ++own.finite;
    own.min = fmin(own.min, value);
    own.max = fmax(own.max, value);
    if constexpr (std::is_integral_v<T>) {
      const std::int64_t integer = row[i];
      own.integer_sum += integer;
      own.integer_magnitudes += integer < 0 ? -integer : integer;
      own.integer_squares += integer * integer;
    } else {
      own.sum += value;
      own.magnitudes += fabs(value);
      own.squares += value * value;
    }
  }
  const std::int64_t finite = lane_sum(own.finite);
  total.min = fmin(total.min, lane_min(own.min));
  total.max = fmax(total.max, lane_max(own.max));
  total.sum += lane_sum(own.sum);
  total.magnitudes += lane_sum(own.magnitudes);
  total.squares += lane_sum(own.squares);
  total.integer_sum += lane_sum(own.integer_sum);
  total.integer_magnitudes += lane_sum(own.integer_magnitudes);
  total.integer_squares += lane_sum(own.integer_squares);
  total.finite += finite;
  total.nonfinite += count - finite;
}

template <class T>
__global__ void reduce_chunks(Layout in, Chunks chunks, double shift, Partial* partials) {
  const std::int64_t index = (blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x) / lanes;
  const int lane = threadIdx.x % lanes;
  // Threads beyond the last chunk walk with the others, over no pixels, because they share the
  // shuffles.
  const bool spare = index >= chunks.count;
  const std::int64_t first_row = index / chunks.chunks_per_row * chunks.rows_per_chunk;
  const std::int64_t first_column = index % chunks.chunks_per_row * chunks.chunk_numbers;
  const std::int64_t columns = spare ? 0 : min(chunks.chunk_numbers, in.width - first_column);
  Partial total = engine::empty_partial();
  for (std::int64_t step = 0; step < chunks.rows_per_chunk; ++step) {
    const std::int64_t row = first_row + step;
    const bool outside = spare || row >= in.rows;
    const T* pixels =
        outside ? nullptr : reinterpret_cast<const T*>(row_of(in, row)) + first_column;
    add_row(pixels, outside ? 0 : columns, lane, shift, total);
  }
  if (lane == 0 && !spare) partials[index] = total;
}

/// One level of the tree over [0, count), whose halves are count/2 and the rest: node `node` of
/// `depth` adds its right half to its left. Levels are launches, so that all of a level's nodes run
/// at once.
__global__ void combine_level(Partial* partials, std::int64_t count, int depth) {
  const std::int64_t node = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (node >= (std::int64_t{1} << depth)) return;
  std::int64_t begin = 0, size = count;
  for (int level = depth; level-- > 0;) {
    const bool right = (node >> level) & 1;
    begin += right ? size / 2 : 0;
    size = right ? size - size / 2 : size / 2;
  }
  if (size > 1) partials[begin] = combined(partials[begin], partials[begin + size / 2]);
}

unsigned blocks_for(std::int64_t items) {
  return static_cast<unsigned>((items + threads - 1) / threads);
}

}  // namespace

cudaError_t launch_reduce(cudaStream_t stream, int type, const Layout& in, const Chunks& chunks,
                          double shift, Partial* partials) {
  visit(type, [&](auto pixel) {
    reduce_chunks<decltype(pixel)>
        <<<blocks_for(chunks.count * lanes), threads, 0, stream>>>(in, chunks, shift, partials);
  });
  int depth = 0;
  while ((std::int64_t{1} << depth) < chunks.count) ++depth;
  while (depth-- > 0) {
    combine_level<<<blocks_for(std::int64_t{1} << depth), threads, 0, stream>>>(
        partials, chunks.count, depth);
  }
  return cudaGetLastError();
}

}  // namespace meander::cuda
