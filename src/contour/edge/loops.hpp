// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <optional>

#include "contour/geometry/polyline.hpp"

namespace meander::contour {

/// Takes out points until the line, on the grid of files, does not touch itself: of the two parts
/// between the places where it does, the one with fewer points goes; of an open line the one
/// between them. Returns how many parts went. Nothing when one held more than a quarter of the
/// points, or fewer than `least` would be left: then it is no small loop but another curve.
std::optional<std::int64_t> cut_loops(Polyline& line, std::int64_t least);

}  // namespace meander::contour
