// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>

#include "meander/image.hpp"

namespace meander::bench {

/// Of all values that were counted; NaN when none was.
struct Moments {
  double mean = 0;
  double variance = 0;  ///< Of the population (divided by the count).
  double max = 0, min = 0;
};

/// How far a field is from another, as in equations 3 and 4 of Smistad, Elster and Lindseth.
struct FieldErrors {
  std::int64_t vectors = 0;
  Moments magnitude;          ///< ||V| - |W||.
  Moments angle;              ///< Between V and W in radians, 0 to π, where neither is 0.
  std::int64_t left_out = 0;  ///< Vectors without an angle, since one of the two is 0.
  double largest_turned = 0;  ///< Largest |W| of those with an angle above 0.1; 0 when none is.
  double distance = 0;        ///< Root of Σ|V - W|² over Σ|W|².
};

/// `found` V beside `wanted` W, of one shape and in host memory; computed in float64.
FieldErrors field_errors(const Field& found, const Field& wanted);

}  // namespace meander::bench
