// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <string_view>

#include "backend/opencl/api.hpp"

namespace meander::opencl {

/// "CL_OUT_OF_RESOURCES", or "OpenCL error -9999" for a code that only its vendor knows.
std::string error_name(cl_int code);

/// Throws "opencl:0: reduce failed: CL_OUT_OF_RESOURCES" as DeviceError, or as OutOfMemory where
/// it is the host's that is out.
[[noreturn]] void fail(std::string_view device, std::string_view operation, cl_int code);

inline void check(cl_int code, std::string_view device, std::string_view operation) {
  if (code != CL_SUCCESS) fail(device, operation, code);
}

}  // namespace meander::opencl
