// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "contour/likelihood/criterion.hpp"
#include "contour/likelihood/sums.hpp"

namespace meander::contour {

struct FoundRectangle {
  Polygon outline;
  double criterion = 0;
};

/// The rectangle of whole cells of the coarsest grid with the least criterion, the first of several
/// in the order of upper, lower, left and right side. Nothing when the image has only one cell.
std::optional<FoundRectangle> best_rectangle(const SumLevels& image, const Criterion& criterion);

}  // namespace meander::contour
