// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "contour/geometry/segments.hpp"
#include "meander/image.hpp"

/// Shapes of outlines that may be two objects in one, or one object in two.
namespace meander::contour {

/// Bays of an outline: runs of nodes within its convex hull that reach deeper than a pixel into it.
std::int64_t bays_of(const Polygon& outline);

/// Two outlines about a pixel apart, both within the one that was cut.
struct Halves {
  Polygon first, second;
};

/// Where an outline pinches: cuts across it from a node that lies in a bay to the other side, those
/// first that are shortest beside what they cut off; `most` of them at most. A cut is shorter than
/// the parts on both its sides are wide. Some nanoseconds a pair of nodes.
std::vector<Halves> cuts_of(const Polygon& outline, std::size_t most,
                            const std::stop_token& stop = {});

/// Whether the closest points of two outlines are at most so far apart.
bool are_close(const Polygon& a, const Polygon& b, double pixels);

/// The outlines of the pixels of an image that two outlines hold and of those between them, the
/// largest part first; parts that are small beside it are left out. Simple, as outline_of_mask's.
std::vector<Polygon> joined(const Polygon& a, const Polygon& b, const Shape& image);

}  // namespace meander::contour
