// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "picture/plane.hpp"

namespace meander::pictures {

enum class Brightness {
  by_length,  ///< strength() of each vector.
  full        ///< Of every vector that is not 0: directions alone.
};

/// One pixel for each vector, without the wheel. Tells no progress.
Image colour_picture(const VectorPlane& plane, Brightness brightness, const Control& control = {});
/// Draws the wheel at the upper right where there is room for it.
void add_wheel(Image& picture, Brightness brightness);

}  // namespace meander::pictures
