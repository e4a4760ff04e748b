// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "meander/device.hpp"

namespace meander::cuda {

/// The in-order queue of one device: a stream. Blocks of the device's memory need not be kept until
/// they have been used, for whoever takes one from the pool next uses it on the same stream.
/// Thread-safe.
class Queue {
 public:
  Queue(int ordinal, std::string device);
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  /// Calls `launch` with the stream; it starts `launches` kernels. Throws DeviceError
  /// naming the operation when that fails.
  template <class Launch>
  void run(const char* operation, std::int64_t launches, Launch&& launch) {
    const std::lock_guard lock(mutex_);
    begin(operation);
    check(launch(stream_), operation);
    counters_.launches += launches;
  }
  /// Calls `copy` with the stream; it enqueues a transfer of so many bytes.
  template <class Copy>
  void transfer(const char* operation, std::size_t bytes, Copy&& copy) {
    run(operation, 0, std::forward<Copy>(copy));
    const std::lock_guard lock(mutex_);
    ++counters_.transfers;
    counters_.transferred_bytes += static_cast<std::int64_t>(bytes);
  }
  /// Calls `wait`, which waits for a part of a transfer.
  template <class Wait>
  void wait(const char* operation, Wait&& wait) {
    select();
    check(wait(), operation);
  }
  /// Waits for everything; a failure names the operations that may have caused it.
  void finish();

  /// See engine::Backend.
  double device_seconds(const std::function<void()>& work);

  /// Makes the device current on this thread.
  void select() const;
  /// Without allocations.
  DeviceCounters counters() const;

 private:
  void begin(const char* operation);
  void check(cudaError_t code, const std::string& operation) const;

  const int ordinal_;
  const std::string device_;
  mutable std::mutex mutex_;
  cudaStream_t stream_ = nullptr;
  std::vector<const char*> under_way_;  ///< What was enqueued since the last wait, each name once.
  DeviceCounters counters_;
};

}  // namespace meander::cuda
