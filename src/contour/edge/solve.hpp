// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <vector>

#include "contour/geometry/polyline.hpp"
#include "engine/backend.hpp"
#include "meander/edge.hpp"

namespace meander::contour {

/// How stiff the points of a curve are in one step: M = I + tension·(-Δ) + rigidity·Δ², Δ the
/// second difference along the points.
struct Stiffness {
  double tension = 0, rigidity = 0;
};

/// The first weights w[0], w[1], … of the inverse of M for so many points in a ring; see
/// engine/snake.hpp. Those left out are below 1e-9, and w[0] makes up for them, so that all weights
/// of a row add up to 1: whatever moves all points alike is not changed.
std::vector<float> ring_weights(const Stiffness& stiffness, std::int64_t points);

/// M of so many points in a line, factored; five weights a point. The curve ends freely, or the
/// rows of both ends are those of I.
std::vector<float> line_weights(const Stiffness& stiffness, std::int64_t points,
                                bool has_fixed_ends);

/// Lines that take some steps together.
class EdgeBatch {
 public:
  explicit EdgeBatch(const SnakeOptions& options) : options_(options) {}

  /// With steps of `step` pixels for a force of 1. The line outlives the batch.
  void add(Polyline& line, double step);
  /// Moves all lines and writes their places back.
  void move(engine::Backend& backend, const engine::View& force, std::int64_t steps);

 private:
  const SnakeOptions& options_;
  std::vector<Polyline*> lines_;
  std::vector<engine::MovingContour> contours_;
  std::vector<float> weights_, x_, y_;
};

}  // namespace meander::contour
