// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <memory>

#include "engine/registry.hpp"

/// Where each backend begins. Those of devices add every one of theirs, or the reason why there is
/// none.
namespace meander {

namespace reference {
std::shared_ptr<engine::Backend> open();
}

namespace cpu {
std::shared_ptr<engine::Backend> open();
}

namespace opencl {
void discover(engine::Registry& registry);
}

namespace cuda {
void discover(engine::Registry& registry);
}

}  // namespace meander
