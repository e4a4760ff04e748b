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
/// `iterate` also takes states of 16 bits, f16 or i16, all views of it alike: arithmetic is then
/// float32 and the state is rounded to nearest after every step. An i16 stands for a number from -1
/// to 1, q/32767, and saturates there; that is what textures call snorm16.
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
  int around;  ///< A bit for each state whose neighbours the rule looks at, and wants_differences.
  int fields;
  int parameters;

  static constexpr int wants_differences = 0b10000;
  /// Whether `around` is the Laplacian, the weighted sum of the differences between neighbours and
  /// cell, each rounded before they add up: (before - cell) + (after - cell) along each axis. Such
  /// rules have no corners.
  constexpr bool has_differences() const { return (around & wants_differences) != 0; }
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

/// How steps are taken one a pass over the grid, for tests and benchmarks: in groups of so many
/// work items, a cell each (0: as is fastest), or by one such group alone, which goes over all
/// cells.
struct PlainSteps {
  int width = 0, height = 0;
  bool is_alone = false;
};

/// How values of a coarser grid come to a finer one.
enum class Prolongation : std::uint8_t { replace, add };

/// Cells of the coarser grid along an axis that is halved; the last stands for one cell or two.
inline std::int64_t halved(std::int64_t length) { return (length + 1) / 2; }

}  // namespace meander::engine
