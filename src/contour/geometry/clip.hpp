// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "meander/image.hpp"
#include "meander/outline.hpp"

namespace meander::contour {

/// Between which nodes lie: half a pixel around the image.
GridPoint lowest_node();
GridPoint highest_node(const Shape& image);

/// What of a simple polygon lies in the image and half a pixel around it; itself where all of it
/// does. Throws InvalidArgument when nothing does, or several parts do.
Polygon clipped(const Polygon& polygon, const Shape& image);

}  // namespace meander::contour
