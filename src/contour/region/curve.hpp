// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>

#include "contour/region/snake.hpp"

namespace meander::contour {

struct CurveFit {
  Spline spline;
  double description_length = 0;
};

struct CurveStart {
  const Polygon& polygon;  ///< Of positive area, simple, off obstacles; it divides the image.
  bool is_forced = false;  ///< A curve is wanted though the polygon is described in less.
};

/// The closed spline under which the image has the shortest description, where that is much
/// shorter than with the polygon it begins from. Simple and off obstacles at every step. Decisions
/// are made from exact sums in the order of the nodes: they do not depend on who computed the sums.
/// Cost: some thousand sums along the outline. None where no curve is allowed, or none is shorter.
std::optional<CurveFit> fitted_curve(const SumLevels& image, const Criterion& criterion,
                                     const Surroundings& surroundings, const CurveStart& start,
                                     const Control& control, std::int64_t& evaluations);

/// See Outline::confidence: of each node of a spline.
std::vector<double> confidence_of(const SumLevels& image, const Criterion& criterion,
                                  const Spline& spline);

}  // namespace meander::contour
