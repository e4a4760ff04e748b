// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <memory>
#include <vector>

#include "engine/backend.hpp"

namespace meander::engine {

/// Every device of this machine, the fastest first, and the backends that have none.
struct Registry {
  std::vector<std::shared_ptr<Backend>> devices;
  std::vector<AbsentBackend> absent;
};

/// Found once, at first use. Never destroyed: handles may live in other static objects.
const Registry& registry();
/// Whether that has been asked for: loading the drivers takes long.
bool has_registry();

/// The device host images live on.
const std::shared_ptr<Backend>& host_backend();

}  // namespace meander::engine
