// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/cuda/snake_batch.hpp"

namespace meander::cuda {
namespace {

using engine::MemoryPtr;
using engine::MovingBatch;

constexpr const char* operation = "move contours";

static_assert(sizeof(SnakeContour) == sizeof(engine::MovingContour));
static_assert(snake_closed == static_cast<std::int64_t>(engine::ContourEnds::closed));
static_assert(snake_fixed == static_cast<std::int64_t>(engine::ContourEnds::fixed));
static_assert(snake_band == engine::weights_of_open_point);

template <class T>
void upload(Queue& queue, std::span<T> numbers, const MemoryPtr& block) {
  queue.transfer(operation, numbers.size_bytes(), [&](cudaStream_t stream) {
    return cudaMemcpyAsync(block->handle, numbers.data(), numbers.size_bytes(),
                           cudaMemcpyHostToDevice, stream);
  });
}

void download(Queue& queue, const MemoryPtr& block, std::span<float> numbers) {
  queue.transfer(operation, numbers.size_bytes(), [&](cudaStream_t stream) {
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

void move_contours(Queue& queue, engine::MemoryPool& pool, const Layout& force,
                   const MovingBatch& batch) {
  if (batch.contours.empty() || batch.steps == 0) return;
  const Blocks on_device(pool, batch);
  upload(queue, batch.contours, on_device.contours);
  upload(queue, batch.weights, on_device.weights);
  upload(queue, batch.x, on_device.x);
  upload(queue, batch.y, on_device.y);
  queue.run(operation, 1, [&](cudaStream_t stream) {
    return launch_move_contours(stream, force, on_device.numbers(),
                                static_cast<std::int64_t>(batch.contours.size()), batch.steps);
  });
  download(queue, on_device.x, batch.x);
  download(queue, on_device.y, batch.y);
  queue.finish();
}

}  // namespace meander::cuda
