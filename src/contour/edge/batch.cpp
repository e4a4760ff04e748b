// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/edge/batch.hpp"

#include <cmath>

#include "contour/edge/solve.hpp"

namespace meander::contour {
namespace {

using engine::ContourEnds;
using engine::MovingContour;

ContourEnds ends_of(const Polyline& line, const SnakeOptions& options) {
  if (!line.is_open) return ContourEnds::closed;
  return options.open == OpenEnds::fixed ? ContourEnds::fixed : ContourEnds::free;
}

std::int64_t size_of(const auto& list) { return static_cast<std::int64_t>(list.size()); }

}  // namespace

void EdgeBatch::add(Polyline& line, double step) {
  const double apart = line.length() / static_cast<double>(line.edges());
  const double squared = apart * apart;
  const Stiffness stiffness{.tension = step * options_.alpha / squared,
                            .rigidity = step * options_.beta / (squared * squared)};
  const ContourEnds ends = ends_of(line, options_);
  const std::vector<float> weights =
      line.is_open ? line_weights(stiffness, size_of(line.points), ends == ContourEnds::fixed)
                   : ring_weights(stiffness, size_of(line.points));
  // Single precision has most digits left for places that count from near by.
  const Point near = line.points[line.points.size() / 2], first = line.points[0];
  const MovingContour contour{.first = size_of(x_),
                              .points = size_of(line.points),
                              .origin_x = std::llround((near.x + first.x) / 2),
                              .origin_y = std::llround((near.y + first.y) / 2),
                              .ends = ends,
                              .first_weight = size_of(weights_),
                              .taps = line.is_open ? 0 : size_of(weights) - 1,
                              .step = static_cast<float>(step),
                              .balloon = static_cast<float>(step * options_.balloon),
                              .tension = static_cast<float>(stiffness.tension),
                              .rigidity = static_cast<float>(stiffness.rigidity),
                              .normal = static_cast<float>(1 / (2 * apart))};
  for (const Point& p : line.points) {
    x_.push_back(static_cast<float>(p.x - static_cast<double>(contour.origin_x)));
    y_.push_back(static_cast<float>(p.y - static_cast<double>(contour.origin_y)));
  }
  weights_.insert(weights_.end(), weights.begin(), weights.end());
  contours_.push_back(contour);
  lines_.push_back(&line);
}

void EdgeBatch::move(engine::Backend& backend, const engine::View& force, std::int64_t steps) {
  backend.move_contours(
      force, {.contours = contours_, .weights = weights_, .x = x_, .y = y_, .steps = steps});
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const MovingContour& contour = contours_[i];
    auto at = static_cast<std::size_t>(contour.first);
    for (Point& p : lines_[i]->points) {
      p = {static_cast<double>(contour.origin_x) + static_cast<double>(x_[at]),
           static_cast<double>(contour.origin_y) + static_cast<double>(y_[at])};
      ++at;
    }
  }
}

}  // namespace meander::contour
