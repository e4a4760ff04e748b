// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "conformance/stencil_samples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/view_lines.hpp"

namespace meander::conformance {
namespace {

using engine::Axis;
using engine::Neighbours;
using engine::Rule;
using engine::View;

/// Devices compute with what the type of their arithmetic holds of a number; so does `reference`
/// when it is given that.
double held(double number, PixelType type) {
  return type == PixelType::f64 ? number : static_cast<float>(number);
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

/// The weight of all neighbours together for rules that have no parameter to shrink it with.
double whole_weight(Rule rule, double weight) {
  switch (rule) {
    case Rule::held_residual:
    case Rule::flow_residual:
    case Rule::masked_diagonal:
      return 0.125;
    case Rule::masked_relaxed:
    case Rule::masked_residual:
      return 1;
    default:
      return weight;
  }
}

/// Those that weigh a sum over neighbours are parts of its whole weight; what that is divided by is
/// a multiple of it.
std::array<double, 6> parameters_of(const Turn& turn) {
  const double weight = turn.neighbours.weight(), part = 1 / weight;
  switch (turn.rule) {
    case Rule::fitzhugh_nagumo:
    case Rule::fitzhugh_nagumo_still:
      return {0.45, 0.2 * part, 0.3, -0.05, 0.02, 0.3 * part};
    case Rule::vector_flow_plane:
    case Rule::vector_flow_volume:
      return {0.3 * part, 0.4, 0.8};
    case Rule::held_relaxed:
      return {2 * weight};
    case Rule::masked_diagonal:
      return {0.45};
    default:
      return {0.5 * part, 0.4 * part, 0.45 * part, 0.24, 0.13, -0.17};
  }
}

/// What a rule may divide by is far from 0; masks, and what holds a cell, are 0 in half the cells.
double field_number(Rule rule, int channel, double number) {
  const double positive = std::max(number, 0.0);
  if (rule == Rule::held_relaxed) return channel == 1 ? positive : number;
  if (rule == Rule::masked_diagonal) return number > 0 ? 0.0625 + number / 8 : 0;
  if (rule != Rule::masked_relaxed && rule != Rule::masked_residual) return number;
  return channel == 2 ? positive : channel == 1 ? 1 - std::abs(number) : number;
}

/// What a stored 1 stands for.
template <class T>
constexpr double part_of_one = std::is_same_v<T, std::int16_t> ? 1.0 / 32767 : 1;

/// Every number of a channel becomes change(number).
template <class Change>
void remake(const Image& image, int channel, Change change) {
  const View view = view_of(image.channel(channel));
  visit(view.type, [&]<class T>(std::type_identity<T>) {
    for (std::int64_t row = 0; row < view.rows(); ++row) {
      T* numbers = reinterpret_cast<T*>(view.host_row(row));
      std::transform(numbers, numbers + view.shape.x, numbers, [&](T number) {
        return from_double<T>(change(to_double(number) * part_of_one<T>) / part_of_one<T>);
      });
    }
  });
}

}  // namespace

/// A rounding in float32 is at most 2^-24 of the range. One step rounds its sum over neighbours 5
/// times, which counts by less than half, the rule 6 times where mad rounds twice, and `reference`
/// what it stores: below 10 roundings or 6e-7. A quotient counts for 5 in OpenCL, but the rules
/// that divide round little else. float64 rounds 2^-29 times as coarsely, but `reference` rounds as
/// well.
double step_tolerance(PixelType type) {
  constexpr double of_float32 = 6e-7;
  return type == PixelType::f64 ? 2 * of_float32 * 0x1p-29 : of_float32;
}

/// Later steps pass errors on, in FitzHugh-Nagumo with |U| <= 1/2 by at most the matrix
/// (0.65 1; 0.05 0.6), so that 16 times those of one step gather however many there are; in all
/// other rules by at most 0.7, which gathers 3.3 times those of one.
double steps_tolerance(PixelType type) { return 16 * step_tolerance(type); }

Turn::Turn(std::size_t index, PixelType type)
    : Turn(static_cast<Rule>(index % std::size(engine::rule_table)), index, type) {}

Turn::Turn(Rule chosen, std::size_t index, PixelType type)
    : rule(chosen), neighbours(sample_neighbours[index % std::size(sample_neighbours)]) {
  static_assert(engine::rule_count % 7 != 0 && engine::rule_count % 5 != 0, "turns would repeat");
  if (engine::facts_of(rule).has_differences()) neighbours.corner = 0;
  const double factor = whole_weight(rule, neighbours.weight()) / neighbours.weight();
  for (double& weight : neighbours.axis) weight = held(weight * factor, type);
  neighbours.corner = held(neighbours.corner * factor, type);
  neighbours.border = {.kind = all_borders[index % std::size(all_borders)],
                       .value = held(border_value, type)};
}

engine::Iteration sample_iteration(const Turn& turn, PixelType type, std::int64_t steps,
                                   std::int64_t sets) {
  engine::Iteration work{
      .rule = turn.rule, .neighbours = turn.neighbours, .parameters = {}, .steps = steps};
  const std::array all = parameters_of(turn);
  for (std::int64_t set = 0; set < sets; ++set) {
    for (int i = 0; i < engine::facts_of(turn.rule).parameters; ++i) {
      const double shrunk = 1 - 0.07 * static_cast<double>((set + i) % 5);
      work.parameters.push_back(held(all[static_cast<std::size_t>(i)] * shrunk, type));
    }
  }
  return work;
}

Framed::Framed(const Shape& computed, int channels, PixelType type, int kind)
    : shape(computed), start(shape.y > 1000 ? 0 : kind) {
  const Shape whole{shape.x + 20 * start, shape.y + 2, shape.z > 1 ? shape.z + 2 : 1};
  const double one = type == PixelType::i16 ? 1 / part_of_one<std::int16_t> : 1;
  image = line_image({.shape = whole, .channels = channels, .type = type}, one * largest_value);
}

View Framed::inside(const Image& copy) const {
  View view = engine::part_of(view_of(copy), Axis::x, start, start + shape.x);
  view = engine::part_of(view, Axis::y, 1, 1 + shape.y);
  return shape.z > 1 ? engine::part_of(view, Axis::z, 1, 1 + shape.z) : view;
}

void Framed::fill_with_nan() {
  const View view = inside(image);
  visit(view.type, [&]<class T>(std::type_identity<T>) {
    const T nothing = from_double<T>(std::numeric_limits<double>::quiet_NaN());
    for (std::int64_t row = 0; row < view.rows(); ++row) {
      std::fill_n(reinterpret_cast<T*>(view.host_row(row)), view.shape.x, nothing);
    }
  });
}

Framed sample_state(Rule rule, const Shape& shape, PixelType type, int kind) {
  Framed state(shape, engine::facts_of(rule).states, type, kind);
  if (rule == Rule::masked_diagonal) {
    remake(state.image, 0, [](double number) { return number > 0 ? largest_value + number : 0; });
  }
  return state;
}

Framed sample_fields(Rule rule, const Shape& shape, PixelType type, int kind) {
  const int count = engine::facts_of(rule).fields;
  Framed fields(shape, std::max(count, 1), type, kind);
  for (int i = 0; i < count; ++i) {
    remake(fields.image, i, [&](double number) { return field_number(rule, i, number); });
  }
  return fields;
}

View fields_inside(Rule rule, const Framed& fields, const Image& copy) {
  return engine::facts_of(rule).fields > 0 ? fields.inside(copy) : View{};
}

Shape halved_along(const Shape& shape, unsigned which) {
  return {(which & 1) != 0 ? engine::halved(shape.x) : shape.x,
          (which & 2) != 0 ? engine::halved(shape.y) : shape.y,
          (which & 4) != 0 ? engine::halved(shape.z) : shape.z};
}

}  // namespace meander::conformance
