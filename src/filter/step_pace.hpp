// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>

#include "engine/backend.hpp"

namespace meander {

/// Enqueues steps, and waits only where more than `steps_at_a_time` would be under way.
class StepPace {
 public:
  explicit StepPace(engine::Backend& backend) : backend_(backend) {}

  std::int64_t most(const engine::Iteration& work, const engine::View& state) const {
    return backend_.steps_at_a_time(work, state);
  }
  void run(const engine::Iteration& work, const engine::View& state, const engine::View& scratch,
           const engine::View& fields) {
    if (under_way_ + work.steps > most(work, state)) {
      backend_.finish();
      under_way_ = 0;
    }
    backend_.iterate(work, state, scratch, fields);
    under_way_ += work.steps;
  }
  /// The caller has waited.
  void has_waited() { under_way_ = 0; }

 private:
  engine::Backend& backend_;
  std::int64_t under_way_ = 0;
};

}  // namespace meander
