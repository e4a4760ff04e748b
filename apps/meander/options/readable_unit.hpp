// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "meander/image.hpp"

namespace meander::app {

/// The same lengths in another unit; neither is the pixel.
Spacing in_unit(const Spacing& spacing, Unit unit);

/// In a unit in which the sizes of objects are neither tiny nor huge numbers: its own where that
/// does, else the largest of nm, um, mm and m. Spacing in pixels stays as it is.
Spacing readable(const Spacing& spacing);

}  // namespace meander::app
