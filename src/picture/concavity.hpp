// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <span>

#include "meander/outline.hpp"

namespace meander::pictures {

/// The point that lies farthest behind the convex hull of its curve, of all closed curves; one of
/// equals. Without any closed curve a point half way along the first curve; without any curve the
/// origin.
GridPoint deepest_point(std::span<const Curve> curves);

}  // namespace meander::pictures
