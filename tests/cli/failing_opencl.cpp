// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// An OpenCL library that fails, for MEANDER_OPENCL_LIBRARY: the calls named in FAULT_CALLS (parted
// by commas) do so from the FAULT_FIRST-th on, counted together. What is not here the system's
// library does, which this one depends on.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <string>

namespace {

bool is_named(const char* call) {
  const char* named = std::getenv("FAULT_CALLS");
  return named != nullptr &&
         ("," + std::string(named) + ",").find("," + std::string(call) + ",") != std::string::npos;
}

bool fails(const char* call) {
  static std::atomic<int> calls = 0;
  const char* first = std::getenv("FAULT_FIRST");
  return is_named(call) && ++calls >= (first != nullptr ? std::atoi(first) : 1);
}

template <class Function>
Function next(Function, const char* name) {
  static void* const library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  return reinterpret_cast<Function>(dlsym(library, name));
}

}  // namespace

extern "C" {

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint count,
                      cl_device_id* devices, cl_uint* found) {
  if (fails("start")) return CL_OUT_OF_RESOURCES;
  return next(&clGetDeviceIDs, "clGetDeviceIDs")(platform, type, count, devices, found);
}

cl_context clCreateContext(const cl_context_properties* properties, cl_uint count,
                           const cl_device_id* devices,
                           void(CL_CALLBACK* notify)(const char*, const void*, size_t, void*),
                           void* data, cl_int* code) {
  if (fails("context")) {
    *code = CL_DEVICE_NOT_AVAILABLE;
    return nullptr;
  }
  return next(&clCreateContext, "clCreateContext")(properties, count, devices, notify, data, code);
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void* host,
                      cl_int* code) {
  if (fails("memory")) {
    *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return nullptr;
  }
  return next(&clCreateBuffer, "clCreateBuffer")(context, flags, bytes, host, code);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint axes,
                              const size_t* offset, const size_t* global, const size_t* local,
                              cl_uint count, const cl_event* before, cl_event* event) {
  if (fails("kernel")) return CL_DEVICE_NOT_AVAILABLE;
  return next(&clEnqueueNDRangeKernel, "clEnqueueNDRangeKernel")(
      queue, kernel, axes, offset, global, local, count, before, event);
}

cl_int clFinish(cl_command_queue queue) {
  const cl_int code = next(&clFinish, "clFinish")(queue);
  return fails("wait") ? CL_DEVICE_NOT_AVAILABLE : code;
}

}  // extern "C"
