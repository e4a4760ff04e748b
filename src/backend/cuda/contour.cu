// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Plain: one thread for the sums of a stretch of a row, then one warp a row to add them up; one
// block an edge or a triangle, whose threads share its rows.
#include "backend/cuda/cells.cuh"

namespace meander::cuda {
namespace {

using wide = std::int64_t;
#define CROSSING __device__ inline
#include "rules/crossing.h"
#undef CROSSING

constexpr int lanes = 32;
constexpr int shape_threads = 64;
constexpr unsigned whole_warp = 0xffffffffu;

struct Region {
  std::uint64_t count, sum, squares;
};

template <class Pixel>
__device__ void add_pixels(Region& sums, const Pixel* row, std::int64_t first, std::int64_t end) {
  constexpr int raise = std::is_signed_v<Pixel> ? 32768 : 0;
  for (std::int64_t x = first; x < end; ++x) {
    const auto value = static_cast<std::uint64_t>(row[x] + raise);
    ++sums.count;
    sums.sum += value;
    sums.squares += value * value;
  }
}

__device__ void add_times(Region& sums, const Region& part, std::int64_t factor) {
  const auto times = static_cast<std::uint64_t>(factor);
  sums.count += times * part.count;
  sums.sum += times * part.sum;
  sums.squares += times * part.squares;
}

template <class Pixel>
__device__ const Pixel* pixels_of(const Layout& view, std::int64_t row) {
  return reinterpret_cast<const Pixel*>(view.first + row * view.row_pitch);
}

__device__ std::uint64_t* words_of(const ContourGrid& grid, std::int64_t row) {
  return reinterpret_cast<std::uint64_t*>(grid.sums.first + row * grid.sums.row_pitch);
}

/// Word i of a row gets the sums between the places of words i - 1 and i.
template <class Pixel>
__global__ void sum_stretches(Layout pixels, ContourGrid grid) {
  const std::int64_t word = thread_index();
  if (word > grid.columns / grid.step) return;
  const std::int64_t length = grid.block * grid.step;
  const std::int64_t first = (word - 1) * length, end = min(word * length, grid.image_x);
  for (std::int64_t row = blockIdx.y; row < grid.rows; row += gridDim.y) {
    Region own{};
    const std::int64_t below = min((row + 1) * grid.block, grid.image_y);
    for (std::int64_t y = row * grid.block; word > 0 && y < below; ++y) {
      add_pixels(own, pixels_of<Pixel>(pixels, y), first, end);
    }
    words_of(grid, row)[2 * word] = own.sum;
    words_of(grid, row)[2 * word + 1] = own.squares;
  }
}

/// Of the lanes up to this one.
__device__ std::uint64_t warp_prefix(std::uint64_t value, int lane) {
  for (int distance = 1; distance < lanes; distance *= 2) {
    const std::uint64_t before = __shfl_up_sync(whole_warp, value, distance);
    value += lane >= distance ? before : 0;
  }
  return value;
}

__global__ void add_up(ContourGrid grid) {
  const std::int64_t row = thread_index() / lanes;
  const int lane = static_cast<int>(threadIdx.x % lanes);
  if (row >= grid.rows) return;  // for a whole warp
  std::uint64_t* words = words_of(grid, row);
  const std::int64_t count = grid.columns / grid.step + 1;
  std::uint64_t sum = 0, squares = 0;  // of what lies before this turn's words
  for (std::int64_t start = 0; start < count; start += lanes) {
    const std::int64_t word = start + lane;
    const bool is_there = word < count;
    const std::uint64_t own_sum = sum + warp_prefix(is_there ? words[2 * word] : 0, lane);
    const std::uint64_t own_squares =
        squares + warp_prefix(is_there ? words[2 * word + 1] : 0, lane);
    if (is_there) {
      words[2 * word] = own_sum;
      words[2 * word + 1] = own_squares;
    }
    sum = __shfl_sync(whole_warp, own_sum, lanes - 1);
    squares = __shfl_sync(whole_warp, own_squares, lanes - 1);
  }
}

/// One thread a cell of the coarse grid, and one for the end of each row.
__global__ void coarsen_cells(ContourGrid fine, ContourGrid coarse) {
  const std::int64_t column = thread_index();
  if (column > coarse.columns) return;
  const std::int64_t from = 2 * min(2 * column, fine.columns);
  for (std::int64_t row = blockIdx.y; row < coarse.rows; row += gridDim.y) {
    std::uint64_t sum = 0, squares = 0;
    for (std::int64_t y = 2 * row; y < min(2 * row + 2, fine.rows); ++y) {
      sum += words_of(fine, y)[from];
      squares += words_of(fine, y)[from + 1];
    }
    words_of(coarse, row)[2 * column] = sum;
    words_of(coarse, row)[2 * column + 1] = squares;
  }
}

/// The sums of a shape from those of its block's threads.
__device__ void store_total(const Region& own, std::uint64_t* results) {
  __shared__ Region parts[shape_threads];
  parts[threadIdx.x] = own;
  for (int half = shape_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) add_times(parts[threadIdx.x], parts[threadIdx.x + half], 1);
  }
  if (threadIdx.x != 0) return;
  std::uint64_t* result = results + std::int64_t{3} * blockIdx.x;
  result[0] = parts[0].count;
  result[1] = parts[0].sum;
  result[2] = parts[0].squares;
}

template <class Pixel>
__global__ void sum_edge_rows(ContourGrid grid, Layout pixels, const std::int64_t* edges,
                              std::uint64_t* results) {
  const std::int64_t* place = edges + std::int64_t{4} * blockIdx.x;
  const edge_rows edge =
      rows_of_edge(place[0], place[1], place[2], place[3], grid.unit, grid.origin, grid.rows);
  Region own{};
  for (std::int64_t row = edge.first + threadIdx.x; row < edge.end; row += shape_threads) {
    const std::int64_t column = column_of_edge(edge, row, grid.columns);
    const std::int64_t word = column / grid.step;
    Region before{0, words_of(grid, row)[2 * word], words_of(grid, row)[2 * word + 1]};
    // With a step of 1 there is no rest, and there may be no pixels.
    if (word * grid.step < column) {
      add_pixels(before, pixels_of<Pixel>(pixels, row), word * grid.step, column);
    }
    before.count = static_cast<std::uint64_t>(
        pixels_before(column, row, grid.block, grid.image_x, grid.image_y));
    add_times(own, before, edge.sign);
  }
  store_total(own, results);
}

template <class Pixel>
__global__ void sum_triangle_rows(Layout pixels, std::int64_t unit, const std::int64_t* triangles,
                                  std::uint64_t* results) {
  const std::int64_t* place = triangles + std::int64_t{6} * blockIdx.x;
  edge_rows sides[3];
  std::int64_t first = pixels.height, end = 0;
  for (int i = 0; i < 3; ++i) {
    const int from = 2 * i, to = 2 * ((i + 1) % 3);
    sides[i] = rows_of_edge(place[from], place[from + 1], place[to], place[to + 1], unit, 0,
                            pixels.height);
    first = min(first, sides[i].first);
    end = max(end, sides[i].end);
  }
  Region own{};
  for (std::int64_t row = first + threadIdx.x; row < end; row += shape_threads) {
    // Of the sides that cover a row one rises, where pixels end, and one falls, where they begin.
    std::int64_t left = 0, right = 0;
    for (const edge_rows& side : sides) {
      if (row < side.first || row >= side.end) continue;
      (side.sign > 0 ? right : left) = column_of_edge(side, row, pixels.width);
    }
    Region run{};
    add_pixels(run, pixels_of<Pixel>(pixels, row), min(left, right), max(left, right));
    add_times(own, run, left < right ? 1 : -1);
  }
  store_total(own, results);
}

/// Calls launch(Pixel{}) for one of the integer types.
template <class Launch>
cudaError_t with_integers(int type, Launch launch) {
  return visit(type, [&](auto pixel) {
    if constexpr (std::is_integral_v<decltype(pixel)>) {
      launch(pixel);
      return cudaGetLastError();
    } else {
      return cudaErrorInvalidValue;
    }
  });
}

}  // namespace

cudaError_t launch_cumulate(cudaStream_t stream, int type, const Layout& pixels,
                            const ContourGrid& grid) {
  const cudaError_t code = with_integers(type, [&](auto pixel) {
    sum_stretches<decltype(pixel)>
        <<<cell_grid(grid.columns / grid.step + 1, grid.rows), line_threads, 0, stream>>>(pixels,
                                                                                          grid);
  });
  if (code != cudaSuccess) return code;
  add_up<<<blocks_for(grid.rows * lanes, line_threads), line_threads, 0, stream>>>(grid);
  return cudaGetLastError();
}

cudaError_t launch_coarsen(cudaStream_t stream, const ContourGrid& fine,
                           const ContourGrid& coarse) {
  coarsen_cells<<<cell_grid(coarse.columns + 1, coarse.rows), line_threads, 0, stream>>>(fine,
                                                                                         coarse);
  return cudaGetLastError();
}

cudaError_t launch_sum_edges(cudaStream_t stream, const ContourGrid& grid, int type,
                             const Layout& pixels, const std::int64_t* edges, std::int64_t count,
                             std::uint64_t* results) {
  return with_integers(type, [&](auto pixel) {
    sum_edge_rows<decltype(pixel)>
        <<<static_cast<unsigned>(count), shape_threads, 0, stream>>>(grid, pixels, edges, results);
  });
}

cudaError_t launch_sum_triangles(cudaStream_t stream, int type, const Layout& pixels,
                                 std::int64_t unit, const std::int64_t* triangles,
                                 std::int64_t count, std::uint64_t* results) {
  return with_integers(type, [&](auto pixel) {
    sum_triangle_rows<decltype(pixel)><<<static_cast<unsigned>(count), shape_threads, 0, stream>>>(
        pixels, unit, triangles, results);
  });
}

}  // namespace meander::cuda
