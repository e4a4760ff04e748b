// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "contour/geometry/polyline.hpp"
#include "engine/backend.hpp"
#include "meander/edge.hpp"

namespace meander::contour {

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
