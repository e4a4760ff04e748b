// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "backend/opencl/context.hpp"
#include "engine/memory.hpp"

namespace meander::opencl {

/// The in-order queue of a device. Remembers which operations are in flight, so that a late error
/// has a name, and keeps their blocks alive until they have run. After an error it starts afresh:
/// what was in flight is dropped, since it may depend on what failed. Thread-safe.
class Queue {
 public:
  explicit Queue(std::shared_ptr<Context> context) : context_(std::move(context)) {}
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  /// Puts one command into the queue it is given and sets the event; returns OpenCL's code.
  using Enqueue = std::function<cl_int(cl_command_queue queue, cl_event* event)>;
  /// Runs when everything enqueued has; returns OpenCL's code.
  using Transfer = std::function<cl_int(cl_command_queue queue)>;

  /// `keep` holds the blocks the command touches. Throws for this command, or for an earlier one
  /// that is found to have failed.
  void run(std::string operation, std::vector<engine::MemoryPtr> keep, const Enqueue& enqueue);
  /// Waits, then lets `transfer` do blocking copies.
  void wait_and(const std::string& operation, const Transfer& transfer);
  /// Waits. Throws DeviceError naming the first operation that failed.
  void finish();

 private:
  struct InFlight {
    std::string operation;
    std::vector<engine::MemoryPtr> keep;
    cl_event event;
  };
  cl_command_queue handle();
  void forget_finished();
  void wait_for_all();
  void forget_oldest();
  /// By value: the entry that owns the name goes away.
  [[noreturn]] void give_up(std::string operation, cl_int code);

  const std::shared_ptr<Context> context_;
  std::mutex mutex_;
  cl_command_queue handle_ = nullptr;
  std::deque<InFlight> in_flight_;
};

}  // namespace meander::opencl
