// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/opencl/queue.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace meander::opencl {
namespace {

/// Bounds what waits for a slow device; far above what hides the latency of a launch.
constexpr std::size_t most_under_way = 256;

/// CL_COMPLETE, a positive state on the way there, or the negative code of a failure.
cl_int status_of(cl_event event) {
  cl_int status = CL_COMPLETE;
  const cl_int code = api().clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
                                           &status, nullptr);
  return code == CL_SUCCESS ? status : code;
}

cl_ulong time_of(cl_event event, cl_profiling_info which, cl_ulong otherwise) {
  cl_ulong time = 0;
  const cl_int code = api().clGetEventProfilingInfo(event, which, sizeof(time), &time, nullptr);
  return code == CL_SUCCESS ? time : otherwise;
}

}  // namespace

Queue::~Queue() { close(); }

void Queue::close() {
  if (handle_ == nullptr) return;
  api().clFinish(handle_);
  while (!under_way_.empty()) forget_oldest();
  api().clReleaseCommandQueue(std::exchange(handle_, nullptr));
}

double Queue::device_seconds(const std::function<void()>& work) {
  const auto reopen = [&](bool is_timed) {
    finish();
    const std::lock_guard lock(mutex_);
    close();
    is_timed_ = is_timed;
    handle();  // not in the time of whatever comes next
  };
  reopen(true);
  first_start_ = std::numeric_limits<cl_ulong>::max();
  last_end_ = 0;
  try {
    work();
    finish();
  } catch (...) {
    is_timed_ = false;
    throw;
  }
  reopen(false);
  return last_end_ > first_start_ ? static_cast<double>(last_end_ - first_start_) * 1e-9 : 0;
}

DeviceCounters Queue::counters() const {
  const std::lock_guard lock(mutex_);
  return counters_;
}

void Queue::upload(const char* operation, cl_mem buffer, const void* table, std::size_t bytes) {
  const auto* first = static_cast<const char*>(table);
  const auto copy = std::make_shared<const std::vector<char>>(first, first + bytes);
  transfer(operation, bytes, false, copy, [&](cl_command_queue queue, cl_event* event) {
    return api().clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, bytes, copy->data(), 0, nullptr,
                                      event);
  });
}

void Queue::download(const char* operation, cl_mem buffer, void* to, std::size_t bytes) {
  transfer(operation, bytes, false, nullptr, [&](cl_command_queue queue, cl_event* event) {
    return api().clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, bytes, to, 0, nullptr, event);
  });
}

void Queue::wait_for(cl_event event) {
  const std::lock_guard lock(mutex_);
  // Its status tells whether it failed.
  api().clWaitForEvents(1, &event);
  api().clReleaseEvent(event);
  forget_finished();
}

void Queue::finish() {
  const std::lock_guard lock(mutex_);
  if (under_way_.empty()) return;
  ++counters_.waits;
  const cl_int code = api().clFinish(handle_);
  forget_finished();
  if (code != CL_SUCCESS) {
    give_up(under_way_.empty() ? "waiting" : under_way_.front().operation, code);
  }
}

std::int64_t Queue::failures() const {
  const std::lock_guard lock(mutex_);
  return failures_;
}

cl_command_queue Queue::handle() {
  if (handle_ == nullptr) {
    cl_int code = CL_SUCCESS;
    const cl_command_queue made = api().clCreateCommandQueue(
        context_->handle(), context_->facts.id, is_timed_ ? CL_QUEUE_PROFILING_ENABLE : 0, &code);
    check(code, context_->name(), "creating a queue");
    handle_ = made;
  }
  return handle_;
}

void Queue::flush() {
  if (const cl_int code = api().clFlush(handle_)) give_up(under_way_.back().operation, code);
}

void Queue::make_room() {
  if (under_way_.size() < most_under_way) return;
  // Its status tells whether it failed.
  api().clWaitForEvents(1, &under_way_[under_way_.size() / 2].event);
  forget_finished();
}

void Queue::forget_finished() {
  while (!under_way_.empty()) {
    const cl_int status = status_of(under_way_.front().event);
    if (status > CL_COMPLETE) return;
    if (status < CL_COMPLETE) give_up(under_way_.front().operation, status);
    forget_oldest();
  }
}

void Queue::forget_oldest() {
  if (is_timed_) {
    const cl_event event = under_way_.front().event;
    first_start_ = std::min(first_start_, time_of(event, CL_PROFILING_COMMAND_START, first_start_));
    last_end_ = std::max(last_end_, time_of(event, CL_PROFILING_COMMAND_END, last_end_));
  }
  api().clReleaseEvent(under_way_.front().event);
  under_way_.pop_front();
}

void Queue::give_up(const char* operation, cl_int code) {
  ++failures_;
  close();
  fail(context_->name(), operation, code);
}

}  // namespace meander::opencl
