// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "core/host_queue.hpp"
#include "core/parallel_for.hpp"

#include <cstdlib>
#include <string_view>
#include <utility>

#include "core/message.hpp"

namespace meander::engine {
namespace {

bool deferral_is_asked_for() {
  const char* mode = std::getenv("MEANDER_QUEUE");
  return mode != nullptr && std::string_view(mode) == "deferred";
}

}  // namespace

HostQueue::HostQueue() : deferred_(deferral_is_asked_for()) {}

void HostQueue::run(std::string operation, std::vector<MemoryPtr> keep,
                    std::function<void()> task) {
  ++launches_;
  // Without a lock, for nothing waits: one that is held while the task uses the thread pool would
  // be waited for without end by a task of another thread's that calls `finish` there.
  if (!deferred_) return task();
  const std::lock_guard lock(mutex_);
  waiting_.push_back({std::move(operation), std::move(keep), std::move(task)});
}

void HostQueue::finish() {
  if (!deferred_) return;
  const std::lock_guard lock(mutex_);
  const StopScope none({});  // a task may belong to another call
  for (const Task& task : std::exchange(waiting_, {})) {
    try {
      task.work();
    } catch (const std::exception& failure) {
      throw DeviceError(message(task.operation, " failed: ", failure.what()));
    }
  }
}

}  // namespace meander::engine
