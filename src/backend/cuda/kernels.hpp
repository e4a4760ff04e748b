// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "backend/lines/scan_numbers.hpp"
#include "backend/steps/steps.hpp"
#include "engine/lines.hpp"
#include "engine/partial.hpp"

/// What the .cu files offer to the rest of the backend, in plain types: nvcc sees no more of
/// Meander.
namespace meander::cuda {

/// A view as kernels need it; `first` is the first pixel.
struct Layout {
  char* first;
  std::int64_t width, height, depth;  ///< Numbers in a row, rows in a slice, slices in a channel.
  std::int64_t rows;                  ///< Of all slices and channels.
  std::int64_t row_pitch, slice_pitch, channel_pitch;
};

/// Types are indices of PixelType. See engine::Affine for the map.
cudaError_t launch_convert(cudaStream_t stream, int in_type, const Layout& in, int out_type,
                           const Layout& out, double scale, double offset, bool identity);

struct Chunks {
  std::int64_t count, rows_per_chunk, chunks_per_row, chunk_numbers;
};

using engine::Wanted;

/// Reduces in - shift (integers: in). `partials` has room for as many as chunks, rounded up to a
/// power of two,
/// `*arrived` is 0 before and after; `result` may be in mapped host memory.
cudaError_t launch_reduce(cudaStream_t stream, int type, const Layout& in, const Chunks& chunks,
                          double shift, Wanted what, engine::Partial* partials, unsigned* arrived,
                          engine::Partial* result);

/// The lines of a view along an axis; `block` is where its memory starts, null for no view.
struct LineLayout {
  char* block;
  int type;
  engine::Lines lines;
};

using lines::ScanNumbers;

/// engine::StateMap, in its order.
enum class ScanMap : int { start, wrap, turn };

/// What a device has for blocks of threads.
struct BlockRoom {
  std::size_t shared_bytes;  ///< That a block may use.
  int processors;
};

/// `count` lines of `length` pixels.
cudaError_t launch_scan(cudaStream_t stream, const LineLayout& in, const LineLayout& out,
                        bool along_x, std::int64_t length, std::int64_t count,
                        const ScanNumbers& numbers, const BlockRoom& room);
/// Pixels [begin, begin + length) of lines of `whole`.
cudaError_t launch_scan_part(cudaStream_t stream, const LineLayout& in, const LineLayout& out,
                             const LineLayout& state, bool is_forward, std::int64_t begin,
                             std::int64_t whole, std::int64_t length, std::int64_t count,
                             const ScanNumbers& numbers);
cudaError_t launch_scan_state(cudaStream_t stream, const LineLayout& edge, const LineLayout& state,
                              ScanMap map, std::int64_t count, const ScanNumbers& numbers);

/// Weights go with a launch as its parameters; a filter of more of them takes several launches.
constexpr std::int64_t most_taps = 256;
/// `border` is a GhostKind.
cudaError_t launch_fir(cudaStream_t stream, const LineLayout& in, const LineLayout& out,
                       bool along_x, std::int64_t length, std::int64_t count, const double* weights,
                       std::int64_t taps, int border, double border_value);

cudaError_t launch_prefix(cudaStream_t stream, const LineLayout& in, const LineLayout& out,
                          bool along_x, std::int64_t length, std::int64_t count, bool inclusive);

/// engine::Pointwise, in its order.
enum class PointOperation : int {
  sum,
  norm,
  weight,
  weighted,
  quotient,
  select,
  difference,
  product,
  add_square,
  direction,
  growth,
  root
};

/// `c` is read by `select` only.
cudaError_t launch_pointwise(cudaStream_t stream, int type, PointOperation operation,
                             const Layout& a, const Layout& b, const Layout& c, const Layout& out);

/// engine::Neighbours and the parameters of a step; `border` is a GhostKind.
struct StepNumbers {
  static constexpr int most_parameters = 8;
  int border;
  double corner, beyond;
  double axis[3], parameters[most_parameters];
};

/// engine::RuleFacts::wants_differences.
constexpr int wants_differences = 0b10000;

/// One step of a rule, an index of src/rules/table.inc; `fields` is read by rules that have some.
/// In blocks as is fastest, or as engine::PlainSteps has it where `width` is not 0.
cudaError_t launch_step(cudaStream_t stream, int type, int rule, const Layout& in,
                        const Layout& fields, const Layout& out, const StepNumbers& numbers,
                        int width, int height, bool is_alone);

/// Several steps of a rule in one pass. Of the passes that follow each other only `numbers` differ,
/// `in` and `out` take turns, and the first of them `is_first`.
struct FusedPass {
  Layout in, fields, out;
  steps::StepNumbers numbers;
  bool is_first;
  bool may_overlap = false;  ///< Whether it may be started before the last one ends; the first
                             ///< finds out.
};
/// How passes are started, of at most so many steps; null where steps are taken one at a time.
struct FusedKernel {
  std::int64_t most_steps = 1;
  cudaError_t (*launch)(cudaStream_t stream, FusedPass& pass, const BlockRoom& room) = nullptr;
};
FusedKernel fused_kernel(int type, int rule, const FusedPass& pass, const BlockRoom& room);

/// The next three are of f32 or f64 and, where they have one, of a rule of one state. Makes every
/// cell 0.
cudaError_t launch_clear(cudaStream_t stream, int type, const Layout& state);
/// Half a sweep of engine::Backend::relax: `colour` 0 renews the red cells, 1 the black ones.
cudaError_t launch_half_sweep(cudaStream_t stream, int type, int rule, const Layout& state,
                              const Layout& fields, int colour, const StepNumbers& numbers);
/// engine::Backend::apply.
cudaError_t launch_apply(cudaStream_t stream, int type, int rule, const Layout& in,
                         const Layout& fields, const Layout& out, const StepNumbers& numbers);
/// engine::Backend::transfer, of f32 or f64; `weight` without pixels is none.
cudaError_t launch_transfer(cudaStream_t stream, int type, const Layout& coarse, const Layout& fine,
                            const Layout& weight, bool is_added);

/// engine::CumulatedSums without its pixels.
struct ContourGrid {
  Layout sums;
  std::int64_t image_x, image_y, block, step;
  std::int64_t columns, rows, unit, origin;
};

/// The next four are of u8, u16 or i16. engine::Backend::cumulate of one grid.
cudaError_t launch_cumulate(cudaStream_t stream, int type, const Layout& pixels,
                            const ContourGrid& grid);
cudaError_t launch_coarsen(cudaStream_t stream, const ContourGrid& fine, const ContourGrid& coarse);
/// `edges` and `results` are on the device: `count` rows of 4 and of 3 words. With a step of 1
/// `type` is any of the three and there may be no pixels.
cudaError_t launch_sum_edges(cudaStream_t stream, const ContourGrid& grid, int type,
                             const Layout& pixels, const std::int64_t* edges, std::int64_t count,
                             std::uint64_t* results);
/// `triangles` are rows of 6 words; `unit` is the distance of pixels in the steps of their grid.
cudaError_t launch_sum_triangles(cudaStream_t stream, int type, const Layout& pixels,
                                 std::int64_t unit, const std::int64_t* triangles,
                                 std::int64_t count, std::uint64_t* results);

/// engine::MovingContour; `ends` is an engine::ContourEnds.
struct SnakeContour {
  std::int64_t first, points, origin_x, origin_y, ends, first_weight, taps;
  float step, balloon, tension, rigidity, normal, unused;
};
constexpr std::int64_t snake_closed = 0, snake_fixed = 2;
/// engine::weights_of_open_point.
constexpr std::int64_t snake_band = 5;

/// engine::MovingBatch on the device, with as many changes as places.
struct SnakeNumbers {
  const SnakeContour* contours;
  const float* weights;
  float *x, *y, *change_x, *change_y;
};

/// engine::Backend::move_contours of `count` contours; `force` is f32.
cudaError_t launch_move_contours(cudaStream_t stream, const Layout& force, const SnakeNumbers& all,
                                 std::int64_t count, std::int64_t steps);

}  // namespace meander::cuda
