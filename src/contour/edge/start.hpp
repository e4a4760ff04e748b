// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "meander/image.hpp"
#include "meander/outline.hpp"

namespace meander::contour {

/// Where a snake begins that is given no start: the rectangle of coarse blocks that divides the
/// image best (see SegmentInputs), larger by a quarter of its sides on every side, for flow pulls
/// into concavities better than out into tips.
Curve start_in(const Image& image, const Control& control);

/// Closed starts within the image and in the order of positive area; open ones as they are.
std::vector<Curve> prepared(const std::vector<Curve>& starts, const Shape& image);

}  // namespace meander::contour
