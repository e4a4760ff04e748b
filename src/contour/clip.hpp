// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "meander/image.hpp"
#include "meander/outline.hpp"

namespace meander::contour {

/// What of a simple polygon lies in the image and half a pixel around it; itself where all of it
/// does. Throws InvalidArgument when nothing does, or several parts do.
Polygon clipped(const Polygon& polygon, const Shape& image);

}  // namespace meander::contour
