// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <stop_token>
#include <vector>

#include "meander/border.hpp"

/// The stencil engine: a rule applied to every cell of a grid, step after step. Arithmetic is in
/// the type of the state, f32 or f64 (`reference`: float64, stored as that type after every step).
namespace meander::engine {

/// The rules of src/rules, by name.
enum class Rule : std::uint8_t {
#define MEANDER_RULE(name, states, around, fields, parameters) name,
#include "rules/table.inc"
#undef MEANDER_RULE
};

struct RuleFacts {
  const char* name;
  int states;
  int around;  ///< A bit for each state whose neighbours the rule looks at.
  int fields;
  int parameters;
};
inline constexpr RuleFacts rule_table[] = {
#define MEANDER_RULE(name, states, around, fields, parameters) \
  {#name, states, around, fields, parameters},
#include "rules/table.inc"
#undef MEANDER_RULE
};
inline constexpr int rule_count = std::size(rule_table);
inline constexpr int most_states = 4;
inline constexpr int most_fields = 4;
inline constexpr int most_parameters = 8;

inline const RuleFacts& facts_of(Rule rule) { return rule_table[static_cast<std::size_t>(rule)]; }

/// What `around` sums: axis[a] times the two neighbours along each axis a, and `corner` times the
/// four diagonal neighbours in the plane of x and y. An axis of weight 0 has no neighbours: with
/// axis[2] = 0 the slices of a volume know nothing of each other. `corner` goes with axis[2] = 0.
/// Beyond the grid stands what the border says; each axis is taken by itself, so the corner beyond
/// a corner is found by both; with the constant border it is the constant.
struct Neighbours {
  std::array<double, 3> axis{1, 1, 0};
  double corner = 0;
  BorderRule border;

  /// The sum of all weights.
  double weight() const { return 2 * (axis[0] + axis[1] + axis[2]) + 4 * corner; }
};

struct Iteration {
  Rule rule{};
  Neighbours neighbours;
  /// The rule's parameters, once for all steps or once for each step.
  std::vector<double> parameters;
  std::int64_t steps = 0;
  /// When it fires, a backend whose steps run on the host returns early and leaves any state: the
  /// caller throws.
  std::stop_token stop;

  /// The parameters of a step.
  const double* of_step(std::int64_t step) const {
    const auto count = static_cast<std::size_t>(facts_of(rule).parameters);
    return parameters.data() +
           (parameters.size() > count ? step * static_cast<std::int64_t>(count) : 0);
  }
};

}  // namespace meander::engine
