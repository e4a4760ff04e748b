// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "meander/image.hpp"

namespace meander::app {

/// "ras", "lps", …
std::string_view name_of(WorldAxes axes);

/// Where the image's axes x, y and z lead to: three letters, of right and left, anterior and
/// posterior, superior and inferior, as "RAS" or "LPS"; where the world's axes have no such names,
/// their own with a sign, as "+x-y+z".
std::string orientation_of(const Placement& placement);

/// By how many pixels two images lie apart, at the corners where it is most; nothing when one of
/// them says nothing, or their units do not go together.
std::optional<double> displacement(const Description& a, const Description& b);

/// Whether pixels have the same size, to the precision that files of float32 have.
bool has_same_spacing(const Description& a, const Description& b);

}  // namespace meander::app
