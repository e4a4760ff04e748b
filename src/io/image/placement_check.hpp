// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "meander/image.hpp"

namespace meander::io {

/// Whether all numbers are finite and the steps are three ways through space: none of no length,
/// and not all in one plane. Other placements have no place for some pixels or one place for
/// several.
bool is_regular(const Placement& placement);

}  // namespace meander::io
