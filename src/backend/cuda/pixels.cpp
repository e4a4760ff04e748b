// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/cuda/backend.hpp"

#include <algorithm>
#include <bit>

namespace meander::cuda {

void CudaBackend::convert(const engine::View& in, const engine::View& out,
                          const engine::Affine& map) {
  queue_->run("convert", 1, [&](cudaStream_t stream) {
    return launch_convert(stream, static_cast<int>(in.type), layout_of(in),
                          static_cast<int>(out.type), layout_of(out), map.scale, map.offset,
                          map.is_identity());
  });
}

engine::MemoryPtr CudaBackend::reduce(const engine::View& in, double shift, Wanted what) {
  const engine::ReduceChunks cut(in);
  const Chunks chunks{.count = cut.count(),
                      .rows_per_chunk = cut.rows_per_chunk,
                      .chunks_per_row = cut.chunks_per_row,
                      .chunk_numbers = engine::ReduceChunks::chunk_numbers};
  // The nodes of a depth are a power of two, and no more than chunks would be.
  const engine::MemoryPtr partials =
      pool_->take(std::bit_ceil(static_cast<std::size_t>(chunks.count)) * sizeof(engine::Partial));
  engine::MemoryPtr result = mapped_block(sizeof(engine::Partial));
  unsigned* arrived = arrivals();
  queue_->run("reduce", 1, [&](cudaStream_t stream) {
    return launch_reduce(stream, static_cast<int>(in.type), layout_of(in), chunks, shift, what,
                         static_cast<engine::Partial*>(partials->handle), arrived,
                         static_cast<engine::Partial*>(result->handle));
  });
  return result;
}

void CudaBackend::fetch(std::span<const engine::MemoryPtr> reductions, engine::Sums* results) {
  queue_->finish();
  for (const engine::MemoryPtr& one : reductions) {
    *results++ = engine::sums_of(*reinterpret_cast<const engine::Partial*>(one->host));
  }
}

void CudaBackend::pointwise(engine::Pointwise operation, const engine::View& a,
                            const engine::View& b, const engine::View& c, const engine::View& out) {
  queue_->run("pointwise", 1, [&](cudaStream_t stream) {
    const bool reads_c = operation == engine::Pointwise::select;
    return launch_pointwise(stream, static_cast<int>(out.type),
                            static_cast<PointOperation>(operation), layout_of(a), layout_of(b),
                            reads_c ? layout_of(c) : Layout{}, layout_of(out));
  });
}

unsigned* CudaBackend::arrivals() {
  const std::lock_guard lock(arrivals_mutex_);
  if (arrivals_ == nullptr) {
    const engine::MemoryPtr made = pool_->take(sizeof(unsigned));
    queue_->run("reduce", 0, [&](cudaStream_t stream) {
      return cudaMemsetAsync(made->handle, 0, sizeof(unsigned), stream);
    });
    arrivals_ = made;
  }
  return static_cast<unsigned*>(arrivals_->handle);
}

}  // namespace meander::cuda
