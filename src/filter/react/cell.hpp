// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <vector>

#include "engine/convert.hpp"
#include "engine/stencil.hpp"
#include "meander/react.hpp"

/// What the options come to for the engine, whose states are U = s·u and W = -dt·s·v (see the rule
/// fitzhugh_nagumo).
namespace meander {

/// What u and v are multiplied by to become states of the engine.
std::array<double, 2> state_scales(const ReactOptions& options);

/// One step, with the rule's parameters; whoever runs it says how many.
engine::Iteration react_iteration(const Shape& shape, const ReactOptions& options);

/// From pixels to states of the engine, first U, then W. A window without width makes every state
/// 0.
std::array<engine::Affine, 2> start_maps(const ReactOptions& options,
                                         const std::array<double, 2>& window);

/// The type of the states of such images.
PixelType state_type(PixelType image, const ReactOptions& options);

/// The layers that a run gives, in order: 0 is u, 1 is v.
std::vector<int> layers_of(ReactLayer layer);

}  // namespace meander
