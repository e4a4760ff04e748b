// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/edge/solve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace meander::contour {
namespace {

/// Below this a weight is left out.
constexpr double least_weight = 1e-9;
/// The weights of a rigid curve swing through 0 on their way out.
constexpr int weights_to_be_sure = 4;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// A circulant matrix is inverted by its eigenvalues: w[k] = 1/n Σ cos(kθ[j]) / λ[j].
class RingInverse {
 public:
  RingInverse(const Stiffness& stiffness, std::int64_t points) : points_(points) {
    for (std::int64_t j = 0; j < points; ++j) {
      const double angle =
          2 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(points);
      cosines_.push_back(std::cos(angle));
      const double bend = 2 - 2 * cosines_.back();
      inverse_.push_back(1 / (1 + bend * (stiffness.tension + bend * stiffness.rigidity)));
    }
  }
  double weight(std::int64_t k) const {
    double sum = 0;
    std::int64_t turn = 0;
    for (std::int64_t j = 0; j < points_; ++j) {
      sum += cosines_[at(turn)] * inverse_[at(j)];
      turn += k;
      if (turn >= points_) turn -= points_;
    }
    return sum / static_cast<double>(points_);
  }

 private:
  std::int64_t points_;
  std::vector<double> cosines_, inverse_;
};

struct Decay {
  std::vector<double> weights;
  bool is_whole = false;  ///< Whether all that is left out is small.
};

Decay weights_of_ring(const Stiffness& stiffness, std::int64_t points) {
  const RingInverse inverse(stiffness, points);
  Decay decay;
  int small = 0;
  for (std::int64_t k = 0; k <= points / 2 && small < weights_to_be_sure; ++k) {
    const bool is_opposite = 2 * k == points && k > 0;  // reached from both sides, counts once
    decay.weights.push_back(inverse.weight(k) / (is_opposite ? 2 : 1));
    small = std::abs(decay.weights.back()) < least_weight ? small + 1 : 0;
  }
  decay.is_whole = small == weights_to_be_sure;
  return decay;
}

/// The rows of M, each from two places before the diagonal to two behind it.
using Band = std::vector<std::array<double, 5>>;

/// M = I - tension·S + rigidity·SᵀS, S the second differences, which are 0 at both ends.
Band matrix_of(const Stiffness& stiffness, std::int64_t points, bool has_fixed_ends) {
  Band band(at(points), {0, 0, 1, 0, 0});
  constexpr std::array<double, 3> bend{1, -2, 1};
  for (std::size_t middle = 1; middle + 1 < at(points); ++middle) {
    for (std::size_t column = 0; column < 3; ++column) {
      band[middle][1 + column] -= stiffness.tension * bend[column];
      for (std::size_t row = 0; row < 3; ++row) {
        band[middle + row - 1][2 + column - row] += stiffness.rigidity * bend[row] * bend[column];
      }
    }
  }
  if (has_fixed_ends) band.front() = band.back() = {0, 0, 1, 0, 0};
  return band;
}

}  // namespace

std::vector<float> ring_weights(const Stiffness& stiffness, std::int64_t points) {
  // A long ring has the weights of a shorter one around which they have died away.
  std::int64_t size = std::min<std::int64_t>(points, 128);
  Decay decay = weights_of_ring(stiffness, size);
  while (!decay.is_whole && size < points) {
    size = std::min(2 * size, points);
    decay = weights_of_ring(stiffness, size);
  }
  double sum = decay.weights[0];
  for (std::size_t k = 1; k < decay.weights.size(); ++k) sum += 2 * decay.weights[k];
  decay.weights[0] += 1 - sum;
  return {decay.weights.begin(), decay.weights.end()};
}

std::vector<float> line_weights(const Stiffness& stiffness, std::int64_t points,
                                bool has_fixed_ends) {
  const Band band = matrix_of(stiffness, points, has_fixed_ends);
  struct Row {
    double diagonal = 1, after = 0, second_after = 0;
  };
  Row before, second_before;
  std::vector<float> weights;
  for (const auto& m : band) {
    const double l2 = m[0] / second_before.diagonal;
    const double l1 = (m[1] - l2 * second_before.after) / before.diagonal;
    const Row row{.diagonal = m[2] - l2 * second_before.second_after - l1 * before.after,
                  .after = m[3] - l1 * before.second_after,
                  .second_after = m[4]};
    for (const double weight : {l2, l1, 1 / row.diagonal, row.after, row.second_after}) {
      weights.push_back(static_cast<float>(weight));
    }
    second_before = before;
    before = row;
  }
  return weights;
}

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
