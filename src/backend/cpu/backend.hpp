// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <memory>

#include "engine/backend.hpp"

namespace meander::cpu {

std::shared_ptr<engine::Backend> open();

}  // namespace meander::cpu
