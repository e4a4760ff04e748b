// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>

namespace meander::engine {

using wide = std::int64_t;
#define CROSSING inline
#include "rules/crossing.h"
#undef CROSSING

}  // namespace meander::engine
