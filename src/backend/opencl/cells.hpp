// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "backend/opencl/engines.hpp"
#include "core/message.hpp"

/// What the engine functions that apply a rule share; their kernels share cells.cl.
namespace meander::opencl {

/// `numbers` in cells.cl.
template <class Real>
struct Numbers {
  Numbers(const engine::Iteration& work, std::int64_t step)
      : corner(static_cast<Real>(work.neighbours.corner)),
        beyond(static_cast<Real>(work.neighbours.border.value)) {
    const auto copy = [](const double* from, int count, Real* to) {
      for (int i = 0; i < count; ++i) to[i] = static_cast<Real>(from[i]);
    };
    copy(work.of_step(step), engine::facts_of(work.rule).parameters, parameters);
    copy(work.neighbours.axis.data(), 3, axis);
  }
  Real parameters[engine::most_parameters] = {};
  Real axis[3] = {};
  Real corner, beyond;
};
static_assert(engine::most_states == 4 && engine::most_fields == 4 && engine::most_parameters == 8);
static_assert(engine::RuleFacts::wants_differences == 16);

/// Options of programs that read and write numbers of a pixel type; see number.cl.
inline std::string number_options(const Session& session, PixelType type) {
  return message(common_options(session), " -D PIXEL=", name_of(type), " -D REAL=", real_name(type),
                 " -D UNIT=", type == PixelType::i16 ? 32767 : 1);
}

inline Programs::Variant rule_variant(engine::Rule rule, PixelType type) {
  return {static_cast<int>(rule), static_cast<int>(type)};
}
/// Options of programs that apply a rule; see cells.cl.
inline std::string rule_options(const Session& session, engine::Rule rule, PixelType type) {
  const engine::RuleFacts& facts = engine::facts_of(rule);
  return message(number_options(session, type), " -D real=REAL -D RULE_NAME=", facts.name,
                 " -D STATES=", facts.states, " -D AROUND=", facts.around,
                 " -D FIELDS=", facts.fields);
}

/// A kernel's argument must be some buffer, also where there is nothing to read.
inline const engine::View& or_some(const engine::View& view, const engine::View& other) {
  return view.memory != nullptr ? view : other;
}

/// Calls run(Real{}) with the type of the arithmetic on pixels of a type.
template <class Run>
void in_arithmetic_of(const Session& session, PixelType type, Run run) {
  require_type(session, type);
  if (type == PixelType::f64) {
    run(cl_double{});
  } else {
    run(cl_float{});
  }
}

inline std::int64_t plane_rows(const engine::View& view) { return view.shape.y * view.shape.z; }

}  // namespace meander::opencl
