// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <memory>

#include "backend/host.hpp"

namespace meander::cpu {

std::shared_ptr<engine::Backend> open();
/// What it runs.
engine::HostEngines host_engines();

}  // namespace meander::cpu
