// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "conformance/stencil_samples.hpp"

namespace meander::conformance {
namespace {

using engine::Rule;

/// A rule with the neighbours that red and black cells can have.
Turn relaxing(Rule rule, std::size_t index, PixelType type) {
  Turn turn(rule, index, type);
  turn.neighbours.corner = 0;
  turn.neighbours.border.kind = index % 2 == 0 ? Border::clamp : Border::mirror;
  return turn;
}

/// One call of relax and the images it starts from.
struct Case {
  Case(const Turn& turn, const Shape& shape, PixelType type, std::int64_t sweeps, bool is_from_zero)
      : work(sample_iteration(turn, type, sweeps, is_from_zero ? 1 : sweeps)),
        state(sample_state(turn.rule, shape, type, 1)),
        fields(sample_fields(turn.rule, shape, type, 2)),
        from_zero(is_from_zero) {
    if (from_zero) state.fill_with_nan();
  }
  engine::Iteration work;
  Framed state, fields;
  bool from_zero;
};

/// What lies in the image of the state after the call, frame included.
Image outcome(const Device& device, const Case& given) {
  const Image state = device.upload(given.state.image).clone();
  const Image fields = device.upload(given.fields.image);
  device.backend().relax(given.work, given.state.inside(state),
                         fields_inside(given.work.rule, given.fields, fields), given.from_zero);
  return state.download();
}

void compare(const Device& device, const Case& given, Deviation& found) {
  const Image expected = outcome(Device::open("reference"), given);
  raise(found, largest_difference(expected, outcome(device, given)) / stencil_range);
}

}  // namespace

/// A sweep renews every cell once, from cells old and new: what an error passes on is bounded as in
/// a step of iterate, so that the same gathers. Every rule meets every shape; the rest takes turns.
Deviation check_relax(const Device& device, PixelType type) {
  Deviation found{.engine = "stencil",
                  .check = std::string(name_of(type)) + ", red and black sweeps, of the range",
                  .tolerance = steps_tolerance(type)};
  std::size_t index = 0;
  const auto next_case = [&](Rule rule, const Shape& shape, std::int64_t sweeps) {
    compare(device, Case(relaxing(rule, index, type), shape, type, sweeps, index / 3 % 2 == 0),
            found);
    ++index;
  };
  for (const Rule rule :
       {Rule::held_relaxed, Rule::masked_relaxed, Rule::held_residual, Rule::probe_one}) {
    for (const Shape& shape : small_shapes) {
      next_case(rule, shape, 1 + static_cast<std::int64_t>(index / 5 % 3));
    }
  }
  for (const Shape& shape : large_shapes) next_case(Rule::held_relaxed, shape, 2);
  for (const Shape& shape : large_shapes) next_case(Rule::masked_relaxed, shape, 1);
  return found;
}

}  // namespace meander::conformance
