// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <limits>

#include "conformance/line_samples.hpp"
#include "engine/view_lines.hpp"

namespace meander::conformance {
namespace {

using engine::Axis;
using engine::Iteration;
using engine::Neighbours;
using engine::Rule;
using engine::View;

/// Of states and fields at the start. With the parameters below no state leaves twice this, the
/// range of which deviations are a part.
constexpr double largest_value = 0.25;
constexpr double range = 2 * largest_value;

/// A rounding in float32 is at most 2^-24 of the range. One step rounds its sum over neighbours 5
/// times, which counts by less than half, the rule 6 times where mad rounds twice, and `reference`
/// what it stores: below 10 roundings or 6e-7. Later steps pass errors on, in FitzHugh-Nagumo with
/// |U| <= 1/2 by at most the matrix (0.65 1; 0.05 0.6), so that 16 times those of one step gather
/// however many there are; in the probes less. float64 rounds 2^-29 times as coarsely, but
/// `reference` rounds as well.
double tolerance_of(PixelType type, bool is_one_step) {
  const double of_float32 = is_one_step ? 6e-7 : 16 * 6e-7;
  return type == PixelType::f32 ? of_float32 : 2 * of_float32 * 0x1p-29;
}

/// Devices compute with what the type holds of a number; so does `reference` when it is given that.
double held(double number, PixelType type) {
  return type == PixelType::f32 ? static_cast<float>(number) : number;
}

constexpr double border_value = 0.2;

/// Of a plane or a volume, equal along the axes or not, with corners, with axes of no weight.
constexpr Neighbours sample_neighbours[] = {{.axis = {1, 1, 0}},
                                            {.axis = {1.3, 0.7, 0}},
                                            {.axis = {2.0 / 3, 2.0 / 3, 0}, .corner = 1.0 / 6},
                                            {.axis = {1, 1, 1}},
                                            {.axis = {0.6, 1.1, 1.7}},
                                            {.axis = {0, 1, 0.9}},
                                            {.axis = {1.2, 0, 0}, .corner = 0.3}};

constexpr Shape small_shapes[] = {{1, 1, 1},  {2, 1, 1},  {1, 2, 1},   {2, 2, 1},   {3, 3, 1},
                                  {31, 1, 1}, {1, 33, 1}, {33, 31, 1}, {31, 33, 1}, {3, 2, 1},
                                  {2, 33, 1}, {1, 1, 2},  {2, 1, 2},   {1, 2, 3},   {3, 2, 2},
                                  {31, 2, 2}, {33, 3, 3}, {17, 4, 3},  {2, 2, 31}};
/// The column has more rows than some drivers take in one launch.
constexpr Shape large_shapes[] = {{1023, 65, 1}, {1, 70001, 1}, {9001, 1, 1}, {129, 33, 5}};
constexpr Shape shapes_of_many_steps[] = {{67, 35, 1}, {33, 9, 5}, {3, 2, 1}};

/// Neighbours, borders and rules take turns; their numbers have no common factor, so in 140 turns
/// every combination comes by, and with the 19 small shapes in 665 turns every one without rules.
struct Turn {
  explicit Turn(std::size_t index, PixelType type)
      : rule(static_cast<Rule>(index % std::size(engine::rule_table))),
        neighbours(sample_neighbours[index % std::size(sample_neighbours)]) {
    for (double& weight : neighbours.axis) weight = held(weight, type);
    neighbours.corner = held(neighbours.corner, type);
    neighbours.border = {.kind = all_borders[index % std::size(all_borders)],
                         .value = held(border_value, type)};
  }
  Rule rule;
  Neighbours neighbours;
};

/// `sets` times the rule's parameters, all different. Those that weigh a sum over neighbours are
/// parts of its whole weight.
std::vector<double> sample_parameters(const Turn& turn, PixelType type, std::int64_t sets) {
  const double part = 1 / turn.neighbours.weight();
  const bool is_probe = turn.rule == Rule::probe_one || turn.rule == Rule::probe_four;
  const double of_probe[] = {0.5 * part, 0.4 * part, 0.45 * part, 0.24, 0.13, -0.17};
  const double of_cell[] = {0.45, 0.2 * part, 0.3, -0.05, 0.02, 0.3 * part};
  std::vector<double> all;
  for (std::int64_t set = 0; set < sets; ++set) {
    for (int i = 0; i < engine::facts_of(turn.rule).parameters; ++i) {
      const double shrunk = 1 - 0.07 * static_cast<double>((set + i) % 5);
      all.push_back(held((is_probe ? of_probe : of_cell)[i] * shrunk, type));
    }
  }
  return all;
}

/// An image with a frame, of another width for each `kind` so that pitches differ, and the part of
/// it that is computed. A column has no frame along x, which would be most of the image.
struct Framed {
  Framed(const Shape& computed, int channels, PixelType type, int kind)
      : shape(computed), start(shape.y > 1000 ? 0 : kind) {
    const Shape whole{shape.x + 20 * start, shape.y + 2, shape.z > 1 ? shape.z + 2 : 1};
    image = line_image({.shape = whole, .channels = channels, .type = type}, largest_value);
  }
  View inside(const Image& copy) const {
    View view = part_of(view_of(copy), Axis::x, start, start + shape.x);
    view = part_of(view, Axis::y, 1, 1 + shape.y);
    return shape.z > 1 ? part_of(view, Axis::z, 1, 1 + shape.z) : view;
  }
  Shape shape;
  std::int64_t start;
  Image image;
};

/// One call of iterate and the images it starts from.
struct Case {
  Case(const Turn& turn, const Shape& shape, PixelType type, std::int64_t steps, std::int64_t sets)
      : work{.rule = turn.rule,
             .neighbours = turn.neighbours,
             .parameters = sample_parameters(turn, type, sets),
             .steps = steps,
             .stop = {}},
        state(shape, facts().states, type, 1),
        scratch(shape, facts().states, type, 2),
        fields(shape, std::max(facts().fields, 1), type, 3) {}
  const engine::RuleFacts& facts() const { return engine::facts_of(work.rule); }

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
                  given.facts().fields > 0 ? given.fields.inside(coefficients) : View{});
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
    raise(found, largest_difference(expected[i], computed[i]) / range);
  }
}

Deviation group(PixelType type, const std::string& what, bool is_one_step) {
  return {.engine = "stencil",
          .check = std::string(name_of(type)) + ", " + what + ", of the range",
          .tolerance = tolerance_of(type, is_one_step)};
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
  for (; index < 280; ++index) {
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

}  // namespace

std::vector<Deviation> check_stencil(const Device& device, PixelType type) {
  return {check_one_step(device, type), check_steps(device, type), check_nan(device, type)};
}

}  // namespace meander::conformance
