// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/cuda/queue.hpp"

#include <algorithm>
#include <utility>

#include "core/message.hpp"

namespace meander::cuda {

Queue::Queue(int ordinal, std::string device) : ordinal_(ordinal), device_(std::move(device)) {}

Queue::~Queue() {
  // At the end of the program the driver may be gone already; errors have nowhere to go.
  if (stream_ != nullptr) cudaStreamDestroy(stream_);
}

void Queue::select() const { check(cudaSetDevice(ordinal_), "selecting the device"); }

DeviceCounters Queue::counters() const {
  const std::lock_guard lock(mutex_);
  return counters_;
}

void Queue::begin(const char* operation) {
  select();
  if (stream_ == nullptr) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "opening a stream");
  }
  if (std::ranges::find(under_way_, operation) == under_way_.end()) {
    under_way_.push_back(operation);
  }
}

void Queue::check(cudaError_t code, const std::string& operation) const {
  if (code == cudaSuccess) return;
  throw DeviceError(message(device_, ": ", operation, " failed: ", cudaGetErrorString(code)),
                    {.device = device_});
}

double Queue::device_seconds(const std::function<void()>& work) {
  constexpr const char* operation = "timing";
  cudaEvent_t begin = nullptr, end = nullptr;
  run(operation, 0, [&](cudaStream_t stream) {
    const cudaError_t code = cudaEventCreate(&begin);
    if (code != cudaSuccess) return code;
    const cudaError_t second = cudaEventCreate(&end);
    return second == cudaSuccess ? cudaEventRecord(begin, stream) : second;
  });
  work();
  run(operation, 0, [&](cudaStream_t stream) { return cudaEventRecord(end, stream); });
  finish();
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end), operation);
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return milliseconds * 1e-3;
}

void Queue::finish() {
  const std::lock_guard lock(mutex_);
  if (stream_ == nullptr || under_way_.empty()) return;
  select();
  ++counters_.waits;
  const cudaError_t state = cudaStreamSynchronize(stream_);
  if (state == cudaSuccess) return under_way_.clear();
  const std::vector<const char*> ended = std::exchange(under_way_, {});
  std::string names = ended.size() > 1 ? "one of " : "";
  for (const char* name : ended) names += message(name == ended[0] ? "" : ", ", name);
  check(state, names);
}

}  // namespace meander::cuda
