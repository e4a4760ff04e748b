// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/backends.hpp"
#include "backend/reference/engines.hpp"
#include "core/host_memory.hpp"

namespace meander::reference {

/// Serial, float64, as plain as can be: the oracle the other backends are compared with.
std::shared_ptr<engine::Backend> open() {
  return engine::make_host_backend({.name = "reference",
                                    .description = "serial float64, for checking the others",
                                    .memory_bytes = engine::physical_memory_bytes(),
                                    .is_gpu = false,
                                    .has_float64 = true},
                                   host_engines());
}

}  // namespace meander::reference
