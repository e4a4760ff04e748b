// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "meander/image.hpp"
#include "meander/outline.hpp"

/// Starts by hand, of which nobody knows how far they are to grow.
namespace meander::contour {

/// Whether an outline has more pixels outside of its start than the start has: it may have run away
/// through something that looks like the object.
bool has_run_away(const Region& outline, const Region& start, const Shape& image);
/// Where an outline stays that may not leave its start.
Polygon zone_about(const Region& start, const Shape& image);
/// Whether an outline that may not leave its start lies on the start's border for the most part.
/// One that does would grow; one that does not has found what the start was drawn around.
bool is_held(const Region& outline, const Region& start, const Shape& image);

}  // namespace meander::contour
