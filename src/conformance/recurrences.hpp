// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <vector>

#include "engine/scan.hpp"
#include "meander/pixel.hpp"

namespace meander::conformance {

/// Stable recurrences of every form and number of states, made from a few poles, with matrices that
/// no filter would have: they are data, and a wrong place must show. Rounded to `type`, so that
/// every device starts from the same numbers.
std::vector<engine::Recurrence> sample_recurrences(PixelType type);

/// The same with a border. Warm-ups, where there are any, take turns; some are longer than lines.
engine::Recurrence with_border(engine::Recurrence recurrence, Border border, std::size_t turn);

}  // namespace meander::conformance
