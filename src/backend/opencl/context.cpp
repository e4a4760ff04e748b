// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/opencl/context.hpp"

#include "backend/opencl/error.hpp"

namespace meander::opencl {

Context::~Context() {
  if (handle_ != nullptr) api().clReleaseContext(handle_);
}

cl_context Context::handle() {
  const std::lock_guard lock(mutex_);
  if (handle_ == nullptr) {
    const cl_context_properties properties[] = {
        CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(facts.platform), 0};
    cl_int code = CL_SUCCESS;
    const cl_context made =
        api().clCreateContext(properties, 1, &facts.id, nullptr, nullptr, &code);
    check(code, name(), "creating a context");
    handle_ = made;
  }
  return handle_;
}

}  // namespace meander::opencl
