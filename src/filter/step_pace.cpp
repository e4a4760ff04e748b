// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "filter/step_pace.hpp"

#include <algorithm>

namespace meander {

StepPace::StepPace(const engine::Backend& backend, std::int64_t most) : most_(most) {
  const bool on_host = backend.uses_host_memory();
  chunk_ = on_host ? 32 : 4;
  least_ = on_host ? 32 : 1;
  seconds_ = on_host ? 0.4 : 0.04;
}

void StepPace::run(engine::Backend& backend, const engine::Iteration& work,
                   const engine::View& state, const engine::View& scratch,
                   const engine::View& fields) {
  const auto begin = std::chrono::steady_clock::now();
  backend.iterate(work, state, scratch, fields);
  if (!backend.uses_host_memory()) backend.finish();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  adapt(work.steps, taken.count());
}

void StepPace::adapt(std::int64_t steps, double seconds) {
  if (seconds > seconds_) {
    chunk_ = std::max(least_, steps / 2);
  } else if (seconds < seconds_ / 3 && steps == chunk_) {
    chunk_ = std::min(2 * chunk_, most_);
  }
}

}  // namespace meander
