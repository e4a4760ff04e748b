// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/cuda/queue.hpp"

#include <utility>

#include "core/message.hpp"

namespace meander::cuda {
namespace {

/// More than this in flight and the host waits for the oldest: the list, and what it keeps, stays
/// bounded.
constexpr std::size_t most_in_flight = 256;

}  // namespace

Queue::Queue(int ordinal, std::string device) : ordinal_(ordinal), device_(std::move(device)) {}

Queue::~Queue() {
  // At the end of the program the driver may be gone already; errors have nowhere to go.
  for (const InFlight& entry : in_flight_) cudaEventDestroy(entry.done);
  if (stream_ != nullptr) cudaStreamDestroy(stream_);
}

void Queue::select() const { check(cudaSetDevice(ordinal_), "selecting the device"); }

cudaStream_t Queue::stream() {
  select();
  if (stream_ == nullptr)
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "opening a stream");
  return stream_;
}

void Queue::check(cudaError_t code, const char* operation) const {
  if (code == cudaSuccess) return;
  const std::string text = message(device_, ": ", operation, " failed: ", cudaGetErrorString(code));
  if (code == cudaErrorMemoryAllocation) throw OutOfMemory(text);
  throw DeviceError(text);
}

void Queue::run(const char* operation, std::vector<engine::MemoryPtr> keep,
                const std::function<cudaError_t(cudaStream_t)>& launch) {
  const std::lock_guard lock(mutex_);
  const cudaStream_t queue = stream();
  forget_finished();
  check(launch(queue), operation);
  cudaEvent_t done = nullptr;
  check(cudaEventCreateWithFlags(&done, cudaEventDisableTiming), operation);
  in_flight_.push_back({operation, std::move(keep), done});
  check(cudaEventRecord(done, queue), operation);
}

void Queue::forget_finished() {
  while (!in_flight_.empty()) {
    InFlight& oldest = in_flight_.front();
    const bool crowded = in_flight_.size() > most_in_flight;
    const cudaError_t state =
        crowded ? cudaEventSynchronize(oldest.done) : cudaEventQuery(oldest.done);
    if (state == cudaErrorNotReady) return;
    const char* operation = oldest.operation;
    cudaEventDestroy(oldest.done);
    in_flight_.pop_front();
    check(state, operation);
  }
}

void Queue::wait() {
  const cudaError_t state = cudaStreamSynchronize(stream());
  const char* operation = in_flight_.empty() ? "waiting" : in_flight_.front().operation;
  // An event that completed names nothing: the culprit is the oldest that did not.
  while (state != cudaSuccess && !in_flight_.empty() &&
         cudaEventQuery(in_flight_.front().done) == cudaSuccess) {
    cudaEventDestroy(in_flight_.front().done);
    in_flight_.pop_front();
    if (!in_flight_.empty()) operation = in_flight_.front().operation;
  }
  for (const InFlight& entry : std::exchange(in_flight_, {})) cudaEventDestroy(entry.done);
  check(state, operation);
}

void Queue::finish() {
  const std::lock_guard lock(mutex_);
  if (stream_ != nullptr) wait();
}

void Queue::finish_and(const char* operation,
                       const std::function<cudaError_t(cudaStream_t)>& transfer) {
  const std::lock_guard lock(mutex_);
  wait();
  check(transfer(stream()), operation);
  check(cudaStreamSynchronize(stream()), operation);
}

}  // namespace meander::cuda
