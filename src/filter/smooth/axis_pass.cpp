// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "filter/smooth/axis_pass.hpp"

#include <algorithm>

#include "core/image_state.hpp"
#include "engine/view_lines.hpp"

namespace meander {
namespace {

/// The axis across which lines of `along` are shared out in groups.
engine::Axis cut_axis(engine::Axis along, const Shape& shape) {
  using enum engine::Axis;
  if (along == z) return shape.y > 1 ? y : x;
  if (shape.z > 1) return z;
  return along == y ? x : y;
}

void enqueue(const AxisPass& pass, engine::Backend& backend, const engine::View& in,
             const engine::View& out) {
  if (pass.is_fir()) {
    backend.fir(in, out, pass.axis, pass.weights, pass.border);
  } else {
    backend.scan(in, out, pass.axis, pass.recurrence);
  }
}

/// Numbers in a group of lines, for some 20 ms of work: what is between two cancel points. A driver
/// that runs plain kernels on the processor is ten times slower than `cpu`, a GPU faster.
std::int64_t group_numbers(const AxisPass& pass, const DeviceInfo& device, bool on_host) {
  const std::int64_t most = std::int64_t{1} << (on_host ? 24 : device.is_gpu ? 26 : 20);
  // A recursion costs as much as some thirty taps.
  const auto taps = static_cast<std::int64_t>(pass.weights.size());
  return std::max<std::int64_t>(1, most / std::max<std::int64_t>(1, taps / 32));
}
constexpr std::int64_t column_step = 64;  // a group of columns begins on a cache line

}  // namespace

bool AxisPass::runs_in_place(const Device& device) const {
  return device.backend().uses_host_memory() || (!is_fir() && !is_sum());
}

std::vector<AxisPass> passes_of(const SmoothDesign& design, int component) {
  std::vector<AxisPass> passes;
  for (const int axis : design.axes) {
    const int order = design.order(component, axis);
    const GaussFilter& filter = design.filter(axis, order);
    AxisPass& pass = passes.emplace_back();
    pass.axis = static_cast<engine::Axis>(axis);
    pass.order = order;
    if (filter.is_fir()) pass.weights = filter.weights;
    pass.recurrence = filter.recurrence;
  }
  return passes;
}

void set_border(std::vector<AxisPass>& passes, BorderRule border) {
  for (AxisPass& pass : passes) {
    pass.border = pass.recurrence.border = border;
    if (pass.order > 0) border.value = 0;
  }
}

void run_pass(const AxisPass& pass, const Image& in, const Image& out, SmoothProgress& progress) {
  engine::Backend& backend = *out.state().backend;
  const engine::View& from = in.state().view;
  const engine::View& to = out.state().view;
  const auto numbers = out.description().numbers();
  const bool on_host = backend.uses_host_memory();
  const std::int64_t most = group_numbers(pass, backend.info(), on_host);
  const std::int64_t groups = (numbers + most - 1) / most;
  const engine::Axis axis = cut_axis(pass.axis, to.shape);
  const std::int64_t extent = engine::length_along(to, axis);
  std::int64_t step = std::max<std::int64_t>(1, extent / groups);
  if (axis == engine::Axis::x) step = (step + column_step - 1) / column_step * column_step;
  for (std::int64_t begin = 0; begin < extent; begin += step) {
    const std::int64_t end = std::min(begin + step, extent);
    enqueue(pass, backend, engine::part_of(from, axis, begin, end),
            engine::part_of(to, axis, begin, end));
    // Enqueuing does not wait, and what is in the queue cannot be taken back.
    if (!on_host && groups > 1) backend.finish();
    progress.add(static_cast<double>(numbers) * static_cast<double>(end - begin) /
                 static_cast<double>(extent));
  }
}

engine::View constant_view(const Device& device, PixelType type, double value, const Shape& shape,
                           int channels) {
  Image row = Image::allocate({.shape = {shape.x, 1, 1}, .type = type});
  if (type == PixelType::f64) {
    std::fill_n(row.mutable_row<double>(0), shape.x, value);
  } else {
    std::fill_n(row.mutable_row<float>(0), shape.x, static_cast<float>(value));
  }
  engine::View view = device.upload(row).state().view;
  view.shape = shape;
  view.channels = channels;
  view.pitch = {0, 0, 0};  // every row is the same one
  return view;
}

}  // namespace meander
