// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "filter/gauss/poles.hpp"
#include "meander/border.hpp"

/// What the borders do to the states of a cascade (see engine::Recurrence). A state is taken apart
/// into its modes, each of which decays by its pole from pixel to pixel.
namespace meander {

using StateMatrix = std::array<double, 25>;  ///< K×K, row by row, K the number of poles.

/// Makes of the state after `period` pixels that after endlessly many such periods; 0: the
/// identity. `all` are the poles with conjugates.
StateMatrix wrap_matrix(const std::vector<Pole>& all, std::int64_t period);

/// Makes of the state that the backward pass ends with the one that the forward pass starts from,
/// both passes continued beyond the line's beginning as the border says. Not for `periodic`.
StateMatrix turn_matrix(const std::vector<Pole>& all, Border border);

}  // namespace meander
