// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "meander/image.hpp"

namespace meander::io {

/// Whether all numbers are finite and the steps are three ways through space: none of no length,
/// and not all in one plane. Other placements have no place for some pixels or one place for
/// several.
bool is_regular(const Placement& placement);

/// Under this name a file keeps a placement that its format has no place for.
inline constexpr std::string_view exact_placement_key = "meander_placement";

/// Origin, the three steps, and the numbers of axes and origin in their enumerations, with commas
/// between them and the shortest digits that read back as the same numbers.
std::string exact_text(const Placement& placement);
/// Nothing when the text is not of that form or a number is not finite.
std::optional<Placement> placement_in(std::string_view text);

}  // namespace meander::io
