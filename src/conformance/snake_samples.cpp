// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "conformance/snake_samples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "contour/edge/solve.hpp"

namespace meander::conformance {
namespace {

using engine::ContourEnds;
using engine::MovingContour;
using engine::View;

/// Of size 1 at most, and changing by less than .07 from one pixel to the next.
float force_of(int component, std::int64_t x, std::int64_t y) {
  const double along = 0.05 * static_cast<double>(x) + 0.04 * static_cast<double>(y);
  return static_cast<float>(component == 0 ? std::sin(along + 0.3) : std::cos(1.1 * along));
}

void fill(Framed& field) {
  const View whole = view_of(field.image);
  for (std::int64_t row = 0; row < whole.rows(); ++row) {
    std::fill_n(reinterpret_cast<float*>(whole.host_row(row)), whole.shape.x,
                std::numeric_limits<float>::quiet_NaN());
  }
  const View inside = field.inside(field.image);
  for (std::int64_t row = 0; row < inside.rows(); ++row) {
    auto* numbers = reinterpret_cast<float*>(inside.host_row(row));
    for (std::int64_t x = 0; x < inside.shape.x; ++x) {
      numbers[x] = force_of(static_cast<int>(row / inside.shape.y), x, row % inside.shape.y);
    }
  }
}

MovingContour ring(std::int64_t points, float tension, float rigidity) {
  return {.points = points, .step = 0.1f, .tension = tension, .rigidity = rigidity};
}
MovingContour open(std::int64_t points, ContourEnds ends, float tension, float rigidity) {
  return {.points = points, .ends = ends, .tension = tension, .rigidity = rigidity};
}

/// From no taps through a few and half of the points to a hundred.
std::vector<MovingContour> kinds() {
  return {ring(1, 0.5f, 0.1f),
          ring(2, 0.5f, 0.1f),
          ring(3, 0.7f, 0.2f),
          ring(4, 1, 0.5f),
          ring(7, 2, 0),
          ring(64, 0.1f, 0),
          ring(65, 5, 3),
          ring(129, 0, 0),
          ring(300, 20, 50),
          open(1, ContourEnds::free, 1, 1),
          open(2, ContourEnds::free, 1, 1),
          open(3, ContourEnds::free, 0.5f, 0.5f),
          open(71, ContourEnds::free, 3, 2),
          open(2, ContourEnds::fixed, 1, 1),
          open(4, ContourEnds::fixed, 0.5f, 0.25f),
          open(100, ContourEnds::fixed, 4, 8)};
}

SnakeSample sample_of_all(const Shape& image, std::int64_t steps) {
  SnakeSample sample(image, steps);
  std::int64_t turn = 0;
  for (MovingContour contour : kinds()) {
    // A single step may be large; many together may not, see check_snake.
    contour.step = steps > 2 ? 0.1f : 0.8f;
    contour.balloon = (turn % 3 == 1 ? -1.0f : 1.0f) * (steps > 2 ? 0.002f : 0.2f);
    contour.normal = turn % 5 == 0 ? 0.2f : 0.05f;  // lengths from well below 1 to above 2
    contour.origin_x = turn % 2 == 0 ? 0 : 5 * turn - 20;
    contour.origin_y = turn % 4 < 2 ? 0 : 30 - 3 * turn;
    sample.add(contour, contour.points > 60 && turn % 2 == 1 ? 60 : 9);
    ++turn;
  }
  return sample;
}

}  // namespace

SnakeSample::SnakeSample(const Shape& image, std::int64_t steps_asked)
    : field(image, 2, PixelType::f32, 1), steps(steps_asked) {
  fill(field);
}

void SnakeSample::add(MovingContour c, double radius) {
  c.first = static_cast<std::int64_t>(places.x.size());
  c.first_weight = static_cast<std::int64_t>(weights.size());
  const contour::Stiffness stiffness{.tension = c.tension, .rigidity = c.rigidity};
  const bool is_open = c.ends != ContourEnds::closed;
  const std::vector<float> own =
      is_open ? contour::line_weights(stiffness, c.points, c.ends == ContourEnds::fixed)
              : contour::ring_weights(stiffness, c.points);
  c.taps = is_open ? 0 : static_cast<std::int64_t>(own.size()) - 1;
  weights.insert(weights.end(), own.begin(), own.end());
  contours.push_back(c);
  for (std::int64_t i = 0; i < c.points; ++i) {
    const double angle =
        2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(c.points);
    const double distance = radius * (1 + 0.1 * std::sin(3 * angle));
    places.x.push_back(static_cast<float>(static_cast<double>(field.shape.x) / 2 +
                                          distance * std::cos(angle) -
                                          static_cast<double>(c.origin_x)));
    places.y.push_back(static_cast<float>(static_cast<double>(field.shape.y) / 2 +
                                          distance * std::sin(angle) -
                                          static_cast<double>(c.origin_y)));
  }
}

SnakePlaces SnakeSample::moved_on(const Device& device) const {
  const Image copy = device.upload(field.image).clone();
  SnakePlaces moved = places;
  device.backend().move_contours(
      field.inside(copy),
      {.contours = contours, .weights = weights, .x = moved.x, .y = moved.y, .steps = steps});
  return moved;
}

std::vector<SnakeSample> snake_samples() {
  std::vector<SnakeSample> samples;
  for (const Shape& image :
       {Shape{1, 1, 1}, Shape{41, 1, 1}, Shape{1, 29, 1}, Shape{64, 48, 1}, Shape{37, 23, 1}}) {
    for (const std::int64_t steps : {0, 1, 2, 40}) samples.push_back(sample_of_all(image, steps));
  }
  SnakeSample one(Shape{64, 48, 1}, 3);
  one.add(ring(5000, 1, 0), 20);
  samples.push_back(one);
  // More contours than some drivers take groups in one launch.
  SnakeSample many(Shape{64, 48, 1}, 1);
  for (int i = 0; i < 33001; ++i) many.add(ring(3 + i % 4, 0.1f, 0), 5 + i % 20);
  samples.push_back(many);
  return samples;
}

}  // namespace meander::conformance
