// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <vector>

#include "backend/opencl/context.hpp"

namespace meander::opencl {

struct Findings {
  std::vector<Facts> devices;  ///< GPUs first, named opencl:0 and on.
  std::string problems;        ///< One clause per library, platform or device that was left out.
  bool has_failed = false;     ///< One of them is there, but answers with errors.
};

/// Asks every platform; opens nothing.
Findings find_devices();

}  // namespace meander::opencl
