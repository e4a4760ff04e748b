// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench/flow/grids.hpp"

#include <utility>

#include "core/image_state.hpp"
#include "engine/backend.hpp"
#include "filter/flow/multigrid_cycle.hpp"
#include "meander/error.hpp"

namespace meander::bench {
namespace {

PixelType type_of(FlowStorage storage) {
  switch (storage) {
    case FlowStorage::f16:
      return PixelType::f16;
    case FlowStorage::snorm16:
      return PixelType::i16;
    case FlowStorage::f32:
      break;
  }
  return PixelType::f32;
}

/// A copy as the engine stores it.
Image stored(const Image& gradient, FlowStorage storage) {
  Description description = gradient.description();
  description.type = type_of(storage);
  const Image copy = gradient.device().allocate(description);
  const double scale = storage == FlowStorage::snorm16 ? 32767 : 1;
  gradient.device().backend().convert(gradient.state().view, copy.state().view, {scale, 0});
  return copy;
}

/// What the engine is told; see the rule.
engine::Iteration iteration_of(const Shape& shape, const FlowStep& step) {
  const bool has_depth = shape.rank() == 3;
  engine::Iteration iteration;
  iteration.rule = has_depth ? engine::Rule::vector_flow_volume : engine::Rule::vector_flow_plane;
  const BorderRule border{step.mirror ? Border::mirror : Border::clamp, 0};
  iteration.neighbours = flow_levels(shape, {1, 1, 1}, 1, border)[0].neighbours;
  iteration.parameters = {step.mu, 1 - step.mu * iteration.neighbours.weight(), 1};
  return iteration;
}

}  // namespace

Image flow_image(PhantomKind kind, const Shape& shape, NoiseFamily noise, const Control& control) {
  PhantomOptions options{.kind = kind, .size = shape, .type = PixelType::f32, .noise = {noise}};
  if (noise == NoiseFamily::gaussian) options.snr = 4;
  return phantom(options, control);
}

PhantomKind flow_kind(const Shape& shape) {
  return shape.rank() == 3 ? PhantomKind::shepp_logan : PhantomKind::star;
}

EngineFlow::EngineFlow(const Field& gradient, const FlowStep& step, FlowStorage storage)
    : device_(gradient.components().device()),
      iteration_(iteration_of(gradient.components().shape(), step)),
      gradient_(storage == FlowStorage::f32 ? gradient.components()
                                            : stored(gradient.components(), storage)),
      field_(stored(gradient.components(), storage)),
      other_(device_.allocate(field_.description())) {}

void EngineFlow::run(std::int64_t steps, const std::stop_token& stop) {
  if (steps % 2 != 0) throw LogicError("a benchmark's engine takes an even number of steps");
  iteration_.steps = steps;
  iteration_.stop = stop;
  device_.backend().iterate(iteration_, field_.state().view, other_.state().view,
                            gradient_.state().view);
  device_.synchronize();
}

void EngineFlow::copy() {
  device_.backend().convert(field_.state().view, other_.state().view, {});
  device_.synchronize();
}

std::string EngineFlow::notes() const { return device_.backend().iteration_notes(); }

int EngineFlow::bytes_of_step() const {
  return 3 * field_.channels() * static_cast<int>(size_of(field_.type()));
}

PlainFlow::PlainFlow(const Field& gradient, const FlowStep& step)
    : step_(step),
      gradient_(gradient.components()),
      field_(gradient_.clone()),
      next_(Image::allocate(gradient_.description())) {}

void PlainFlow::run(FlowLoop loop, std::int64_t steps, const std::stop_token& stop) {
  for (std::int64_t i = 0; i < steps && !stop.stop_requested(); ++i) {
    loop(volumes(), step_);
    std::swap(field_, next_);
  }
}

FlowVolumes PlainFlow::volumes() {
  const Shape& shape = field_.shape();
  const Pitch& pitch = field_.pitch();
  if (pitch != gradient_.pitch()) throw LogicError("a gradient's rows lie apart as its field's do");
  constexpr auto number = static_cast<std::int64_t>(sizeof(float));
  FlowVolumes volumes{.width = shape.x,
                      .height = shape.y,
                      .depth = shape.z,
                      .row_pitch = pitch.row / number,
                      .slice_pitch = pitch.slice / number};
  for (int i = 0; i < field_.channels(); ++i) {
    volumes.field[i] = field_.row<float>(0, 0, i);
    volumes.gradient[i] = gradient_.row<float>(0, 0, i);
    volumes.next[i] = next_.mutable_row<float>(0, 0, i);
  }
  return volumes;
}

}  // namespace meander::bench
