// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstddef>

namespace meander::phantoms {

/// The standard normal quantile of u in (0, 1) by Wichura's AS241, relative error about 1e-16.
double normal_quantile(double u);

/// Replaces each of a chunk's uniforms, multiples of 2^-53, by its normal quantile: the same values
/// as one by one, faster.
inline constexpr std::size_t chunk_length = 256;
void to_normal(double (&values)[chunk_length]);

}  // namespace meander::phantoms
