// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "meander/find.hpp"

namespace meander::contour {

/// Throws InvalidArgument for options of a model in use that are out of their ranges, before any
/// work, and for starts of a model that is not in use.
void check_find(const FindOptions& options, bool has_regions, bool has_curves);
/// Throws InvalidArgument for a gap of tracks below 0.
void check_gap(std::int64_t gap);

}  // namespace meander::contour
