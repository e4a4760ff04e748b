// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <limits>

#include "conformance/stencil_samples.hpp"
#include "meander/compare.hpp"

namespace meander::conformance {
namespace {

using engine::Iteration;
using engine::View;

constexpr Shape shapes_of_many_steps[] = {{67, 35, 1}, {33, 9, 5}, {3, 2, 1}};

/// One call of iterate and the images it starts from.
struct Case {
  Case(const Turn& turn, const Shape& shape, PixelType type, std::int64_t steps, std::int64_t sets)
      : work(sample_iteration(turn, type, turn.may_go_on() ? steps : 1, sets)),
        state(sample_state(turn.rule, shape, type, 1)),
        scratch(sample_state(turn.rule, shape, type, 2)),
        fields(sample_fields(turn.rule, shape, type, 3)) {}

  Iteration work;
  Framed state, scratch, fields;
};

/// What lies in both images of the state after the call, frames included.
std::array<Image, 2> outcome(const Device& device, const Case& given) {
  engine::Backend& backend = device.backend();
  const std::array images = {device.upload(given.state.image).clone(),
                             device.upload(given.scratch.image).clone()};
  const Image coefficients = device.upload(given.fields.image);
  const View state = given.state.inside(images[0]), scratch = given.scratch.inside(images[1]);
  backend.iterate(given.work, state, scratch,
                  fields_inside(given.work.rule, given.fields, coefficients));
  // One step leaves the state as it was; after more, the image that is not the last holds anything.
  if (given.work.steps > 1) {
    const bool is_even = given.work.steps % 2 == 0;
    backend.convert(is_even ? state : scratch, is_even ? scratch : state, {});
  }
  return {images[0].download(), images[1].download()};
}

void compare(const Device& device, const Case& given, Deviation& found) {
  const auto expected = outcome(Device::open("reference"), given);
  const auto computed = outcome(device, given);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    raise(found, largest_difference(expected[i], computed[i]) / stencil_range);
  }
}

Deviation group(PixelType type, const std::string& what, bool is_one_step) {
  return {.engine = "stencil",
          .check = std::string(name_of(type)) + ", " + what + ", of the range",
          .tolerance = is_one_step ? step_tolerance(type) : steps_tolerance(type)};
}

Deviation check_one_step(const Device& device, PixelType type) {
  Deviation found = group(type, "one step", true);
  std::size_t index = 0;
  for (; index < 665; ++index) {
    const Shape& shape = small_shapes[index % std::size(small_shapes)];
    compare(device, Case(Turn(index, type), shape, type, 1, 1), found);
  }
  for (const Shape& shape : large_shapes) {
    compare(device, Case(Turn(index++, type), shape, type, 1, 1), found);
  }
  return found;
}

Deviation check_steps(const Device& device, PixelType type) {
  Deviation found = group(type, "several steps", false);
  std::size_t index = 0;
  for (; index < 455; ++index) {
    const Shape& shape = small_shapes[index % std::size(small_shapes)];
    const std::int64_t steps = 2 + static_cast<std::int64_t>(index / 8 % 2);
    const std::int64_t sets = index / 4 % 2 == 0 ? 1 : steps;
    compare(device, Case(Turn(index, type), shape, type, steps, sets), found);
  }
  for (const Shape& shape : large_shapes) {
    compare(device, Case(Turn(index++, type), shape, type, 2, 2), found);
  }
  for (const Shape& shape : shapes_of_many_steps) {
    for (const std::int64_t sets : {1, 33}) {
      compare(device, Case(Turn(index++, type), shape, type, 33, sets), found);
    }
  }
  return found;
}

/// NaN in one cell reaches those that look at it, and no other.
Deviation check_nan(const Device& device, PixelType type) {
  Deviation found = group(type, "NaN in one cell", false);
  for (std::size_t index = 0; index < 140; ++index) {
    const Shape& shape = small_shapes[index % std::size(small_shapes)];
    const auto steps = static_cast<std::int64_t>(1 + index / 5 % 2);
    const Case given(Turn(index, type), shape, type, steps, 1);
    // The first, the last or a middle cell of one component.
    const auto part = static_cast<std::int64_t>(index / 3 % 3);
    const View cells = given.state.inside(given.state.image);
    const std::int64_t row = (cells.rows() - 1) * part / 2, x = (shape.x - 1) * part / 2;
    visit(type, [&]<class T>(std::type_identity<T>) {
      reinterpret_cast<T*>(cells.host_row(row))[x] =
          from_double<T>(std::numeric_limits<double>::quiet_NaN());
    });
    compare(device, given, found);
  }
  return found;
}

/// The step from one f16 to the next below the range, and of i16, as numbers are compared.
double quantum(PixelType type) { return type == PixelType::f16 ? stencil_range * 0x1p-11 : 1; }

/// How numbers are stored has nothing to do with the rule, and every rule is another program to
/// compile: one with a term of every kind will do. Six take turns with 7 kinds of neighbours and 5
/// borders.
Turn narrow_turn(std::size_t index, PixelType type) {
  using engine::Rule;
  constexpr Rule rules[] = {Rule::probe_one,          Rule::probe_four,    Rule::vector_flow_plane,
                            Rule::vector_flow_volume, Rule::held_residual, Rule::held_relaxed};
  return {rules[index % std::size(rules)], index, type};
}

/// What differs after one step or a few, in quanta, and how many numbers of how many do.
struct Narrow {
  double largest = 0;
  std::int64_t different = 0, all = 0;
};

Narrow compare_narrow(const Device& device, const Case& given) {
  const auto expected = outcome(Device::open("reference"), given);
  const auto computed = outcome(device, given);
  Narrow found;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Comparison both = meander::compare(expected[i], computed[i]);
    found.largest = std::max(found.largest, both.max / quantum(given.state.image.type()));
    found.different += both.different;
  }
  found.all = given.state.inside(given.state.image).rows() * given.state.shape.x;
  return found;
}

Deviation narrow_group(PixelType type, const std::string& what, double tolerance) {
  return {.engine = "stencil",
          .check = std::string(name_of(type)) + ", " + what,
          .tolerance = tolerance};
}

/// Float32 and float64 may round to different sides, a quantum apart: where what is rounded lies
/// within a step's tolerance, 3e-7, of the middle between two numbers of the type. Of i16, 3e-5
/// apart, that is one number in fifty; of f16 fewer, but small ones are closer together.
std::vector<Deviation> check_narrow_step(const Device& device, PixelType type) {
  Deviation largest = narrow_group(type, "one step, quanta", 1);
  Deviation part = narrow_group(type, "one step, part that differs", 0.02);
  Narrow sum;
  for (std::size_t index = 0; index < 210; ++index) {
    const Shape& shape = small_shapes[index % std::size(small_shapes)];
    const Narrow found = compare_narrow(device, Case(narrow_turn(index, type), shape, type, 1, 1));
    raise(largest, found.largest);
    sum.different += found.different;
    sum.all += found.all;
    ++part.cases;
  }
  part.deviation = static_cast<double>(sum.different) / static_cast<double>(sum.all);
  return {largest, part};
}

/// A quantum may come in at every step, and gathers as roundings do in steps_tolerance.
Deviation check_narrow_steps(const Device& device, PixelType type) {
  Deviation found = narrow_group(type, "several steps, quanta", 16);
  std::size_t index = 0;
  for (; index < 84; ++index) {
    const Shape& shape = small_shapes[index % std::size(small_shapes)];
    const auto steps = static_cast<std::int64_t>(2 + index / 8 % 2);
    const Case given(narrow_turn(index, type), shape, type, steps, index / 4 % 2 == 0 ? 1 : steps);
    raise(found, compare_narrow(device, given).largest);
  }
  for (const Shape& shape : large_shapes) {
    raise(found,
          compare_narrow(device, Case(narrow_turn(index++, type), shape, type, 2, 2)).largest);
  }
  for (const Shape& shape : shapes_of_many_steps) {
    raise(found,
          compare_narrow(device, Case(narrow_turn(index++, type), shape, type, 33, 33)).largest);
  }
  return found;
}

/// With parameters far too large most numbers leave the range from -1 to 1 of an i16.
Deviation check_saturation(const Device& device) {
  Deviation found = narrow_group(PixelType::i16, "beyond its range, quanta", 1);
  std::size_t index = 0;
  for (const Shape& shape : small_shapes) {
    const engine::Rule rule = index % 2 == 0 ? engine::Rule::probe_one : engine::Rule::probe_four;
    Case given(Turn(rule, index++, PixelType::i16), shape, PixelType::i16, 1, 1);
    for (double& parameter : given.work.parameters) parameter *= 32;
    raise(found, compare_narrow(device, given).largest);
  }
  return found;
}

}  // namespace

std::vector<Deviation> check_stencil(const Device& device, PixelType type) {
  return {check_one_step(device, type), check_steps(device, type), check_nan(device, type)};
}

std::vector<Deviation> check_narrow_stencil(const Device& device) {
  std::vector<Deviation> all{check_saturation(device)};
  for (const PixelType type : {PixelType::f16, PixelType::i16}) {
    for (const Deviation& found : check_narrow_step(device, type)) all.push_back(found);
    all.push_back(check_narrow_steps(device, type));
  }
  return all;
}

}  // namespace meander::conformance
