// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/opencl/queue.hpp"

#include <utility>

#include "backend/opencl/error.hpp"

namespace meander::opencl {
namespace {

/// Bounds the blocks that wait for a slow device; far above what hides the latency of a launch.
constexpr std::size_t most_in_flight = 128;

/// CL_COMPLETE, a positive state on the way there, or the negative code of a failure.
cl_int status_of(cl_event event) {
  cl_int status = CL_COMPLETE;
  const cl_int code = api().clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
                                           &status, nullptr);
  return code == CL_SUCCESS ? status : code;
}

}  // namespace

Queue::~Queue() {
  if (handle_ == nullptr) return;
  api().clFinish(handle_);
  while (!in_flight_.empty()) forget_oldest();
  api().clReleaseCommandQueue(handle_);
}

void Queue::run(std::string operation, std::vector<engine::MemoryPtr> keep,
                const Enqueue& enqueue) {
  const std::lock_guard lock(mutex_);
  forget_finished();
  cl_event event = nullptr;
  const cl_command_queue queue = handle();
  check(enqueue(queue, &event), context_->name(), operation);
  in_flight_.push_back({std::move(operation), std::move(keep), event});
  // Without it a driver may leave the command lying until someone waits.
  if (const cl_int code = api().clFlush(queue)) give_up(in_flight_.back().operation, code);
}

void Queue::wait_and(const std::string& operation, const Transfer& transfer) {
  const std::lock_guard lock(mutex_);
  wait_for_all();
  if (const cl_int code = transfer(handle())) give_up(operation, code);
}

void Queue::finish() {
  const std::lock_guard lock(mutex_);
  wait_for_all();
}

cl_command_queue Queue::handle() {
  if (handle_ == nullptr) {
    cl_int code = CL_SUCCESS;
    const cl_command_queue made =
        api().clCreateCommandQueue(context_->handle(), context_->facts.id, 0, &code);
    check(code, context_->name(), "creating a queue");
    handle_ = made;
  }
  return handle_;
}

void Queue::forget_finished() {
  if (in_flight_.size() >= most_in_flight) {
    // Its status tells below whether it failed.
    api().clWaitForEvents(1, &in_flight_[in_flight_.size() / 2].event);
  }
  while (!in_flight_.empty()) {
    const cl_int status = status_of(in_flight_.front().event);
    if (status > CL_COMPLETE) return;
    if (status < CL_COMPLETE) give_up(in_flight_.front().operation, status);
    forget_oldest();
  }
}

void Queue::wait_for_all() {
  if (in_flight_.empty()) return;
  const cl_int code = api().clFinish(handle_);
  forget_finished();
  if (code != CL_SUCCESS) {
    give_up(in_flight_.empty() ? "waiting" : in_flight_.front().operation, code);
  }
}

void Queue::forget_oldest() {
  api().clReleaseEvent(in_flight_.front().event);
  in_flight_.pop_front();
}

void Queue::give_up(std::string operation, cl_int code) {
  api().clFinish(handle_);
  while (!in_flight_.empty()) forget_oldest();
  api().clReleaseCommandQueue(std::exchange(handle_, nullptr));
  fail(context_->name(), operation, code);
}

}  // namespace meander::opencl
