// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "filter/flow/source.hpp"

#include <algorithm>
#include <limits>

#include "core/image_state.hpp"
#include "filter/check.hpp"
#include "filter/flow/check.hpp"
#include "filter/smooth/axis_pass.hpp"
#include "filter/smooth/design.hpp"

namespace meander {
namespace {

double smallest_side(const Description& image) {
  const Spacing& spacing = image.spacing;
  const double flat = std::min(spacing.x, spacing.y);
  return image.shape.rank() == 3 ? std::min(flat, spacing.z) : flat;
}

}  // namespace

std::array<double, 3> relative_sides(const Description& image) {
  const double unit = smallest_side(image);
  const Spacing& spacing = image.spacing;
  return {spacing.x / unit, spacing.y / unit, image.shape.rank() == 3 ? spacing.z / unit : 1};
}

FlowSource::FlowSource(const Image& image, const FlowOptions& options)
    : input_(image),
      device_(image.device()),
      options_(options),
      is_field_(false),
      arithmetic_(flow_arithmetic(image.type(), options)) {
  const engine::Sums range = check_numbers(image, "input", std::numeric_limits<double>::infinity());
  scale_ = range.max > range.min ? 1 / (range.max - range.min) : 0;
}

FlowSource::FlowSource(const Field& field, const FlowOptions& options)
    : input_(field.components()),
      device_(input_.device()),
      options_(options),
      is_field_(true),
      arithmetic_(flow_arithmetic(input_.type(), options)) {
  check_numbers(input_, "input", std::numeric_limits<double>::infinity());
}

Description FlowSource::field_of(PixelType type, int count) const {
  Description field = input();
  field.channels = count;
  field.type = type;
  return field;
}

void FlowSource::write(int index, const Image& out, const Control& control) const {
  if (is_field_) {
    device_.backend().convert(input_.channel(index).state().view, out.state().view, {});
  } else if (length_along(input().shape, index) == 1) {
    // Nothing changes along such an axis, which smoothing would take for none at all.
    device_.backend().convert(input_.state().view, out.state().view, {.scale = 0});
  } else if (options_.sigma) {
    write_derivative(index, out, control);
  } else {
    write_difference(index, out, control);
  }
}

/// Differences first, which are exact for integers, then the scale.
void FlowSource::write_difference(int index, const Image& out, const Control& control) const {
  const AxisPass pass{.axis = static_cast<engine::Axis>(index),
                      .order = 1,
                      .weights = {-0.5, 0, 0.5},
                      .recurrence = {},
                      .border = {.kind = flow_border(options_)}};
  const Control stoppable{.stop = control.stop, .progress = {}};  // which progress refers to
  SmoothProgress progress(stoppable, static_cast<double>(out.description().numbers()));
  run_pass(pass, readable(input_), out, progress);
  const double side = relative_sides(input())[static_cast<std::size_t>(index)];
  const engine::View& view = out.state().view;
  device_.backend().convert(view, view, {.scale = scale_ / side});
}

void FlowSource::write_derivative(int index, const Image& out, const Control& control) const {
  SmoothOptions smoothing{.sigma = *options_.sigma,
                          .border = {.kind = flow_border(options_)},
                          .precision = options_.precision};
  smoothing.order[static_cast<std::size_t>(index)] = 1;
  const Image derivative = smooth(input_, smoothing, {}, {.stop = control.stop, .progress = {}});
  device_.backend().convert(derivative.state().view, out.state().view,
                            {.scale = scale_ * smallest_side(input())});
  // Or what smoothing holds would be there twice while the next component is smoothed.
  device_.synchronize();
}

}  // namespace meander
