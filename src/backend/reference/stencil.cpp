// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <array>
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

/// What a stored number stands for; an i16 is a part of 32767.
constexpr double snorm_scale = 32767;
template <class T>
double number_at(const engine::View& view, int channel, const Place& at) {
  const double stored = to_double(pixel_at<T>(view, channel, at));
  return std::is_same_v<T, std::int16_t> ? stored / snorm_scale : stored;
}
template <class T>
void store(const engine::View& view, int channel, const Place& at, double number) {
  const bool is_part = std::is_same_v<T, std::int16_t>;
  pixel_at<T>(view, channel, at) =
      from_double<T>(is_part ? std::clamp(number, -1.0, 1.0) * snorm_scale : number);
}

/// What stands at a place that may lie beyond the grid.
template <class T>
double value_at(const engine::View& view, int channel, const Place& at, const BorderRule& border) {
  const int kind = static_cast<int>(border.kind);
  const Place inside{engine::ghost_index(at.x, view.shape.x, kind),
                     engine::ghost_index(at.y, view.shape.y, kind),
                     engine::ghost_index(at.z, view.shape.z, kind)};
  if (inside.x < 0 || inside.y < 0 || inside.z < 0) return border.value;
  return number_at<T>(view, channel, inside);
}

/// `from` is what each neighbour counts from: 0, or the cell itself for differences.
template <class T>
double sum_around(const engine::View& view, int channel, const Place& at,
                  const engine::Neighbours& neighbours, double from) {
  const auto value = [&](std::int64_t dx, std::int64_t dy, std::int64_t dz) {
    return value_at<T>(view, channel, {at.x + dx, at.y + dy, at.z + dz}, neighbours.border) - from;
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

using States = std::array<double, engine::most_states>;

/// The states of a cell after a step.
template <class T>
States next_of(const engine::Iteration& work, const double* parameters, const engine::View& in,
               const engine::View& fields, const Place& at) {
  const engine::RuleFacts& facts = engine::facts_of(work.rule);
  States state{}, around{}, next{};
  double field[engine::most_fields] = {};
  for (int i = 0; i < facts.states; ++i) {
    const auto index = static_cast<std::size_t>(i);
    state[index] = number_at<T>(in, i, at);
    if ((facts.around >> i & 1) == 0) continue;
    const double from = facts.has_differences() ? state[index] : 0;
    around[index] = sum_around<T>(in, i, at, work.neighbours, from);
  }
  for (int i = 0; i < facts.fields; ++i) field[i] = number_at<T>(fields, i, at);
  rule_functions[static_cast<std::size_t>(work.rule)](state.data(), around.data(), field,
                                                      parameters, next.data());
  return next;
}

template <class Work>
void for_each_cell(const Shape& shape, const std::stop_token& stop, Work&& work) {
  for (std::int64_t z = 0; z < shape.z; ++z) {
    for (std::int64_t y = 0; y < shape.y && !stop.stop_requested(); ++y) {
      for (std::int64_t x = 0; x < shape.x; ++x) work(Place{x, y, z});
    }
  }
}

template <class T>
void step(const engine::Iteration& work, std::int64_t index, const engine::View& in,
          const engine::View& fields, const engine::View& out) {
  for_each_cell(in.shape, work.stop, [&](const Place& at) {
    const States next = next_of<T>(work, work.of_step(index), in, fields, at);
    for (int i = 0; i < engine::facts_of(work.rule).states; ++i) {
      store<T>(out, i, at, next[static_cast<std::size_t>(i)]);
    }
  });
}

template <class T>
void relax_in(const engine::Iteration& work, const engine::View& state,
              const engine::View& fields) {
  for (std::int64_t half = 0; half < 2 * work.steps; ++half) {
    for_each_cell(state.shape, work.stop, [&](const Place& at) {
      if ((at.x + at.y + at.z + half) % 2 != 0) return;
      store<T>(state, 0, at, next_of<T>(work, work.of_step(half / 2), state, fields, at)[0]);
    });
  }
}

/// The cells of a finer grid that one along an axis stands for.
struct Children {
  std::int64_t begin, end, full;
};
Children children_of(std::int64_t cell, std::int64_t coarse, std::int64_t fine) {
  const std::int64_t full = coarse == fine ? 1 : 2;
  return {cell * full, std::min((cell + 1) * full, fine), full};
}

template <class T>
void apply_in(const engine::Iteration& work, const engine::View& in, const engine::View& fields,
              const engine::View& out) {
  for_each_cell(out.shape, work.stop, [&](const Place& at) {
    const Children along_x = children_of(at.x, out.shape.x, in.shape.x);
    const Children along_y = children_of(at.y, out.shape.y, in.shape.y);
    const Children along_z = children_of(at.z, out.shape.z, in.shape.z);
    double sum = 0;
    for (std::int64_t z = along_z.begin; z < along_z.end; ++z) {
      for (std::int64_t y = along_y.begin; y < along_y.end; ++y) {
        for (std::int64_t x = along_x.begin; x < along_x.end; ++x) {
          sum += next_of<T>(work, work.of_step(0), in, fields, {x, y, z})[0];
        }
      }
    }
    store<T>(out, 0, at, sum / static_cast<double>(along_x.full * along_y.full * along_z.full));
  });
}

template <class T>
void transfer_in(const engine::View& coarse, const engine::View& fine, const engine::View& weight,
                 engine::Prolongation how) {
  const Place factor{coarse.shape.x == fine.shape.x ? 1 : 2, coarse.shape.y == fine.shape.y ? 1 : 2,
                     coarse.shape.z == fine.shape.z ? 1 : 2};
  for_each_cell(fine.shape, {}, [&](const Place& at) {
    const Place parent{at.x / factor.x, at.y / factor.y, at.z / factor.z};
    const double old = how == engine::Prolongation::add ? number_at<T>(fine, 0, at) : 0;
    const double by = weight.memory != nullptr ? number_at<T>(weight, 0, at) : 1;
    store<T>(fine, 0, at, std::fma(by, number_at<T>(coarse, 0, parent), old));
  });
}

}  // namespace

void iterate(const engine::Iteration& work, const engine::View& state, const engine::View& scratch,
             const engine::View& fields) {
  for (std::int64_t index = 0; index < work.steps; ++index) {
    const engine::View& in = index % 2 == 0 ? state : scratch;
    const engine::View& out = index % 2 == 0 ? scratch : state;
    visit(state.type,
          [&]<class T>(std::type_identity<T>) { step<T>(work, index, in, fields, out); });
  }
}

void relax(const engine::Iteration& work, const engine::View& state, const engine::View& fields,
           bool from_zero) {
  visit(state.type, [&]<class T>(std::type_identity<T>) {
    if (from_zero) {
      for_each_cell(state.shape, {}, [&](const Place& at) { store<T>(state, 0, at, 0); });
    }
    relax_in<T>(work, state, fields);
  });
}

void apply(const engine::Iteration& work, const engine::View& in, const engine::View& fields,
           const engine::View& out) {
  visit(in.type, [&]<class T>(std::type_identity<T>) { apply_in<T>(work, in, fields, out); });
}

void transfer(const engine::View& coarse, const engine::View& fine, const engine::View& weight,
              engine::Prolongation how) {
  visit(fine.type,
        [&]<class T>(std::type_identity<T>) { transfer_in<T>(coarse, fine, weight, how); });
}

std::string iteration_notes() { return "cell by cell in float64"; }

}  // namespace meander::reference
