// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// The order of additions is that of the `cpu` backend, so results agree to the bit: eight threads
// take a row of a chunk, one for each of the eight running sums; the rows of a chunk are added in
// their order, the chunks as a balanced tree. What may be in any order is: rows, chunks, levels of
// the tree, extremes and integers.
#include "backend/cuda/pixel.cuh"

namespace meander::cuda {
namespace {

using engine::Partial;

constexpr int lanes = 8;
/// Threads of a block: rows of eight threads each.
constexpr int rows_at_a_time = 16;
constexpr int threads = rows_at_a_time * lanes;
/// Chunks of a block, one after the other where their rows are short.
constexpr int most_chunks = 16;
/// Bytes that a thread has asked for before it adds the first number: loads in flight are what
/// speed is made of here.
constexpr int bytes_ahead = 128;

/// ((v0+v4)+(v2+v6))+((v1+v5)+(v3+v7)) in every one of the eight lanes.
template <class T>
__device__ T lane_sum(T value) {
  for (int distance = 4; distance > 0; distance /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, distance);
  return value;
}
template <class T>
__device__ T lane_min(T value) {
  for (int distance = 4; distance > 0; distance /= 2)
    value = min(value, __shfl_xor_sync(0xffffffffu, value, distance));
  return value;
}
template <class T>
__device__ T lane_max(T value) {
  for (int distance = 4; distance > 0; distance /= 2)
    value = max(value, __shfl_xor_sync(0xffffffffu, value, distance));
  return value;
}

/// One lane of a row of floats. Extremes are kept as they were loaded: rounding `value - shift`
/// keeps their order.
template <class T, Wanted what>
struct FloatLane {
  using Loaded = std::conditional_t<std::is_same_v<T, double>, double, float>;
  Loaded least = Loaded(HUGE_VAL), greatest = -Loaded(HUGE_VAL);
  double sum = 0, magnitudes = 0, squares = 0;
  std::int32_t finite = 0;

  __device__ void add(T pixel, double shift) {
    const Loaded loaded = load<Loaded>(pixel);
    const double value = double(loaded) - shift;
    if (std::is_same_v<T, double> ? !isfinite(value) : !isfinite(loaded)) return;
    ++finite;
    add_finite(loaded, value);
  }
  __device__ void add_finite(Loaded loaded, double value) {
    if constexpr (what != Wanted::squares) {
      least = min(least, loaded);
      greatest = max(greatest, loaded);
    }
    if constexpr (what == Wanted::all) {
      sum += value;
      magnitudes += fabs(value);
    }
    if constexpr (what != Wanted::range) squares += value * value;
  }
  /// Looks once whether all are finite: a test for each costs more than the sums.
  template <int count>
  __device__ void add_all(const T (&pixels)[count], double shift) {
    Loaded zero = 0;
#pragma unroll
    for (int k = 0; k < count; ++k) {
      const auto loaded = load<Loaded>(pixels[k]);
      zero = fma(std::is_same_v<T, double> ? static_cast<Loaded>(loaded - shift) : loaded,
                 Loaded(0), zero);
    }
    if (zero != 0) {  // it is NaN
#pragma unroll
      for (int k = 0; k < count; ++k) add(pixels[k], shift);
      return;
    }
    finite += count;
#pragma unroll
    for (int k = 0; k < count; ++k) {
      const auto loaded = load<Loaded>(pixels[k]);
      add_finite(loaded, double(loaded) - shift);
    }
  }
  __device__ Partial total(std::int64_t count, double shift) const {
    Partial all = engine::empty_partial();
    all.finite = lane_sum(finite);
    all.nonfinite = count - all.finite;
    if constexpr (what != Wanted::squares) {
      all.min = double(lane_min(least)) - shift;
      all.max = double(lane_max(greatest)) - shift;
    }
    all.sum = lane_sum(sum);
    all.magnitudes = lane_sum(magnitudes);
    all.squares = lane_sum(squares);
    return all;
  }
};

/// The same of integers, which are never shifted.
template <class T>
struct IntegerLane {
  std::int32_t least = INT32_MAX, greatest = INT32_MIN;
  std::int64_t sum = 0, magnitudes = 0, squares = 0;

  __device__ void add(T pixel, double) {
    const std::int32_t value = pixel;
    least = min(least, value);
    greatest = max(greatest, value);
    sum += value;
    magnitudes += value < 0 ? -value : value;
    squares += std::int64_t{value} * value;
  }
  template <int count>
  __device__ void add_all(const T (&pixels)[count], double shift) {
#pragma unroll
    for (int k = 0; k < count; ++k) add(pixels[k], shift);
  }
  __device__ Partial total(std::int64_t count, double) const {
    Partial all = engine::empty_partial();
    all.min = lane_min(least);
    all.max = lane_max(greatest);
    all.integer_sum = lane_sum(sum);
    all.integer_magnitudes = lane_sum(magnitudes);
    all.integer_squares = lane_sum(squares);
    all.finite = count;
    return all;
  }
};

template <class T, Wanted what>
__device__ Partial row_total(const T* row, std::int32_t count, double shift) {
  const int lane = threadIdx.x % lanes;
  constexpr int ahead = sizeof(T) < 4 ? 32 : bytes_ahead / static_cast<int>(sizeof(T));
  std::conditional_t<std::is_integral_v<T>, IntegerLane<T>, FloatLane<T, what>> own;
  // The next numbers are on their way while those before them are added.
  std::int32_t i = lane;
  const std::int32_t whole = count / (ahead * lanes);
  T next[ahead];
  const auto fetch = [&](std::int32_t begin) {
#pragma unroll
    for (int k = 0; k < ahead; ++k) next[k] = row[begin + k * lanes];
  };
  if (whole > 0) fetch(i);
  for (std::int32_t step = 0; step < whole; ++step, i += ahead * lanes) {
    T loaded[ahead];
#pragma unroll
    for (int k = 0; k < ahead; ++k) loaded[k] = next[k];
    if (step + 1 < whole) fetch(i + ahead * lanes);
    own.add_all(loaded, shift);
  }
  for (; i < count; i += lanes) own.add(row[i], shift);
  __syncwarp();
  return own.total(count, shift);
}

/// The part of [0, count) that node `node` of `depth` stands for, where halves are size / 2 and the
/// rest.
__device__ void find_node(std::int64_t node, int depth, std::int64_t& begin, std::int64_t& size) {
  for (int level = depth; level-- > 0;) {
    const bool right = (node >> level) & 1;
    begin += right ? size / 2 : 0;
    size = right ? size - size / 2 : size / 2;
  }
}

/// Past the first-level cache, which may hold what was there before another block wrote.
__device__ Partial load_written(const Partial* from) {
  static_assert(sizeof(Partial) == 10 * sizeof(long long));
  union {
    long long words[10];
    Partial partial;
  } all;
  for (int i = 0; i < 10; ++i) all.words[i] = __ldcg(reinterpret_cast<const long long*>(from) + i);
  return all.partial;
}

/// Adds up `size` partials in place, with all threads of the block; `load` reads one.
template <class Load>
__device__ void add_tree(Partial* partials, std::int64_t size, Load load) {
  int depth = 0;
  while ((std::int64_t{1} << depth) < size) ++depth;
  while (depth-- > 0) {
    __syncthreads();
    for (std::int64_t node = threadIdx.x; node < (std::int64_t{1} << depth); node += blockDim.x) {
      std::int64_t first = 0, numbers = size;
      find_node(node, depth, first, numbers);
      if (numbers > 1)
        partials[first] = combined(load(partials + first), load(partials + first + numbers / 2));
    }
  }
  __syncthreads();
}

/// What a block holds in shared memory; more nodes are added up where they are.
constexpr int most_held = 256;

/// A block takes a node of the tree, of at most `most_chunks` chunks, so many of them at a time
/// with rows_at_a_time / chunks_at_a_time of their rows; the block that ends last adds up the
/// nodes. `arrived` is 0 at the start and at the end.
template <class T, Wanted what>
__global__ void __launch_bounds__(threads)
    reduce_nodes(Layout in, Chunks chunks, int depth, int chunks_at_a_time, double shift,
                 Partial* partials, unsigned* arrived, Partial* result) {
  __shared__ Partial of_rows[rows_at_a_time], of_chunks[most_chunks], held[most_held];
  __shared__ bool is_last;
  const int rows_of_chunk = rows_at_a_time / chunks_at_a_time;
  const int slot = threadIdx.x / lanes, chunk = slot / rows_of_chunk;
  std::int64_t begin = 0, size = chunks.count;
  find_node(blockIdx.x, depth, begin, size);
  for (std::int64_t done = 0; done == 0 || done < size; done += chunks_at_a_time) {
    const bool is_chunk = done + chunk < size;
    const std::int64_t index = begin + done + chunk;
    const std::int64_t first_row = index / chunks.chunks_per_row * chunks.rows_per_chunk;
    const std::int64_t first_column = index % chunks.chunks_per_row * chunks.chunk_numbers;
    const auto columns =
        static_cast<std::int32_t>(min(chunks.chunk_numbers, in.width - first_column));
    Partial total = engine::empty_partial();
    for (std::int64_t step = 0; step < chunks.rows_per_chunk; step += rows_of_chunk) {
      const std::int64_t row = first_row + step + slot % rows_of_chunk;
      const bool is_there =
          is_chunk && step + slot % rows_of_chunk < chunks.rows_per_chunk && row < in.rows;
      // Threads without a row walk with the others, because they share the shuffles.
      const T* pixels =
          is_there ? reinterpret_cast<const T*>(row_of(in, row)) + first_column : nullptr;
      const Partial of_row = row_total<T, what>(pixels, is_there ? columns : 0, shift);
      if (threadIdx.x % lanes == 0) of_rows[slot] = of_row;
      __syncthreads();
      if (threadIdx.x % lanes == 0 && slot % rows_of_chunk == 0) {
        for (int i = 0; i < rows_of_chunk; ++i) {
          if (row + i < in.rows && step + i < chunks.rows_per_chunk)
            total = combined(total, of_rows[slot + i]);
        }
      }
      __syncthreads();
    }
    const bool is_held = done + chunk < most_chunks;  // nothing where there is no chunk
    if (is_held && threadIdx.x % lanes == 0 && slot % rows_of_chunk == 0)
      of_chunks[done + chunk] = total;
  }
  const auto held_here = [](const Partial* from) { return *from; };
  add_tree(of_chunks, size, held_here);
  if (threadIdx.x == 0) {
    if (gridDim.x == 1) {
      *result = of_chunks[0];
    } else {
      partials[blockIdx.x] = of_chunks[0];
      __threadfence();
    }
    is_last = gridDim.x > 1 && atomicInc(arrived, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  // The nodes of one depth are a whole tree.
  if (gridDim.x <= most_held) {
    for (unsigned node = threadIdx.x; node < gridDim.x; node += blockDim.x)
      held[node] = load_written(partials + node);
    add_tree(held, gridDim.x, held_here);
    if (threadIdx.x == 0) *result = held[0];
  } else {
    add_tree(partials, gridDim.x, load_written);
    if (threadIdx.x == 0) *result = load_written(partials);
  }
}

template <class T, Wanted what>
void launch_nodes(cudaStream_t stream, const Layout& in, const Chunks& chunks, double shift,
                  Partial* partials, unsigned* arrived, Partial* result) {
  int chunks_at_a_time = rows_at_a_time;
  while (chunks_at_a_time > 1 && rows_at_a_time / chunks_at_a_time < chunks.rows_per_chunk)
    chunks_at_a_time /= 2;
  // More blocks than the last one holds are not worth it until they have all chunks they can have.
  int depth = 0;
  const auto chunks_of_node = [&] {
    return (chunks.count + (std::int64_t{1} << depth) - 1) >> depth;
  };
  while (chunks_of_node() > (1 << depth < most_held ? chunks_at_a_time : most_chunks)) ++depth;
  reduce_nodes<T, what><<<1u << depth, threads, 0, stream>>>(in, chunks, depth, chunks_at_a_time,
                                                             shift, partials, arrived, result);
}

}  // namespace

cudaError_t launch_reduce(cudaStream_t stream, int type, const Layout& in, const Chunks& chunks,
                          double shift, Wanted what, Partial* partials, unsigned* arrived,
                          Partial* result) {
  visit(type, [&](auto pixel) {
    using T = decltype(pixel);
    const auto start = [&](auto kernel) {
      kernel(stream, in, chunks, shift, partials, arrived, result);
    };
    if (std::is_integral_v<T> || what == Wanted::all) {
      start(launch_nodes<T, Wanted::all>);
    } else if (what == Wanted::squares) {
      start(launch_nodes<T, Wanted::squares>);
    } else {
      start(launch_nodes<T, Wanted::range>);
    }
  });
  return cudaGetLastError();
}

}  // namespace meander::cuda
