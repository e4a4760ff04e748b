// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cuda_runtime_api.h>

#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "engine/memory.hpp"

namespace meander::cuda {

/// The in-order queue of one device: a stream and the list of what is in flight on it, so that
/// blocks live until they have been used and a late error can be named. Thread-safe.
class Queue {
 public:
  Queue(int ordinal, std::string device);
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  /// Calls `launch` with the stream. Throws DeviceError (or OutOfMemory) naming the operation when
  /// launching fails.
  void run(const char* operation, std::vector<engine::MemoryPtr> keep,
           const std::function<cudaError_t(cudaStream_t)>& launch);
  /// Waits for everything; a failure names the oldest operation that may have caused it.
  void finish();
  /// The same, then `transfer` on the idle stream, and waits for it.
  void finish_and(const char* operation, const std::function<cudaError_t(cudaStream_t)>& transfer);

  /// Makes the device current on this thread.
  void select() const;

 private:
  struct InFlight {
    const char* operation;
    std::vector<engine::MemoryPtr> keep;
    cudaEvent_t done;
  };
  cudaStream_t stream();
  void check(cudaError_t code, const char* operation) const;
  void forget_finished();
  void wait();

  const int ordinal_;
  const std::string device_;
  std::mutex mutex_;
  cudaStream_t stream_ = nullptr;
  std::deque<InFlight> in_flight_;
};

}  // namespace meander::cuda
