// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "contour/region/segment_testing.hpp"
#include "meander/edge.hpp"

namespace meander::testing {

inline PhantomOptions noisy(PhantomKind kind, std::int64_t side, double snr,
                            std::uint64_t seed = 0) {
  return {.kind = kind,
          .size = {side, side, 1},
          .noise = {NoiseFamily::gaussian},
          .snr = snr,
          .seed = seed};
}
inline PhantomOptions noisy_star(std::int64_t side, double snr) {
  return noisy(PhantomKind::star, side, snr);
}

/// A circle around the middle, outside of every shape.
inline EdgeInputs around(std::int64_t side) {
  const double half = static_cast<double>(side) / 2;
  return {.starts = {{.points = circle_outline(half, half, 0.86 * half).vertices}}};
}

inline double overlap(const EdgeOutline& outline, const Image& truth) {
  return overlap(Polygon{outline.curve.points}, truth);
}

}  // namespace meander::testing
