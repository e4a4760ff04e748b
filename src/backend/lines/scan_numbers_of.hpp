// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "backend/lines/scan_numbers.hpp"
#include "engine/scan.hpp"

namespace meander::lines {

/// Some thousand operations.
ScanNumbers scan_numbers_of(const engine::Recurrence& recurrence);

}  // namespace meander::lines
