// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/edge.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>

#include "contour/edge/check.hpp"
#include "contour/edge/map.hpp"
#include "contour/edge/motion.hpp"
#include "contour/edge/start.hpp"
#include "core/control_part.hpp"
#include "core/image_state.hpp"
#include "core/message.hpp"
#include "meander/convert.hpp"
#include "meander/statistics.hpp"

namespace meander {
namespace {

using Clock = std::chrono::steady_clock;

/// Curves of less cover nothing.
constexpr std::size_t least_nodes = 3;

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

FlowOptions flow_options(const EdgeOptions& options) {
  return {.mu = options.mu, .tolerance = options.tolerance, .max_cycles = options.max_cycles};
}

/// The field as a force whose strongest is 1.
Field force_of(const Field& field, SnakeForce force, const Control& control) {
  const Control stop{.stop = control.stop, .progress = {}};
  const Statistics lengths = statistics(magnitude_of(field, stop), stop);
  if (lengths.nonfinite > 0) {
    throw InvalidArgument("the field has values that are not finite, expected numbers everywhere");
  }
  const double largest = lengths.max;
  if (largest <= 0)
    throw InvalidArgument("the field is 0 everywhere, expected one that moves curves");
  if (force == SnakeForce::unit) return unit_vectors_of(field, stop);
  return Field(convert(field.components(), {.window = {{0, largest}}}, stop));
}

std::vector<EdgeOutline> moved(const Field& force, const std::vector<Curve>& starts,
                               const SnakeOptions& options, const OnSnakeState& on_state,
                               const Control& control) {
  contour::check_snakes(force, starts, options);
  const Image& components = force.components();
  contour::EdgeMotion motion(*components.state().backend, components.state().view, options,
                             on_state, control);
  return motion.run(contour::prepared(starts, components.shape()));
}

struct Force {
  Field force, field;
  Image edges;  ///< None when the field was given.
};

Force found_force(const Image& image, const EdgeOptions& options, const Field& flow_start,
                  EdgeFigures& figures, const Control& control) {
  StageClock clock(image.device());
  const contour::EdgeMap map = contour::edge_map(image, options, part_of(control, 0, 0.2));
  figures.sigma = map.sigma;
  figures.noise_floor = map.noise_floor;
  figures.largest_edge = map.largest;
  figures.smooth_seconds = clock.lap();
  if (map.largest <= map.noise_floor) {
    throw NotConverged(message("the strongest edge, ", map.largest,
                               " grey levels a pixel, is not above the noise floor of ",
                               map.noise_floor, ", expected edges to move to"));
  }
  FlowResult flown =
      flow(map.edges, flow_options(options), {.start = flow_start}, part_of(control, 0.2, 0.6));
  figures.flow = std::move(flown.figures);
  if (!figures.flow.converged) {
    throw NotConverged(message("the flow has a residual of ", figures.flow.relative_residual,
                               " after ", figures.flow.cycles.size(), " cycles, expected ",
                               options.tolerance));
  }
  Force force{force_of(flown.field, options.snake.force, control), flown.field, map.edges};
  figures.flow_seconds = clock.lap();
  return force;
}

/// A curve at rest belongs there only when most of it lies on edges.
void look_for_edges(EdgeOutline& outline, const Image& edges) {
  if (outline.end == SnakeEnd::vanished) return;
  outline.on_edges = contour::part_on_edges(edges, outline.curve);
  if (outline.end == SnakeEnd::settled && outline.on_edges < 0.5) outline.end = SnakeEnd::adrift;
}

/// At the scale of what a start by hand leaves open, details are gone that would catch the curve on
/// its way to the object.
constexpr double part_of_radius = 0.125;

/// Sigma for the first way of rough starts; none where they go on edges at once.
std::optional<double> coarse_sigma(const EdgeOptions& options, const EdgeInputs& inputs) {
  const bool has_field = !inputs.field.components().empty();
  if (options.snake.max_steps < 2) return {};
  if (!inputs.are_rough || inputs.starts.empty() || options.sigma || has_field ||
      options.snake.open) {
    return {};
  }
  double least = std::numeric_limits<double>::infinity();
  for (const Curve& start : inputs.starts) {
    least = std::min(least, std::abs(Polygon{start.points}.signed_area()));
  }
  const double sigma = part_of_radius * std::sqrt(least / std::numbers::pi);
  return sigma > contour::smallest_sigma ? std::optional(sigma) : std::nullopt;
}

struct Coarse {
  std::vector<Curve> curves;
  std::int64_t steps = 0;  ///< Of the longest way.
  bool was_told = true;    ///< Whether `on_state` has heard of it.
};
/// Where starts get to among edges of that scale; those that lose them stay where they are.
Coarse coarsely_moved(const Image& image, EdgeOptions options, double sigma,
                      const EdgeInputs& inputs, const Control& control) {
  options.sigma = sigma;
  options.snake.max_steps /= 2;
  EdgeFigures figures;
  std::vector<Curve> curves = inputs.starts;
  Force force;
  try {
    force = found_force(image, options, {}, figures, part_of(control, 0, 0.6));
  } catch (const NotConverged&) {
    return {curves, 0, false};  // Too coarse for these edges; the finer ones may do.
  }
  std::vector<EdgeOutline> outlines =
      moved(force.force, inputs.starts, options.snake, inputs.on_state, part_of(control, 0.6, 1));
  std::int64_t steps = 0;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    look_for_edges(outlines[i], force.edges);
    steps = std::max(steps, outlines[i].steps);
    if (outlines[i].on_edges >= 0.5) curves[i] = std::move(outlines[i].curve);
  }
  return {curves, steps};
}

/// The way from coarse to fine edges, told as one.
EdgeResult from_coarse(const Image& image, const EdgeOptions& options, double sigma,
                       const EdgeInputs& inputs, const Control& control) {
  const auto [starts, steps, was_told] =
      coarsely_moved(image, options, sigma, inputs, part_of(control, 0, 0.5));
  EdgeOptions fine = options;
  fine.snake.max_steps -= steps;
  EdgeInputs next = inputs;
  next.starts = starts;
  next.are_rough = false;
  if (inputs.on_state) {
    next.on_state = [&, before = steps, all = !was_told](SnakeState state) {
      state.steps += before;
      if (all || state.steps > before) inputs.on_state(state);
    };
  }
  EdgeResult result = contour::edges_from(image, fine, next, part_of(control, 0.5, 1));
  for (EdgeOutline& outline : result.outlines) outline.steps += steps;
  return result;
}

}  // namespace

bool has_lost_edges(const EdgeOutline& outline) {
  return outline.end == SnakeEnd::vanished || outline.end == SnakeEnd::adrift;
}

std::vector<std::size_t> unsettled_of(const EdgeResult& result) {
  std::vector<std::size_t> unsettled;
  for (std::size_t i = 0; i < result.outlines.size(); ++i) {
    if (result.outlines[i].end != SnakeEnd::settled) unsettled.push_back(i);
  }
  return unsettled;
}

std::vector<LabelledRegion> objects_of(const EdgeResult& result) {
  std::vector<LabelledRegion> objects;
  std::int64_t id = 0;
  for (const EdgeOutline& outline : result.outlines) {
    ++id;
    const Curve& curve = outline.curve;
    if (curve.is_open || curve.points.size() < least_nodes) continue;
    objects.push_back({id, {.outer = {curve.points}, .holes = {}}});
  }
  return objects;
}

std::vector<Curve> curves_of(const EdgeResult& result) {
  std::vector<Curve> curves;
  for (const EdgeOutline& outline : result.outlines) curves.push_back(outline.curve);
  return curves;
}

std::vector<EdgeOutline> move_snakes(const Field& force, const std::vector<Curve>& starts,
                                     const SnakeOptions& options, const OnSnakeState& on_state,
                                     const Control& control) {
  contour::check_lengths(starts, options);
  return moved(force, starts, options, on_state, control);
}

EdgeResult segment_edges(const Image& image, const EdgeOptions& options, const EdgeInputs& inputs,
                         const Control& control) {
  contour::check_lengths(inputs.starts, options.snake);
  return contour::edges_from(image, options, inputs, control);
}

EdgeResult contour::edges_from(const Image& image, const EdgeOptions& options,
                               const EdgeInputs& inputs, const Control& control) {
  contour::check_edges(image, options, inputs);
  if (const auto sigma = coarse_sigma(options, inputs)) {
    return from_coarse(image, options, *sigma, inputs, control);
  }
  EdgeResult result;
  const bool has_field = !inputs.field.components().empty();
  const Force force =
      has_field ? Force{force_of(inputs.field, options.snake.force, control), inputs.field, {}}
                : found_force(image, options, inputs.flow_start, result.figures, control);
  StageClock clock(image.device());
  const std::vector<Curve> starts =
      inputs.starts.empty() ? std::vector{contour::start_in(image, control)} : inputs.starts;
  result.outlines =
      moved(force.force, starts, options.snake, inputs.on_state, part_of(control, 0.6, 1));
  for (EdgeOutline& outline : result.outlines) {
    if (!force.edges.empty()) look_for_edges(outline, force.edges);
  }
  result.figures.snake_seconds = clock.lap();
  if (inputs.keep_stages || inputs.keep_field) result.stages.field = force.field;
  if (has_field || !inputs.keep_stages) return result;
  result.stages.smoothed =
      smooth(image, {.sigma = result.figures.sigma, .border = {Border::reflect}}, {},
             {.stop = control.stop, .progress = {}});
  result.stages.edges = force.edges;
  return result;
}

}  // namespace meander
