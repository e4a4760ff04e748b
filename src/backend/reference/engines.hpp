// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "backend/host.hpp"

namespace meander::reference {
#include "backend/host_engines.inc"
}  // namespace meander::reference
