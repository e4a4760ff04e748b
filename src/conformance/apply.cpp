// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <array>

#include "conformance/stencil_samples.hpp"

namespace meander::conformance {
namespace {

using engine::Rule;

/// One call of apply and the images it works on.
struct Case {
  Case(const Turn& turn, const Shape& shape, unsigned halved_axes, PixelType type)
      : work(sample_iteration(turn, type, 1, 1)),
        in(sample_state(turn.rule, shape, type, 1)),
        fields(sample_fields(turn.rule, shape, type, 2)),
        out(halved_along(shape, halved_axes), 1, type, 3) {
    out.fill_with_nan();
  }
  engine::Iteration work;
  Framed in, fields, out;
};

/// What lies in the images of `in` and `out` after the call, frames included.
std::array<Image, 2> outcome(const Device& device, const Case& given) {
  const Image in = device.upload(given.in.image).clone();
  const Image fields = device.upload(given.fields.image);
  const Image out = device.upload(given.out.image).clone();
  device.backend().apply(given.work, given.in.inside(in),
                         fields_inside(given.work.rule, given.fields, fields),
                         given.out.inside(out));
  return {in.download(), out.download()};
}

void compare(const Device& device, const Case& given, Deviation& found) {
  const auto expected = outcome(Device::open("reference"), given);
  const auto computed = outcome(device, given);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    raise(found, largest_difference(expected[i], computed[i]) / stencil_range);
  }
}

constexpr unsigned combinations = 8;  // of axes that are halved

}  // namespace

/// Besides those of a step there are the roundings of a sum of up to eight, 7 of at most 8 times
/// the range, 4.5 times the range on average, and its part 1/8: less than half of what a step may
/// have. Every shape meets every combination, and every rule does.
Deviation check_apply(const Device& device, PixelType type) {
  Deviation found{.engine = "stencil",
                  .check = std::string(name_of(type)) + ", one step to coarser, of the range",
                  .tolerance = 1.5 * step_tolerance(type)};
  constexpr Rule rules[] = {Rule::held_residual,   Rule::flow_residual, Rule::masked_residual,
                            Rule::masked_diagonal, Rule::unchanged,     Rule::probe_one};
  std::size_t index = 0;
  for (const Shape& shape : small_shapes) {
    for (unsigned halved_axes = 0; halved_axes < combinations; ++halved_axes, ++index) {
      const Rule rule = rules[(index / combinations + halved_axes) % std::size(rules)];
      compare(device, Case(Turn(rule, index, type), shape, halved_axes, type), found);
    }
  }
  for (const Shape& shape : large_shapes) {
    for (const unsigned halved_axes : {0u, 2u, 7u}) {
      const Rule rule = rules[index % std::size(rules)];
      compare(device, Case(Turn(rule, index++, type), shape, halved_axes, type), found);
    }
  }
  return found;
}

}  // namespace meander::conformance
