// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "contour/geometry/pixel_set.hpp"
#include "contour/geometry/segments.hpp"
#include "contour/likelihood/sum_levels.hpp"

/// Sums over the pixels of regions and boxes, exactly.
namespace meander::contour {

RegionSums sums_of_ring(const SumLevels& image, const Polygon& ring);
RegionSums sums_of_region(const SumLevels& image, const Region& region);
/// `box`: its border runs between pixels.
RegionSums sums_of_box(const SumLevels& image, const Box& box);
/// Of what a region has in such a box.
RegionSums sums_in_box(const SumLevels& image, const Region& region, const Box& box);
RegionSums sums_of_pixels(const SumLevels& image, const PixelSet& pixels);

}  // namespace meander::contour
