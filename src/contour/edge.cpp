// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/edge.hpp"

#include <algorithm>
#include <chrono>

#include "contour/edge_check.hpp"
#include "contour/edge_map.hpp"
#include "contour/edge_motion.hpp"
#include "contour/edge_start.hpp"
#include "core/image_state.hpp"
#include "meander/convert.hpp"
#include "meander/statistics.hpp"

namespace meander {
namespace {

using Clock = std::chrono::steady_clock;

/// Seconds since it was last asked, with the device's work done.
class StageClock {
 public:
  explicit StageClock(const Device& device) : device_(device) {}
  double lap() {
    device_.synchronize();
    const Clock::time_point before = std::exchange(begin_, Clock::now());
    return std::chrono::duration<double>(begin_ - before).count();
  }

 private:
  Device device_;
  Clock::time_point begin_ = Clock::now();
};

/// What of the progress a stage takes.
Control part_of(const Control& control, double from, double to) {
  if (!control.progress) return control;
  return {.stop = control.stop, .progress = [&control, from, to](double fraction) {
            control.progress(from + (to - from) * fraction);
          }};
}

FlowOptions flow_options(const EdgeOptions& options) {
  return {.mu = options.mu, .tolerance = options.tolerance, .max_cycles = options.max_cycles};
}

/// The field as a force whose strongest is 1.
Field force_of(const Field& field, SnakeForce force) {
  if (force == SnakeForce::unit) return unit_vectors_of(field);
  const double largest = statistics(magnitude_of(field)).max;
  if (largest <= 0) return field;
  return Field(convert(field.components(), {.window = {{0, largest}}}));
}

}  // namespace

std::vector<EdgeOutline> move_snakes(const Field& force, const std::vector<Curve>& starts,
                                     const SnakeOptions& options, const OnSnakeState& on_state,
                                     const Control& control) {
  contour::check_snakes(force, starts, options);
  const Image& components = force.components();
  contour::EdgeMotion motion(*components.state().backend, components.state().view, options,
                             on_state, control);
  return motion.run(contour::prepared(starts, components.shape()));
}

EdgeResult segment_edges(const Image& image, const EdgeOptions& options, const EdgeInputs& inputs,
                         const Control& control) {
  contour::check_edges(image, options, inputs);
  EdgeResult result;
  EdgeFigures& figures = result.figures;
  StageClock clock(image.device());
  Field field = inputs.field;
  const bool has_field = !field.components().empty();
  if (!has_field) {
    contour::EdgeMap map = contour::edge_map(image, options, part_of(control, 0, 0.2));
    figures.noise_floor = map.noise_floor;
    figures.largest_edge = map.largest;
    figures.smooth_seconds = clock.lap();
    FlowResult flown = flow(map.edges, flow_options(options), {}, part_of(control, 0.2, 0.6));
    figures.flow = std::move(flown.figures);
    field = flown.field;
    if (inputs.keep_stages) result.stages.edges = map.edges;
  }
  const Field force = force_of(field, options.force);
  figures.flow_seconds = clock.lap();
  const std::vector<Curve> starts =
      inputs.starts.empty() ? std::vector{contour::start_in(image)} : inputs.starts;
  result.outlines = move_snakes(force, starts, options, inputs.on_state, part_of(control, 0.6, 1));
  figures.snake_seconds = clock.lap();
  if (inputs.keep_stages) {
    result.stages.smoothed = smooth(image, {.sigma = options.sigma});
    result.stages.field = field;
  }
  return result;
}

}  // namespace meander
