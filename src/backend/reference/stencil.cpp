// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <cmath>

#include "backend/reference/engines.hpp"
#include "engine/ghost.hpp"

namespace meander::reference {
namespace {

namespace rules {
using real = double;
using std::fma;
inline real mad(real a, real b, real c) { return fma(a, b, c); }
#include "rules/every_rule.inc"
}  // namespace rules

using Apply = void (*)(const double* state, const double* around, const double* field,
                       const double* parameters, double* next);
constexpr Apply rule_functions[] = {
#define MEANDER_RULE(name, states, around, fields, parameters) rules::name,
#include "rules/table.inc"
#undef MEANDER_RULE
};

struct Place {
  std::int64_t x, y, z;
};

template <class T>
T& pixel_at(const engine::View& view, int channel, const Place& at) {
  const std::int64_t row = (channel * view.shape.z + at.z) * view.shape.y + at.y;
  return reinterpret_cast<T*>(view.host_row(row))[at.x];
}

/// What stands at a place that may lie beyond the grid.
template <class T>
double value_at(const engine::View& view, int channel, const Place& at, const BorderRule& border) {
  const int kind = static_cast<int>(border.kind);
  const Place inside{engine::ghost_index(at.x, view.shape.x, kind),
                     engine::ghost_index(at.y, view.shape.y, kind),
                     engine::ghost_index(at.z, view.shape.z, kind)};
  if (inside.x < 0 || inside.y < 0 || inside.z < 0) return border.value;
  return pixel_at<T>(view, channel, inside);
}

template <class T>
double sum_around(const engine::View& view, int channel, const Place& at,
                  const engine::Neighbours& neighbours) {
  const auto value = [&](std::int64_t dx, std::int64_t dy, std::int64_t dz) {
    return value_at<T>(view, channel, {at.x + dx, at.y + dy, at.z + dz}, neighbours.border);
  };
  double sum = 0;
  // An axis of weight 0 has no neighbours: what stands there must not count even as NaN.
  if (neighbours.axis[0] != 0) sum += neighbours.axis[0] * (value(-1, 0, 0) + value(1, 0, 0));
  if (neighbours.axis[1] != 0) sum += neighbours.axis[1] * (value(0, -1, 0) + value(0, 1, 0));
  if (neighbours.axis[2] != 0) sum += neighbours.axis[2] * (value(0, 0, -1) + value(0, 0, 1));
  if (neighbours.corner != 0) {
    sum +=
        neighbours.corner * (value(-1, -1, 0) + value(1, -1, 0) + value(-1, 1, 0) + value(1, 1, 0));
  }
  return sum;
}

template <class T>
void step_cell(const engine::Iteration& work, const double* parameters, const engine::View& in,
               const engine::View& fields, const engine::View& out, const Place& at) {
  const engine::RuleFacts& facts = engine::facts_of(work.rule);
  double state[engine::most_states] = {}, around[engine::most_states] = {};
  double field[engine::most_fields] = {}, next[engine::most_states] = {};
  for (int i = 0; i < facts.states; ++i) {
    state[i] = pixel_at<T>(in, i, at);
    if ((facts.around >> i & 1) != 0) around[i] = sum_around<T>(in, i, at, work.neighbours);
  }
  for (int i = 0; i < facts.fields; ++i) field[i] = pixel_at<T>(fields, i, at);
  rule_functions[static_cast<std::size_t>(work.rule)](state, around, field, parameters, next);
  for (int i = 0; i < facts.states; ++i) pixel_at<T>(out, i, at) = static_cast<T>(next[i]);
}

template <class T>
void step(const engine::Iteration& work, std::int64_t index, const engine::View& in,
          const engine::View& fields, const engine::View& out) {
  for (std::int64_t z = 0; z < in.shape.z; ++z) {
    for (std::int64_t y = 0; y < in.shape.y && !work.stop.stop_requested(); ++y) {
      for (std::int64_t x = 0; x < in.shape.x; ++x) {
        step_cell<T>(work, work.of_step(index), in, fields, out, {x, y, z});
      }
    }
  }
}

}  // namespace

void iterate(const engine::Iteration& work, const engine::View& state, const engine::View& scratch,
             const engine::View& fields) {
  for (std::int64_t index = 0; index < work.steps; ++index) {
    const engine::View& in = index % 2 == 0 ? state : scratch;
    const engine::View& out = index % 2 == 0 ? scratch : state;
    if (state.type == PixelType::f64) {
      step<double>(work, index, in, fields, out);
    } else {
      step<float>(work, index, in, fields, out);
    }
  }
}

std::string iteration_notes() { return "cell by cell in float64"; }

}  // namespace meander::reference
