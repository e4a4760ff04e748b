// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "engine/memory.hpp"

namespace meander::engine {

/// The in-order queue of backends that run on the host. Normally a task runs at once. In deferred
/// mode (environment MEANDER_QUEUE=deferred) tasks wait until `finish`, as on a GPU, so that code
/// which forgets to wait reads stale pixels in CI. Thread-safe.
class HostQueue {
 public:
  HostQueue();

  /// `keep` holds the blocks the task touches alive until it has run.
  void run(std::string operation, std::vector<MemoryPtr> keep, std::function<void()> task);
  /// Runs what waits. Throws DeviceError naming the first operation that failed; those after it are
  /// dropped, since they may depend on it.
  void finish();
  /// Tasks so far.
  std::int64_t launches() const { return launches_; }

 private:
  struct Task {
    std::string operation;
    std::vector<MemoryPtr> keep;
    std::function<void()> work;
  };
  const bool deferred_;
  std::atomic<std::int64_t> launches_ = 0;
  std::mutex mutex_;
  std::vector<Task> waiting_;
};

}  // namespace meander::engine
