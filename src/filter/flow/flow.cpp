// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <limits>

#include "core/control_part.hpp"
#include "core/image_state.hpp"
#include "core/message.hpp"
#include "core/parallel_for.hpp"
#include "filter/flow/check.hpp"
#include "filter/flow/solve.hpp"
#include "meander/convert.hpp"
#include "meander/flow.hpp"

namespace meander {
namespace {

FlowResult flow_of(const FlowSource& source, const FlowOptions& options, const FlowInputs& inputs,
                   const Control& control) {
  check_inputs(source.input(), source.device(), options, inputs);
  const auto solve = options.solver == FlowSolver::multigrid ? flow_by_multigrid : flow_by_steps;
  return solve(source, options, inputs, control);
}

}  // namespace

FlowResult flow(const Image& image, const FlowOptions& options, const FlowInputs& inputs,
                const Control& control) {
  check_flow(image.description(), false, options, image.device());
  return flow_of(FlowSource(image, options), options, inputs, control);
}

FlowResult flow(const Field& gradient, const FlowOptions& options, const FlowInputs& inputs,
                const Control& control) {
  const Image& components = gradient.components();
  check_flow(components.description(), true, options, components.device());
  return flow_of(FlowSource(gradient, options), options, inputs, control);
}

Field flow_gradient(const Image& image, const FlowOptions& options, const Control& control) {
  check_flow(image.description(), false, options, image.device());
  const FlowSource source(image, options);
  const Image field =
      source.device().allocate(source.field_of(source.arithmetic(), source.components()));
  for (int i = 0; i < source.components(); ++i) source.write(i, field.channel(i), control);
  control.step(1);
  return Field(field);
}

double flow_mu_limit(const Description& field, double max_v0) {
  const auto sides = relative_sides(field);
  const std::int64_t extents[] = {field.shape.x, field.shape.y, field.shape.z};
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    if (extents[i] > 1) sum += 1 / (sides[i] * sides[i]);
  }
  if (sum == 0) return std::numeric_limits<double>::infinity();
  return (2 - max_v0 * max_v0) / (4 * sum);
}

double finite_squares(const engine::Sums& sums) {
  if (sums.nonfinite == 0) return sums.sum_of_squares;
  throw NotConverged(message("the flow ran away: ", sums.nonfinite,
                             " numbers are not finite, expected all of them to be"));
}

namespace {

const engine::View& view_of(const Image& image) { return image.state().view; }

/// Of a type that can be computed with: f64 or f32.
Image as_reals(const Image& image) {
  const bool is_real = image.type() == PixelType::f64 || image.type() == PixelType::f32;
  return is_real ? image : convert(image, {.type = PixelType::f32});
}

}  // namespace

Image magnitude_of(const Field& field, const Control& control) {
  control.step(0);
  const StopScope scope(control.stop);
  const Image vectors = as_reals(field.components());
  const Device device = vectors.device();
  Description description = vectors.description();
  description.channels = 1;
  const Image result = device.allocate(description);
  device.backend().pointwise(engine::Pointwise::norm, view_of(vectors.channel(0)),
                             view_of(vectors.channel(1)), {}, view_of(result));
  if (field.dimensions() == 3) {
    device.backend().pointwise(engine::Pointwise::norm, view_of(result),
                               view_of(vectors.channel(2)), {}, view_of(result));
  }
  control.step(1);
  return result;
}

Field unit_vectors_of(const Field& field, const Control& control) {
  control.step(0);
  const StopScope scope(control.stop);
  const Image vectors = as_reals(field.components());
  const Device device = vectors.device();
  const Image magnitude = magnitude_of(Field(vectors), part_of(control, 0, 0.5));
  const Image result = device.allocate(vectors.description());
  for (int i = 0; i < field.dimensions(); ++i) {
    device.backend().pointwise(engine::Pointwise::direction, view_of(vectors.channel(i)),
                               view_of(magnitude), {}, view_of(result.channel(i)));
  }
  control.step(1);
  return Field(result);
}

}  // namespace meander
