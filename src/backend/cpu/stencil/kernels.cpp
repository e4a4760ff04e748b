// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Compiled once per instruction-set level and type MEANDER_REAL, for both types in one file would
// be what the whole build waits for; see backend/cpu/kernels.hpp for what may be included here.
#include "backend/cpu/stencil/kernels.hpp"

#include "backend/cpu/stencil/rules.hpp"
#include "engine/ghost.hpp"

namespace meander::cpu {
namespace {

/// Where a vector lies: with its neighbours in memory on both sides, or with a cell beyond it that
/// may be the border's.
enum class Edge { none, left, right };

/// Neighbours along x, of the vector at x of any line. `beyond` is the cell that stands beyond the
/// vector on the side of the edge; -1: the border's value does.
template <Edge edge, bool differences, class Real>
[[gnu::always_inline]] inline Vector<Real> sides(const Real* line, std::int64_t x,
                                                 std::int64_t beyond,
                                                 const StencilNumbers<Real>& numbers) {
  constexpr auto lanes = std::make_index_sequence<vector_lanes<Real>>{};
  const auto ghost = [&]() __attribute__((always_inline)) {
    return broadcast(beyond < 0 ? numbers.border_value : line[beyond]);
  };
  Vector<Real> left, right;
  if constexpr (edge == Edge::left) {
    left = shifted_in<Real>(ghost(), load_vector(line + x), lanes);
  } else {
    left = load_vector(line + x - 1);
  }
  if constexpr (edge == Edge::right) {
    right = shifted_out<Real>(load_vector(line + x), ghost(), lanes);
  } else {
    right = load_vector(line + x + 1);
  }
  return pair_of<differences>(left, right, load_vector(line + x));
}

/// The sum over the neighbours of the vector of state s at x.
template <class Rule, StencilKind kind, Edge edge, class Real>
[[gnu::always_inline]] inline Vector<Real> sum_around(const StencilLine<Real>& line, int s,
                                                      std::int64_t x, std::int64_t beyond,
                                                      const Spread<Rule, Real>& spread,
                                                      const StencilNumbers<Real>& numbers) {
  const auto across = [&](int axis) __attribute__((always_inline)) {
    return pair_of<Rule::differences>(load_vector(line.before[axis][s] + x),
                                      load_vector(line.after[axis][s] + x),
                                      load_vector(line.centre[s] + x));
  };
  const auto along = [&]() __attribute__((always_inline)) {
    return sides<edge, Rule::differences>(line.centre[s], x, beyond, numbers);
  };
  if constexpr (is_unit<kind>) {
    const Vector<Real> flat = along() + across(0);
    if constexpr (has_depth<kind>) return flat + across(1);
    return flat;
  } else {
    // An axis of weight 0 has no neighbours: what stands there must not count even as NaN.
    Vector<Real> sum = numbers.axis[0] != 0 ? along() * spread.axis[0] : Vector<Real>{};
    if (numbers.axis[1] != 0) sum = mad(across(0), spread.axis[1], sum);
    if constexpr (has_depth<kind>) sum = mad(across(1), spread.axis[2], sum);
    if constexpr (kind == square) {
      const Vector<Real> corners = sides<edge, false>(line.before[0][s], x, beyond, numbers) +
                                   sides<edge, false>(line.after[0][s], x, beyond, numbers);
      sum = mad(corners, spread.corner, sum);
    }
    return sum;
  }
}

/// `Group` vectors at a time, all read before any is written: so the processor has enough that does
/// not depend on each other.
template <class Rule, StencilKind kind, Edge edge, int Group, class Real>
[[gnu::always_inline]] inline void step_at(const StencilLine<Real>& line, std::int64_t x,
                                           const Spread<Rule, Real>& spread,
                                           const StencilNumbers<Real>& numbers,
                                           std::int64_t beyond = 0) {
  constexpr int lanes = vector_lanes<Real>;
  Vector<Real> state[Group][most_stencil_states], around[Group][most_stencil_states];
  Vector<Real> field[Group][most_stencil_fields], next[Group][most_stencil_states];
  unrolled<Group>([&](auto g) __attribute__((always_inline)) {
    unrolled<Rule::states>([&](auto s) __attribute__((always_inline)) {
      state[g][s] = load_vector(line.centre[s] + x + g * lanes);
      if constexpr ((Rule::around >> s & 1) != 0) {
        around[g][s] =
            sum_around<Rule, kind, edge>(line, s, x + g * lanes, beyond, spread, numbers);
      }
    });
    unrolled<Rule::fields>([&](auto f) __attribute__((always_inline)) {
      field[g][f] = load_vector(line.field[f] + x + g * lanes);
    });
  });
  unrolled<Group>([&](auto g) __attribute__((always_inline)) {
    Rule::next(state[g], around[g], field[g], spread.p, next[g]);
  });
  unrolled<Group>([&](auto g) __attribute__((always_inline)) {
    unrolled<Rule::states>([&](auto s) __attribute__((always_inline)) {
      store_vector(line.next[s] + x + g * lanes, next[g][s]);
    });
  });
}

/// No more cells than a vector has lanes: through a copy with room around it, in which the cells
/// stand at 1 and after.
template <class Rule, StencilKind kind, class Real>
void step_few(const StencilLine<Real>& line, const Spread<Rule, Real>& spread,
              const StencilNumbers<Real>& numbers) {
  constexpr int lanes = vector_lanes<Real>, room = lanes + 2;
  Real copies[5][most_stencil_states][room] = {}, fields[most_stencil_fields][room] = {};
  Real results[most_stencil_states][room];
  const std::int64_t count = line.end - line.begin;
  StencilLine<Real> copy{};
  const auto take = [&](const Real* from, Real* to) {
    for (std::int64_t i = 0; i < count + 2; ++i) {
      const std::int64_t index =
          engine::ghost_index(line.begin - 1 + i, line.length, numbers.border);
      to[i] = index < 0 ? numbers.border_value : from[index];
    }
    return to;
  };
  for (int s = 0; s < Rule::states; ++s) {
    copy.next[s] = results[s];
    const bool looks = (Rule::around >> s & 1) != 0;
    copy.centre[s] = take(line.centre[s], copies[0][s]);
    for (int axis = 0; looks && axis < (has_depth<kind> ? 2 : 1); ++axis) {
      copy.before[axis][s] = take(line.before[axis][s], copies[1 + axis][s]);
      copy.after[axis][s] = take(line.after[axis][s], copies[3 + axis][s]);
    }
  }
  for (int f = 0; f < Rule::fields; ++f) {
    for (std::int64_t i = 0; i < count; ++i) fields[f][1 + i] = line.field[f][line.begin + i];
    copy.field[f] = fields[f];
  }
  step_at<Rule, kind, Edge::none, 1>(copy, 1, spread, numbers);
  for (int s = 0; s < Rule::states; ++s) {
    for (std::int64_t i = 0; i < count; ++i) line.next[s][line.begin + i] = results[s][1 + i];
  }
}

/// A vector at the beginning, then vectors on boundaries of their size, groups of them while they
/// last, and a vector at the end: where they overlap the same is computed twice.
template <class Rule, StencilKind kind, class Real>
void step(const StencilLine<Real>& given, const StencilNumbers<Real>& numbers) {
  constexpr int lanes = vector_lanes<Real>;
  // More than the registers hold would go through memory.
  constexpr int group = Rule::states + Rule::fields >= 6 ? 1 : 4;
  StencilLine<Real> line;  // a copy of what is used, so that no store can change a pointer
  copy_pointers<Rule, kind>(given, line);
  const Spread<Rule, Real> spread(numbers);
  if (line.end - line.begin <= lanes) return step_few<Rule, kind>(line, spread, numbers);
  const std::int64_t last = line.end - lanes;
  step_at<Rule, kind, Edge::left, 1>(line, line.begin, spread, numbers,
                                     line.begin == 0 ? numbers.ghost_left : line.begin - 1);
  std::int64_t x = (line.begin / lanes + 1) * lanes;
  for (; x + (group - 1) * lanes < last; x += group * lanes) {
    step_at<Rule, kind, Edge::none, group>(line, x, spread, numbers);
  }
  for (; x < last; x += lanes) step_at<Rule, kind, Edge::none, 1>(line, x, spread, numbers);
  step_at<Rule, kind, Edge::right, 1>(line, last, spread, numbers,
                                      line.end == line.length ? numbers.ghost_right : line.end);
}

constexpr StencilKernels<MEANDER_REAL>::Step steps[][stencil_kind_count] = {
#define MEANDER_RULE(name, states, around, fields, parameters)              \
  {step<name, plane_unit, MEANDER_REAL>, step<name, plane, MEANDER_REAL>,   \
   step<name, square, MEANDER_REAL>, step<name, volume_unit, MEANDER_REAL>, \
   step<name, volume, MEANDER_REAL>},
#include "rules/table.inc"
#undef MEANDER_RULE
};

}  // namespace

namespace MEANDER_ISA {

#define MEANDER_JOINED(a, b) a##b
#define MEANDER_NAMED(prefix, type) MEANDER_JOINED(prefix, type)
extern const StencilKernels<MEANDER_REAL> MEANDER_NAMED(stencil_kernels_, MEANDER_REAL);
const StencilKernels<MEANDER_REAL> MEANDER_NAMED(stencil_kernels_, MEANDER_REAL) = {steps};

}  // namespace MEANDER_ISA
}  // namespace meander::cpu
