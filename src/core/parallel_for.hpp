// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>

namespace meander {

/// Calls task(0) … task(count - 1), each once, on the pool's threads and the caller's; returns when
/// all have ended. Which thread runs which task is left to chance, so a task may depend on its
/// index alone. The first exception is rethrown here; tasks not yet begun are then skipped. A call
/// from inside a task runs serially. Works after fork().
void parallel_for(std::int64_t count, const std::function<void(std::int64_t)>& task);

/// While it lives, a parallel_for that this thread calls begins no task after a stop was asked for,
/// and throws Cancelled; one that is called inside a task asks once, before its first.
class StopScope {
 public:
  explicit StopScope(std::stop_token stop);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  std::stop_token before_;
};

}  // namespace meander
