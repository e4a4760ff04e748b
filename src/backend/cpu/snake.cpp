// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <vector>

#include "backend/cpu/engines.hpp"
#include "backend/cpu/isa.hpp"
#include "core/parallel_for.hpp"

namespace meander::cpu {
namespace {

using engine::ContourEnds;
using engine::MovingBatch;
using engine::MovingContour;
using engine::View;

static_assert(snake_band == engine::weights_of_open_point);

ForceRows rows_of(const View& force) {
  return {force.host_row(0), force.host_row(force.shape.y), force.pitch.row, force.shape.x,
          force.shape.y};
}

SnakePlan plan_of(const MovingContour& c, const MovingBatch& batch) {
  const bool is_open = c.ends != ContourEnds::closed;
  return {.points = c.points,
          .origin_x = c.origin_x,
          .origin_y = c.origin_y,
          .is_open = is_open,
          .has_fixed_ends = c.ends == ContourEnds::fixed,
          .taps = is_open ? 0 : c.taps,
          .step = c.step,
          .balloon = c.balloon,
          .tension = c.tension,
          .rigidity = c.rigidity,
          .normal = c.normal,
          .weights = batch.weights.data() + c.first_weight};
}

void move_contour(const ForceRows& force, const MovingBatch& batch, const MovingContour& contour) {
  const SnakePlan plan = plan_of(contour, batch);
  const SnakeRoom room = room_of(plan);
  std::vector<float> numbers(static_cast<std::size_t>(snake_lines * room.length));
  float* x = numbers.data() + room.margin;
  float* y = x + room.length;
  float* batch_x = batch.x.data() + contour.first;
  float* batch_y = batch.y.data() + contour.first;
  std::copy_n(batch_x, plan.points, x);
  std::copy_n(batch_y, plan.points, y);
  kernels().snake->move(force, plan, batch.steps, numbers.data());
  std::copy_n(x, plan.points, batch_x);
  std::copy_n(y, plan.points, batch_y);
}

}  // namespace

/// One task a contour, which depends on nothing but itself.
void move_contours(const View& force, const MovingBatch& batch) {
  const ForceRows rows = rows_of(force);
  parallel_for(static_cast<std::int64_t>(batch.contours.size()), [&](std::int64_t i) {
    move_contour(rows, batch, batch.contours[static_cast<std::size_t>(i)]);
  });
}

}  // namespace meander::cpu
