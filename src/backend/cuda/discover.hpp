// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "engine/registry.hpp"

namespace meander::cuda {

/// Adds every CUDA device, or the reason why there is none.
void discover(engine::Registry& registry);

}  // namespace meander::cuda
