// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "session/session.hpp"

namespace meander::app {

/// The larger of the two in the middle of an even number; there is at least one.
double median_of(std::vector<double> values);

/// Runs `compute` with the device synchronised at both ends and reports its seconds; with `repeat`
/// so many times after one warm-up, and reports the median and each.
void timed_compute(Session& session, const std::optional<std::int64_t>& repeat,
                   const std::function<void()>& compute);

}  // namespace meander::app
