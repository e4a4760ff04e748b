// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "engine/registry.hpp"

namespace meander::opencl {

struct Facts;

/// Adds every OpenCL device, or the reason why there is none.
void discover(engine::Registry& registry);

/// The backend of one device; nothing is asked of its driver until it is used.
std::shared_ptr<engine::Backend> open(const Facts& facts);

}  // namespace meander::opencl
