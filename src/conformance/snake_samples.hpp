// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "conformance/stencil_samples.hpp"
#include "engine/snake.hpp"

/// Batches of contours that move.
namespace meander::conformance {

struct SnakePlaces {
  std::vector<float> x, y;
};

/// A field with a frame of NaN, which shows in every place that it reaches, and contours in it.
struct SnakeSample {
  SnakeSample(const Shape& image, std::int64_t steps_asked);

  /// With the weights of its stiffness, around the middle of the image: mostly beyond its borders
  /// where it is small.
  void add(engine::MovingContour contour, double radius);
  /// The places after all steps.
  SnakePlaces moved_on(const Device& device) const;

  Framed field;
  std::vector<engine::MovingContour> contours;
  std::vector<float> weights;
  SnakePlaces places;
  std::int64_t steps;
};

/// Every kind of contour with few and many taps, in images of all sorts, with 0, 1 and many steps.
std::vector<SnakeSample> snake_samples();

}  // namespace meander::conformance
