// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "backend/opencl/api.hpp"
#include "backend/opencl/device.hpp"

namespace meander::opencl {

/// The in-order queue of a device. Remembers which operations are under way, so that a late error
/// has a name. After an error it starts afresh: what was under way is dropped, since it may depend
/// on what failed. Buffers need not be kept until they have been used: whoever takes one from the
/// pool next uses it in the same queue, and OpenCL keeps released ones itself. Thread-safe.
class Queue {
 public:
  explicit Queue(std::shared_ptr<Context> context) : context_(std::move(context)) {}
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  /// `enqueue(queue, event)` puts one kernel into the queue, sets the event and returns OpenCL's
  /// code. Throws for this command, or for an earlier one that is found to have failed.
  template <class Enqueue>
  void run(const char* operation, Enqueue&& enqueue) {
    const std::lock_guard lock(mutex_);
    add(operation, nullptr, std::forward<Enqueue>(enqueue));
    ++counters_.launches;
  }
  /// The same of a copy of so many bytes, which waits or not; `keep` holds the host memory of one
  /// that does not.
  template <class Enqueue>
  void transfer(const char* operation, std::size_t bytes, bool waits,
                std::shared_ptr<const void> keep, Enqueue&& enqueue) {
    const std::lock_guard lock(mutex_);
    add(operation, std::move(keep), std::forward<Enqueue>(enqueue));
    ++counters_.transfers;
    counters_.transferred_bytes += static_cast<std::int64_t>(bytes);
    counters_.waits += waits ? 1 : 0;
  }
  /// A table from the host, which may be changed when it returns; does not wait.
  void upload(const char* operation, cl_mem buffer, const void* table, std::size_t bytes);
  /// Enqueues the copy of a buffer's beginning; it has arrived after `finish`.
  void download(const char* operation, cl_mem buffer, void* to, std::size_t bytes);
  /// Waits for one event, that of a part of a transfer, and releases it.
  void wait_for(cl_event event);
  /// Waits. Throws DeviceError naming the first operation that failed.
  void finish();
  /// See engine::Backend; by a queue of its own, in which the driver keeps times. No other thread
  /// may use this one meanwhile.
  double device_seconds(const std::function<void()>& work);
  /// Without allocations.
  DeviceCounters counters() const;
  /// How often it gave up what was under way.
  std::int64_t failures() const;

 private:
  struct UnderWay {
    const char* operation;
    std::shared_ptr<const void> keep;
    cl_event event;
  };
  template <class Enqueue>
  void add(const char* operation, std::shared_ptr<const void> keep, Enqueue&& enqueue) {
    make_room();
    cl_event event = nullptr;
    check(enqueue(handle(), &event), context_->name(), operation);
    under_way_.push_back({operation, std::move(keep), event});
    if (under_way_.size() % flush_every == 0) flush();
  }
  cl_command_queue handle();
  /// Waits and starts a new one the next time.
  void close();
  void flush();
  void make_room();
  void forget_finished();
  void forget_oldest();
  [[noreturn]] void give_up(const char* operation, cl_int code);

  /// A driver may leave commands lying until someone waits or flushes, which takes longer than a
  /// launch.
  static constexpr std::size_t flush_every = 16;

  const std::shared_ptr<Context> context_;
  mutable std::mutex mutex_;
  cl_command_queue handle_ = nullptr;
  std::deque<UnderWay> under_way_;
  DeviceCounters counters_;
  std::int64_t failures_ = 0;
  bool is_timed_ = false;
  cl_ulong first_start_ = 0, last_end_ = 0;  ///< Nanoseconds, of the commands that are forgotten.
};

}  // namespace meander::opencl
