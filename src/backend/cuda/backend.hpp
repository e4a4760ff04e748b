// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "engine/registry.hpp"

namespace meander::cuda {

/// Adds every CUDA device, or the reason why there is none.
void discover(engine::Registry& registry);

/// The backend of device `ordinal`; its context is made at first use. The rate is that of
/// its memory, as the driver tells it.
std::shared_ptr<engine::Backend> open(int ordinal, const DeviceInfo& info, double bytes_per_second);

}  // namespace meander::cuda
