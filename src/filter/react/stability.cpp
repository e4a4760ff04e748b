// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/message.hpp"
#include "meander/react.hpp"

namespace meander {
namespace {

/// The largest eigenvalue of -Δ: that of the chessboard, where it has one.
double steepest(const Shape& shape, ReactLaplacian laplacian) {
  if (shape.rank() == 3) return 12;
  return laplacian == ReactLaplacian::nine ? 16.0 / 3 : 8;
}

/// The dt at which a mode that decays at `rate` begins to overshoot by more than it had.
double limit_of(double rate) {
  return rate > 0 ? 2 / rate : std::numeric_limits<double>::infinity();
}

}  // namespace

double react_dt_limit(const Shape& shape, const ReactOptions& options) {
  const auto& [a, b, c, e] = options.genes;
  const auto [d1, d2] = options.diffusion;
  if (e * b > 0) {
    throw InvalidArgument(message("genes are b=", b, ",e=", e, ", whose product is ", e * b,
                                  ", expected at most 0: v would grow without end"),
                          {.option = "genes"});
  }
  const double k = steepest(shape, options.laplacian);
  const double largest_square = std::max(4 * std::max(1.0, c), options.gain * options.gain);
  return std::min(limit_of(k * d2 - e * b), limit_of(k * d1 + largest_square - c));
}

ReactOptions with_stable_dt(const Shape& shape, ReactOptions options) {
  const double limit = react_dt_limit(shape, options);
  if (options.dt < limit) return options;
  const double time = static_cast<double>(options.steps) * options.dt;
  const double largest = 0.9 * limit;
  options.steps = static_cast<std::int64_t>(std::ceil(time / largest));
  options.dt = options.steps > 0 ? time / static_cast<double>(options.steps) : largest;
  return options;
}

}  // namespace meander
