// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "backend/cuda/kernels.hpp"
#include "backend/cuda/queue.hpp"
#include "engine/memory.hpp"
#include "engine/snake.hpp"

namespace meander::cuda {

/// engine::Backend::move_contours: a batch to the device, all steps in one launch, the places back.
/// Waits.
void move_contours(Queue& queue, engine::MemoryPool& pool, const Layout& force,
                   const engine::MovingBatch& batch);

}  // namespace meander::cuda
