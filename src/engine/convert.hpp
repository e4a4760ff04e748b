// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

namespace meander::engine {

/// The map of a conversion: out = round(in · scale + offset), saturated to the type of `out`.
///
/// Rounding is to nearest, ties to even; NaN becomes 0 in an integer type; floats overflow to
/// infinity. The product and the sum are each rounded, in float64 when either type is f64 and in
/// float32 otherwise (`reference`: always float64). The identity skips the arithmetic, so a value
/// that the target can hold arrives exactly on every backend.
struct Affine {
  double scale = 1;
  double offset = 0;
  bool is_identity() const { return scale == 1 && offset == 0; }
};

}  // namespace meander::engine
