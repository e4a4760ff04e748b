// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <vector>

#include "contour/geometry/segments.hpp"
#include "meander/image.hpp"

/// Where objects may go while others are looked at: boxes of whole pixels.
namespace meander::contour {

/// The box around an outline and half its larger side, at least some pixels, beyond it; cut to the
/// image. Its border runs between pixels.
Box window_around(const Polygon& outline, const Shape& image);

/// Whether an outline comes up to a side of its window that is not the image's, and might go on.
bool is_held_back(const Polygon& outline, const Box& window, const Shape& image);

/// Whether two boxes have a point in common.
bool do_meet(const Box& a, const Box& b);
bool is_within(const Box& inner, const Box& outer);

/// For each box the others that it meets, in their order. About the number of pairs, and of boxes
/// side by side.
std::vector<std::vector<std::size_t>> neighbours_of(const std::vector<Box>& boxes);

/// Groups of those that take part, in order, such that no two neighbours are in one group: each in
/// the first group that it may be in.
std::vector<std::vector<std::size_t>> groups_apart(
    const std::vector<std::vector<std::size_t>>& neighbours, const std::vector<bool>& takes_part);

}  // namespace meander::contour
