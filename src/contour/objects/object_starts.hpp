// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>
#include <vector>

#include "meander/control.hpp"
#include "meander/image.hpp"
#include "meander/outline.hpp"

namespace meander::contour {

/// Starts as a search wants them: simple rings within the image, of the right order, that do not
/// touch each other. Rings that touch are drawn in by a fraction of a pixel; where starts overlap,
/// the later one has the pixels. What of a start is left in several parts begins with the largest.
/// Throws InvalidArgument for rings that cross themselves and starts that hold no pixel.
std::vector<Region> prepared_starts(const std::vector<Region>& starts, const Shape& image,
                                    const Control& control = {});

/// Regions of which rings that touch are drawn in by a fraction of a pixel; nothing where some
/// touch or overlap all the same.
std::optional<std::vector<Region>> drawn_apart(std::vector<Region> regions,
                                               const Control& control = {});

/// Whether a point lies in a region, not in a hole of it.
bool covers(const Region& region, GridPoint p);

/// Whether no two rings of all regions touch, and none of another region lies in what a region
/// covers.
bool are_apart(const std::vector<Region>& regions);

}  // namespace meander::contour
