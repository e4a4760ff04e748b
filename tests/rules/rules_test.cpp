// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// The rules of src/rules as C++, in both types, against what table.inc says of them. What they
// compute is tested where a method uses them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/stencil.hpp"

namespace meander::engine {
namespace {

namespace of_float {
using real = float;
inline real mad(real a, real b, real c) { return std::fma(a, b, c); }
#include "rules/every_rule.inc"
}  // namespace of_float

namespace of_double {
using real = double;
inline real mad(real a, real b, real c) { return std::fma(a, b, c); }
#include "rules/every_rule.inc"
}  // namespace of_double

template <class Real>
using Apply = void (*)(const Real*, const Real*, const Real*, const Real*, Real*);
constexpr Apply<float> float_rules[] = {
#define MEANDER_RULE(name, states, around, fields, parameters) of_float::name,
#include "rules/table.inc"
#undef MEANDER_RULE
};
constexpr Apply<double> double_rules[] = {
#define MEANDER_RULE(name, states, around, fields, parameters) of_double::name,
#include "rules/table.inc"
#undef MEANDER_RULE
};

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// The arguments of a rule; what its line in the table does not name is NaN.
template <class Real>
struct Arguments {
  explicit Arguments(const RuleFacts& facts) {
    const auto fill = [](Real* numbers, int most, auto is_named, double first) {
      for (int i = 0; i < most; ++i) {
        numbers[i] = static_cast<Real>(is_named(i) ? first + 0.125 * i : nothing);
      }
    };
    const auto below = [](int count) { return [count](int i) { return i < count; }; };
    fill(state, most_states, below(facts.states), 0.25);
    fill(
        around, most_states, [&](int i) { return (facts.around >> i & 1) != 0; }, -0.75);
    fill(field, most_fields, below(facts.fields), 0.5);
    fill(parameters, most_parameters, below(facts.parameters), -0.375);
    fill(next, most_states, below(0), 0);
  }
  void run(Apply<Real> rule) { rule(state, around, field, parameters, next); }
  int numbers_written() const {
    int written = 0;
    for (const Real number : next) written += std::isnan(number) ? 0 : 1;
    return written;
  }
  Real state[most_states], around[most_states], field[most_fields], parameters[most_parameters];
  Real next[most_states];
};

class Rules : public testing::TestWithParam<int> {
 protected:
  const RuleFacts& facts() const { return rule_table[GetParam()]; }
  /// Whether any state becomes another when one argument does.
  bool depends_on(double* (*argument)(Arguments<double>&, int), int index) const {
    Arguments<double> given(facts()), other(facts());
    *argument(other, index) += 0.0625;
    given.run(double_rules[GetParam()]);
    other.run(double_rules[GetParam()]);
    return !std::equal(given.next, given.next + facts().states, other.next);
  }
};

TEST_P(Rules, ReadOnlyWhatTheTableNamesAndWriteEveryState) {
  Arguments<double> given(facts());
  given.run(double_rules[GetParam()]);
  EXPECT_EQ(given.numbers_written(), facts().states);
  for (int i = facts().states; i < most_states; ++i) EXPECT_TRUE(std::isnan(given.next[i]));
}

/// What no one reads is computed in vain.
TEST_P(Rules, ReadTheNeighboursAndFieldsTheTableNames) {
  for (int i = 0; i < most_states; ++i) {
    if ((facts().around >> i & 1) == 0) continue;
    const auto around = [](Arguments<double>& all, int at) { return &all.around[at]; };
    EXPECT_TRUE(depends_on(around, i)) << "around[" << i << "]";
  }
  for (int i = 0; i < facts().fields; ++i) {
    const auto field = [](Arguments<double>& all, int at) { return &all.field[at]; };
    EXPECT_TRUE(depends_on(field, i)) << "field[" << i << "]";
  }
}

/// The arguments are exact in both types, so only the rule's own roundings differ.
TEST_P(Rules, AreTheSameInFloatAndDouble) {
  Arguments<float> narrow(facts());
  Arguments<double> wide(facts());
  narrow.run(float_rules[GetParam()]);
  wide.run(double_rules[GetParam()]);
  for (int i = 0; i < facts().states; ++i) EXPECT_NEAR(narrow.next[i], wide.next[i], 1e-6);
}

TEST_P(Rules, FitIntoWhatBackendsReserve) {
  EXPECT_GE(facts().states, 1);
  EXPECT_LE(facts().states, most_states);
  EXPECT_LE(facts().fields, most_fields);
  EXPECT_LE(facts().parameters, most_parameters);
  const int looked_at = facts().around & ~RuleFacts::wants_differences;
  EXPECT_EQ(looked_at >> facts().states, 0) << "neighbours of a state that is not there";
  EXPECT_TRUE(looked_at != 0 || !facts().has_differences()) << "differences of nothing";
}

std::string test_name(const testing::TestParamInfo<int>& info) {
  return rule_table[info.param].name;
}

INSTANTIATE_TEST_SUITE_P(All, Rules, testing::Range(0, rule_count), test_name);

}  // namespace
}  // namespace meander::engine
