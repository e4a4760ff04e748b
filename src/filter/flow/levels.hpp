// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <vector>

#include "engine/stencil.hpp"
#include "meander/image.hpp"

namespace meander {

/// One grid of a hierarchy; its weights are μ/h² of each axis, 0 along an axis of one cell.
struct FlowLevel {
  Shape shape;
  engine::Neighbours neighbours;
};

/// The grid itself and ever coarser ones, down to a single cell, which a sweep solves exactly. An
/// axis is halved when its weight is within 1.5 of the largest: so neighbours that are strongly
/// coupled become one cell first, and a sweep smooths along all axes that are left to be halved,
/// whatever the spacing. All have the border of the first, for otherwise they would disagree near
/// it and correct nothing.
std::vector<FlowLevel> flow_levels(const Shape& shape, const std::array<double, 3>& sides,
                                   double mu, const BorderRule& border);

}  // namespace meander
