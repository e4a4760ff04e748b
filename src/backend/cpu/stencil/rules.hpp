// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "backend/cpu/stencil/kernels.hpp"
#include "backend/cpu/vector.hpp"

/// The rules on vectors, and what the functions that apply them share. Only for files that are
/// compiled once per instruction set: everything has internal linkage.
namespace meander::cpu {
namespace {

namespace of_float {
using real = Vector<float>;
#include "rules/every_rule.inc"
}  // namespace of_float
namespace of_double {
using real = Vector<double>;
#include "rules/every_rule.inc"
}  // namespace of_double

/// A line of the table of rules as a type, with the rule for either kind of number.
#define MEANDER_RULE(name, state_count, around_bits, field_count, parameter_count)          \
  struct name {                                                                             \
    static constexpr int states = state_count, around = around_bits, fields = field_count,  \
                         parameters = parameter_count;                                      \
    static constexpr bool differences = (around_bits & 0b10000) != 0;                       \
    using F = Vector<float>;                                                                \
    using D = Vector<double>;                                                               \
    [[gnu::always_inline]] static void next(const F* s, const F* a, const F* f, const F* p, \
                                            F* n) {                                         \
      of_float::name(s, a, f, p, n);                                                        \
    }                                                                                       \
    [[gnu::always_inline]] static void next(const D* s, const D* a, const D* f, const D* p, \
                                            D* n) {                                         \
      of_double::name(s, a, f, p, n);                                                       \
    }                                                                                       \
  };
#include "rules/table.inc"
#undef MEANDER_RULE

template <StencilKind kind>
constexpr bool has_depth = kind == volume_unit || kind == volume;
template <StencilKind kind>
constexpr bool is_unit = kind == plane_unit || kind == volume_unit;

/// The numbers of a step, as vectors.
template <class Rule, class Real>
struct Spread {
  explicit Spread(const StencilNumbers<Real>& numbers) {
    for (int i = 0; i < Rule::parameters; ++i) p[i] = broadcast(numbers.parameters[i]);
    for (int i = 0; i < 3; ++i) axis[i] = broadcast(numbers.axis[i]);
    corner = broadcast(numbers.corner);
  }
  Vector<Real> p[most_stencil_parameters], axis[3], corner;
};

template <class Real, std::size_t... Lane>
[[gnu::always_inline]] inline Vector<Real> shifted_in(Vector<Real> from, Vector<Real> to,
                                                      std::index_sequence<Lane...>) {
  return __builtin_shufflevector(from, to, static_cast<int>(sizeof...(Lane) - 1 + Lane)...);
}
template <class Real, std::size_t... Lane>
[[gnu::always_inline]] inline Vector<Real> shifted_out(Vector<Real> of, Vector<Real> by,
                                                       std::index_sequence<Lane...>) {
  return __builtin_shufflevector(of, by, static_cast<int>(1 + Lane)...);
}

/// What two neighbours count together, by themselves or as differences to the cell between them.
template <bool differences, class V>
[[gnu::always_inline]] inline V pair_of(V before, V after, [[maybe_unused]] V centre) {
  if constexpr (differences) return (before - centre) + (after - centre);
  return before + after;
}

template <class Rule, StencilKind kind, class Real>
[[gnu::always_inline]] inline void copy_pointers(const StencilLine<Real>& from,
                                                 StencilLine<Real>& to) {
  unrolled<Rule::states>([&](auto s) __attribute__((always_inline)) {
    to.centre[s] = from.centre[s];
    to.next[s] = from.next[s];
    if constexpr ((Rule::around >> s & 1) != 0) {
      unrolled<has_depth<kind> ? 2 : 1>([&](auto axis) __attribute__((always_inline)) {
        to.before[axis][s] = from.before[axis][s];
        to.after[axis][s] = from.after[axis][s];
      });
    }
  });
  unrolled<Rule::fields>([&](auto f)
                             __attribute__((always_inline)) { to.field[f] = from.field[f]; });
  to.begin = from.begin;
  to.end = from.end;
  to.length = from.length;
}

}  // namespace
}  // namespace meander::cpu
