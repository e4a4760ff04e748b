// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif

#include <CL/cl.h>

#include <string>
#include <string_view>

namespace meander::opencl {

/// Every function of OpenCL that Meander calls. The loader is opened at run time, so that one
/// program serves machines with and without OpenCL.
#define MEANDER_OPENCL_FUNCTIONS(F) \
  F(clGetPlatformIDs)               \
  F(clGetPlatformInfo)              \
  F(clGetDeviceIDs)                 \
  F(clGetDeviceInfo)                \
  F(clCreateContext)                \
  F(clReleaseContext)               \
  F(clCreateCommandQueue)           \
  F(clReleaseCommandQueue)          \
  F(clFlush)                        \
  F(clFinish)                       \
  F(clGetEventInfo)                 \
  F(clGetEventProfilingInfo)        \
  F(clRetainEvent)                  \
  F(clWaitForEvents)                \
  F(clReleaseEvent)                 \
  F(clCreateBuffer)                 \
  F(clReleaseMemObject)             \
  F(clEnqueueMapBuffer)             \
  F(clEnqueueUnmapMemObject)        \
  F(clEnqueueReadBuffer)            \
  F(clEnqueueReadBufferRect)        \
  F(clEnqueueWriteBuffer)           \
  F(clEnqueueWriteBufferRect)       \
  F(clCreateProgramWithSource)      \
  F(clCreateProgramWithBinary)      \
  F(clBuildProgram)                 \
  F(clGetProgramInfo)               \
  F(clGetProgramBuildInfo)          \
  F(clReleaseProgram)               \
  F(clCreateKernel)                 \
  F(clGetKernelWorkGroupInfo)       \
  F(clSetKernelArg)                 \
  F(clReleaseKernel)                \
  F(clEnqueueNDRangeKernel)

struct Api {
#define MEANDER_MEMBER(name) decltype(&::name) name = nullptr;
  MEANDER_OPENCL_FUNCTIONS(MEANDER_MEMBER)
#undef MEANDER_MEMBER
};

struct Library {
  Api api;
  std::string problem;  ///< Empty, or why `api` must not be used.
};

/// Opened at first use and never closed: drivers do not survive that. MEANDER_OPENCL_LIBRARY in the
/// environment names another file than libOpenCL.so.1.
const Library& library();

inline const Api& api() { return library().api; }

/// "CL_OUT_OF_RESOURCES", or "OpenCL error -9999" for a code that only its vendor knows.
std::string error_name(cl_int code);

/// Throws "opencl:0: reduce failed: CL_OUT_OF_RESOURCES" as DeviceError, or as OutOfMemory where
/// it is the host's that is out.
[[noreturn]] void fail(std::string_view device, std::string_view operation, cl_int code);

inline void check(cl_int code, std::string_view device, std::string_view operation) {
  if (code != CL_SUCCESS) fail(device, operation, code);
}

}  // namespace meander::opencl
