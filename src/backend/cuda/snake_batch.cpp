// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/cuda/snake_batch.hpp"

#include <initializer_list>

namespace meander::cuda {
namespace {

using engine::MemoryPtr;
using engine::MovingBatch;

constexpr const char* operation = "move contours";

static_assert(sizeof(SnakeContour) == sizeof(engine::MovingContour));
static_assert(snake_closed == static_cast<std::int64_t>(engine::ContourEnds::closed));
static_assert(snake_fixed == static_cast<std::int64_t>(engine::ContourEnds::fixed));
static_assert(snake_band == engine::weights_of_open_point);

cudaError_t first_error(std::initializer_list<cudaError_t> codes) {
  for (const cudaError_t code : codes) {
    if (code != cudaSuccess) return code;
  }
  return cudaSuccess;
}

template <class T>
cudaError_t upload(std::span<T> numbers, const MemoryPtr& block, cudaStream_t stream) {
  return cudaMemcpyAsync(block->handle, numbers.data(), numbers.size_bytes(),
                         cudaMemcpyHostToDevice, stream);
}

cudaError_t download(const MemoryPtr& block, std::span<float> numbers, cudaStream_t stream) {
  return cudaMemcpyAsync(numbers.data(), block->handle, numbers.size_bytes(),
                         cudaMemcpyDeviceToHost, stream);
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
  cudaError_t fill(const MovingBatch& batch, cudaStream_t stream) const {
    return first_error({upload(batch.contours, contours, stream),
                        upload(batch.weights, weights, stream), upload(batch.x, x, stream),
                        upload(batch.y, y, stream)});
  }

  MemoryPtr contours, weights, x, y, change_x, change_y;
};

}  // namespace

void move_contours(Queue& queue, engine::MemoryPool& pool, const MemoryPtr& field,
                   const Layout& force, const MovingBatch& batch) {
  if (batch.contours.empty() || batch.steps == 0) return;
  const Blocks on_device(pool, batch);
  queue.run(operation,
            {field, on_device.contours, on_device.weights, on_device.x, on_device.y,
             on_device.change_x, on_device.change_y},
            [&](cudaStream_t stream) {
              const cudaError_t code = on_device.fill(batch, stream);
              if (code != cudaSuccess) return code;
              return launch_move_contours(stream, force, on_device.numbers(),
                                          static_cast<std::int64_t>(batch.contours.size()),
                                          batch.steps);
            });
  queue.finish_and(operation, [&](cudaStream_t stream) {
    return first_error(
        {download(on_device.x, batch.x, stream), download(on_device.y, batch.y, stream)});
  });
}

}  // namespace meander::cuda
