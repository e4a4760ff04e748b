// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/cuda/backend.hpp"

#include <cstring>

namespace meander::cuda {
namespace {

ContourGrid grid_of(const engine::CumulatedSums& all) {
  return {.sums = layout_of(all.sums),
          .image_x = all.image.x,
          .image_y = all.image.y,
          .block = all.block,
          .step = all.step,
          .columns = all.columns(),
          .rows = all.rows(),
          .unit = all.unit(),
          .origin = all.origin()};
}
// What kernels read and write as rows of 64-bit words.
static_assert(sizeof(engine::ContourEdge) == 4 * sizeof(std::int64_t));
static_assert(sizeof(engine::ContourTriangle) == 6 * sizeof(std::int64_t));
static_assert(sizeof(engine::RegionSums) == 3 * sizeof(std::uint64_t));

using engine::MemoryPtr;
using engine::MovingBatch;

constexpr const char* move = "move contours";

static_assert(sizeof(SnakeContour) == sizeof(engine::MovingContour));
static_assert(snake_closed == static_cast<std::int64_t>(engine::ContourEnds::closed));
static_assert(snake_fixed == static_cast<std::int64_t>(engine::ContourEnds::fixed));
static_assert(snake_band == engine::weights_of_open_point);

template <class T>
void upload(Queue& queue, std::span<T> numbers, const MemoryPtr& block) {
  queue.transfer(move, numbers.size_bytes(), [&](cudaStream_t stream) {
    return cudaMemcpyAsync(block->handle, numbers.data(), numbers.size_bytes(),
                           cudaMemcpyHostToDevice, stream);
  });
}

void download(Queue& queue, const MemoryPtr& block, std::span<float> numbers) {
  queue.transfer(move, numbers.size_bytes(), [&](cudaStream_t stream) {
    return cudaMemcpyAsync(numbers.data(), block->handle, numbers.size_bytes(),
                           cudaMemcpyDeviceToHost, stream);
  });
}

/// What a batch has on the device.
struct Blocks {
  Blocks(engine::MemoryPool& pool, const MovingBatch& batch)
      : contours(pool.take(batch.contours.size_bytes())),
        weights(pool.take(batch.weights.size_bytes())),
        x(pool.take(batch.x.size_bytes())),
        y(pool.take(batch.y.size_bytes())),
        change_x(pool.take(batch.x.size_bytes())),
        change_y(pool.take(batch.y.size_bytes())) {}

  SnakeNumbers numbers() const {
    const auto floats = [](const MemoryPtr& block) { return static_cast<float*>(block->handle); };
    return {.contours = static_cast<const SnakeContour*>(contours->handle),
            .weights = floats(weights),
            .x = floats(x),
            .y = floats(y),
            .change_x = floats(change_x),
            .change_y = floats(change_y)};
  }
  MemoryPtr contours, weights, x, y, change_x, change_y;
};

}  // namespace

void CudaBackend::cumulate(const engine::View& pixels, const engine::CumulatedSums& rows,
                           const engine::CumulatedSums& blocks) {
  for (const engine::CumulatedSums* sums : {&rows, &blocks}) {
    if (sums->sums.memory == nullptr) continue;
    queue_->run("cumulate", 2, [&](cudaStream_t stream) {
      return launch_cumulate(stream, static_cast<int>(pixels.type), layout_of(pixels),
                             grid_of(*sums));
    });
  }
}

void CudaBackend::coarsen(const engine::CumulatedSums& fine, const engine::CumulatedSums& coarse) {
  queue_->run("coarsen", 1, [&](cudaStream_t stream) {
    return launch_coarsen(stream, grid_of(fine), grid_of(coarse));
  });
}

template <class Shape, class Start>
void CudaBackend::sum_shapes(const char* operation, std::span<const Shape> shapes,
                             engine::RegionSums* results, Start start) {
  if (shapes.empty()) return;
  const std::size_t bytes = shapes.size() * sizeof(engine::RegionSums);
  const engine::MemoryPtr in = mapped_block(shapes.size_bytes()), out = mapped_block(bytes);
  std::memcpy(in->host, shapes.data(), shapes.size_bytes());
  queue_->run(operation, 1, [&](cudaStream_t stream) {
    return start(stream, static_cast<const std::int64_t*>(in->handle),
                 static_cast<std::uint64_t*>(out->handle));
  });
  queue_->finish();
  std::memcpy(results, out->host, bytes);
}

void CudaBackend::sum_edges(const engine::CumulatedSums& sums,
                            std::span<const engine::ContourEdge> edges,
                            engine::RegionSums* results) {
  const bool reads_pixels = sums.step > 1;
  const PixelType type = reads_pixels ? sums.pixels.type : PixelType::u8;
  sum_shapes("sum edges", edges, results,
             [&](cudaStream_t stream, const std::int64_t* in, std::uint64_t* out) {
               return launch_sum_edges(stream, grid_of(sums), static_cast<int>(type),
                                       layout_or_none(sums.pixels), in,
                                       static_cast<std::int64_t>(edges.size()), out);
             });
}

void CudaBackend::sum_triangles(const engine::View& pixels,
                                std::span<const engine::ContourTriangle> triangles,
                                engine::RegionSums* results) {
  sum_shapes("sum triangles", triangles, results,
             [&](cudaStream_t stream, const std::int64_t* in, std::uint64_t* out) {
               return launch_sum_triangles(stream, static_cast<int>(pixels.type), layout_of(pixels),
                                           grid_steps_per_pixel, in,
                                           static_cast<std::int64_t>(triangles.size()), out);
             });
}

void CudaBackend::move_contours(const engine::View& force, const MovingBatch& batch) {
  if (batch.contours.empty() || batch.steps == 0) return;
  const Blocks on_device(*pool_, batch);
  upload(*queue_, batch.contours, on_device.contours);
  upload(*queue_, batch.weights, on_device.weights);
  upload(*queue_, batch.x, on_device.x);
  upload(*queue_, batch.y, on_device.y);
  queue_->run(move, 1, [&](cudaStream_t stream) {
    return launch_move_contours(stream, layout_of(force), on_device.numbers(),
                                static_cast<std::int64_t>(batch.contours.size()), batch.steps);
  });
  download(*queue_, on_device.x, batch.x);
  download(*queue_, on_device.y, batch.y);
  queue_->finish();
}

}  // namespace meander::cuda
