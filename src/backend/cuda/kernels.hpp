// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

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

/// Reduces in - shift (integers: in). Leaves the total in partials[0]; `partials` has room for
/// chunks.count of them.
cudaError_t launch_reduce(cudaStream_t stream, int type, const Layout& in, const Chunks& chunks,
                          double shift, engine::Partial* partials);

}  // namespace meander::cuda
