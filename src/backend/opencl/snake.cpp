// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/opencl/engines.hpp"
#include "backend/opencl/snake_text.hpp"

namespace meander::opencl {
namespace {

using engine::MemoryPtr;

constexpr const char* operation = "move contours";

// What snake.cl takes for granted.
static_assert(static_cast<int>(engine::ContourEnds::closed) == 0);
static_assert(static_cast<int>(engine::ContourEnds::fixed) == 2);
static_assert(engine::weights_of_open_point == 5);

/// Numbers of a batch on the device.
template <class T>
MemoryPtr uploaded(Session& session, engine::MemoryPool& pool, std::span<const T> numbers) {
  const MemoryPtr block = pool.take(numbers.size_bytes());
  session.queue.upload(operation, buffer_of(block), numbers.data(), numbers.size_bytes());
  return block;
}

}  // namespace

void move_contours(Session& session, engine::MemoryPool& pool, const engine::View& force,
                   const engine::MovingBatch& batch) {
  if (batch.contours.empty() || batch.steps == 0) return;
  const auto kernel_named = [&](const char* name) {
    return session.programs.kernel(operation, snake_text, {}, name,
                                   [&] { return common_options(session); });
  };
  const Kernel find = kernel_named("find_changes"), solve = kernel_named("solve_changes");
  const MemoryPtr contours = uploaded(session, pool, batch.contours);
  const MemoryPtr weights = uploaded(session, pool, batch.weights);
  const MemoryPtr x = uploaded<float>(session, pool, batch.x);
  const MemoryPtr y = uploaded<float>(session, pool, batch.y);
  const MemoryPtr change_x = pool.take(batch.x.size_bytes());
  const MemoryPtr change_y = pool.take(batch.y.size_bytes());
  const auto count = static_cast<cl_long>(batch.contours.size());
  for (std::int64_t step = 0; step < batch.steps; ++step) {
    launch(session, operation, find, one_group_each(find, count), buffer_of(force.memory),
           Layout(force), cl_long{force.shape.x}, buffer_of(contours), count, buffer_of(x),
           buffer_of(y), buffer_of(change_x), buffer_of(change_y));
    launch(session, operation, solve, one_group_each(solve, count), buffer_of(contours), count,
           buffer_of(weights), buffer_of(x), buffer_of(y), buffer_of(change_x),
           buffer_of(change_y));
  }
  session.queue.download(operation, buffer_of(x), batch.x.data(), batch.x.size_bytes());
  session.queue.download(operation, buffer_of(y), batch.y.data(), batch.y.size_bytes());
  session.queue.finish();
}

}  // namespace meander::opencl
