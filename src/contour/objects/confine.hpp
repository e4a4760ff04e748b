// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "contour/objects/snakes.hpp"

/// Outlines that leave where they began; of starts by hand see contour/region/confine.hpp.
namespace meander::contour {

/// Of each start what is nearer to it than to others, by steps along sides and over corners in
/// turn. Zones reach beyond the image.
std::vector<Polygon> zones_between(const std::vector<Region>& starts, const Shape& image);

/// Objects that have run away from their starts, each in zones of its own, go back to what they
/// have left behind.
Effort keep_near_starts(ObjectField& field, const std::vector<Region>& starts,
                        const Control& control);

/// Found objects that have left where they were found have followed a slope: back to that.
void bring_back(ObjectField& field, const std::vector<Region>& starts);

/// Curves in the place of outlines stay near them from now on.
void confine_curves(ObjectField& field);

}  // namespace meander::contour
