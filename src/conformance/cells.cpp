// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <array>

#include "conformance/stencil_samples.hpp"

namespace meander::conformance {
namespace {

using engine::Rule;

/// One call of apply and the images it works on.
struct ApplyCase {
  ApplyCase(const Turn& turn, const Shape& shape, unsigned halved_axes, PixelType type)
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
std::array<Image, 2> outcome(const Device& device, const ApplyCase& given) {
  const Image in = device.upload(given.in.image).clone();
  const Image fields = device.upload(given.fields.image);
  const Image out = device.upload(given.out.image).clone();
  device.backend().apply(given.work, given.in.inside(in),
                         fields_inside(given.work.rule, given.fields, fields),
                         given.out.inside(out));
  return {in.download(), out.download()};
}

void compare(const Device& device, const ApplyCase& given, Deviation& found) {
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
      compare(device, ApplyCase(Turn(rule, index, type), shape, halved_axes, type), found);
    }
  }
  for (const Shape& shape : large_shapes) {
    for (const unsigned halved_axes : {0u, 2u, 7u}) {
      const Rule rule = rules[index % std::size(rules)];
      compare(device, ApplyCase(Turn(rule, index++, type), shape, halved_axes, type), found);
    }
  }
  return found;
}

namespace {

/// A rule with the neighbours that red and black cells can have.
Turn relaxing(Rule rule, std::size_t index, PixelType type) {
  Turn turn(rule, index, type);
  turn.neighbours.corner = 0;
  turn.neighbours.border.kind = index % 2 == 0 ? Border::clamp : Border::mirror;
  return turn;
}

/// One call of relax and the images it starts from.
struct RelaxCase {
  RelaxCase(const Turn& turn, const Shape& shape, PixelType type, std::int64_t sweeps,
            bool is_from_zero)
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
Image outcome(const Device& device, const RelaxCase& given) {
  const Image state = device.upload(given.state.image).clone();
  const Image fields = device.upload(given.fields.image);
  device.backend().relax(given.work, given.state.inside(state),
                         fields_inside(given.work.rule, given.fields, fields), given.from_zero);
  return state.download();
}

void compare(const Device& device, const RelaxCase& given, Deviation& found) {
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
    compare(device, RelaxCase(relaxing(rule, index, type), shape, type, sweeps, index / 3 % 2 == 0),
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

namespace {

using engine::Prolongation;

/// One call of transfer and the images it works on.
struct TransferCase {
  TransferCase(const Shape& shape, unsigned halved_axes, PixelType type, Prolongation chosen,
               bool has_weight)
      : coarse(halved_along(shape, halved_axes), 1, type, 1),
        fine(shape, 1, type, 2),
        weight(shape, 1, type, 3),
        how(chosen),
        is_weighted(has_weight) {
    if (how == Prolongation::replace) fine.fill_with_nan();  // nobody looks at what is replaced
  }
  Framed coarse, fine, weight;
  Prolongation how;
  bool is_weighted;
};

/// What lies in the finer image after the call, frame included.
Image outcome(const Device& device, const TransferCase& given) {
  const Image coarse = device.upload(given.coarse.image);
  const Image fine = device.upload(given.fine.image).clone();
  const Image weight = device.upload(given.weight.image);
  device.backend().transfer(given.coarse.inside(coarse), given.fine.inside(fine),
                            given.is_weighted ? given.weight.inside(weight) : engine::View{},
                            given.how);
  return fine.download();
}

Deviation check_all(const Device& device, PixelType type, Prolongation how, bool has_weight) {
  const std::string what = std::string(how == Prolongation::add ? "added" : "carried") +
                           (has_weight ? " by weights" : "") + " to finer, of the range";
  Deviation found{.engine = "stencil", .check = std::string(name_of(type)) + ", " + what};
  // What is carried as it is stays equal. A product and a sum round twice, `reference` once.
  const double rounding = type == PixelType::f64 ? 0x1p-53 : 0x1p-24;
  if (has_weight || how == Prolongation::add) found.tolerance = 3 * rounding;
  const auto compare = [&](const Shape& shape, unsigned halved_axes) {
    const TransferCase given(shape, halved_axes, type, how, has_weight);
    const Image expected = outcome(Device::open("reference"), given);
    raise(found, largest_difference(expected, outcome(device, given)) / stencil_range);
  };
  for (const Shape& shape : small_shapes) {
    for (unsigned halved_axes = 0; halved_axes < 8; ++halved_axes) compare(shape, halved_axes);
  }
  for (const Shape& shape : large_shapes) compare(shape, 7);
  return found;
}

}  // namespace

std::vector<Deviation> check_transfer(const Device& device, PixelType type) {
  std::vector<Deviation> all;
  for (const Prolongation how : {Prolongation::replace, Prolongation::add}) {
    for (const bool has_weight : {false, true}) {
      all.push_back(check_all(device, type, how, has_weight));
    }
  }
  return all;
}

}  // namespace meander::conformance
