// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <chrono>
#include <cstdint>

#include "engine/backend.hpp"

namespace meander {

/// How many steps to enqueue at a time: so many that they take at most so long. Where the host does
/// the steps it can stop between them, and it is progress that waits; a backend may keep several in
/// its caches. Elsewhere nothing can be taken back, and a request to stop waits.
class StepPace {
 public:
  StepPace(const engine::Backend& backend, std::int64_t most);
  std::int64_t chunk() const { return chunk_; }
  /// Runs `work.steps` steps, waits for them where nothing could stop them, and learns.
  void run(engine::Backend& backend, const engine::Iteration& work, const engine::View& state,
           const engine::View& scratch, const engine::View& fields);

 private:
  void adapt(std::int64_t steps, double seconds);

  std::int64_t most_, least_, chunk_;
  double seconds_;
};

}  // namespace meander
