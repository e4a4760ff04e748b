// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Plain: one thread a cell of the finer grid.
#include "backend/cuda/cells.cuh"

namespace meander::cuda {
namespace {

/// `weight` is read where it has pixels, the old value where there is something to add to.
template <class Real>
__global__ void transfer_cells(Layout coarse, Layout fine, Layout weight, bool is_added) {
  const std::int64_t x = thread_index();
  if (x >= fine.width) return;
  const std::int64_t along_x = factor(coarse.width, fine.width);
  const std::int64_t along_y = factor(coarse.height, fine.height);
  const std::int64_t along_z = factor(coarse.depth, fine.depth);
  for (std::int64_t row = blockIdx.y; row < fine.height * fine.depth; row += gridDim.y) {
    const std::int64_t y = row % fine.height, z = row / fine.height;
    Real& target = pixel_at<Real>(fine, 0, x, y, z);
    const Real value = pixel_at<Real>(coarse, 0, x / along_x, y / along_y, z / along_z);
    const Real by = weight.first != nullptr ? pixel_at<Real>(weight, 0, x, y, z) : Real(1);
    target = fma(by, value, is_added ? target : Real(0));
  }
}

}  // namespace

cudaError_t launch_transfer(cudaStream_t stream, int type, const Layout& coarse, const Layout& fine,
                            const Layout& weight, bool is_added) {
  const dim3 grid = cell_grid(fine.width, fine.height * fine.depth);
  const auto kernel = is_double(type) ? transfer_cells<double> : transfer_cells<float>;
  kernel<<<grid, line_threads, 0, stream>>>(coarse, fine, weight, is_added);
  return cudaGetLastError();
}

}  // namespace meander::cuda
