// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/opencl/engines.hpp"
#include "backend/opencl/stencil_text.hpp"
#include "core/message.hpp"

namespace meander::opencl {
namespace {

constexpr const char* operation = "iterate";

/// `numbers` in stencil.cl.
template <class Real>
struct Numbers {
  Real parameters[engine::most_parameters];
  Real axis[3];
  Real corner, beyond;
};
static_assert(engine::most_states == 4 && engine::most_fields == 4 && engine::most_parameters == 8);

template <class Real>
Numbers<Real> numbers_of(const engine::Iteration& work, std::int64_t step) {
  const auto copy = [](const double* from, int count, Real* to) {
    for (int i = 0; i < count; ++i) to[i] = static_cast<Real>(from[i]);
  };
  Numbers<Real> all{};
  copy(work.of_step(step), engine::facts_of(work.rule).parameters, all.parameters);
  copy(work.neighbours.axis.data(), 3, all.axis);
  all.corner = static_cast<Real>(work.neighbours.corner);
  all.beyond = static_cast<Real>(work.neighbours.border.value);
  return all;
}

Kernel kernel_of(Session& session, engine::Rule rule, PixelType type) {
  const engine::RuleFacts& facts = engine::facts_of(rule);
  return session.programs.kernel(
      operation, stencil_text,
      message(common_options(session), " -D REAL=", real_name(type),
              " -D real=REAL -D RULE_NAME=", facts.name, " -D STATES=", facts.states,
              " -D AROUND=", facts.around, " -D FIELDS=", facts.fields),
      "step_cells");
}

template <class Real>
void iterate_in(Session& session, const engine::Iteration& work, const engine::View& state,
                const engine::View& scratch, const engine::View& fields) {
  const Kernel kernel = kernel_of(session, work.rule, state.type);
  const engine::View& third = fields.memory != nullptr ? fields : state;  // some buffer must be
  for (std::int64_t step = 0; step < work.steps && !work.stop.stop_requested(); ++step) {
    const engine::View& in = step % 2 == 0 ? state : scratch;
    const engine::View& out = step % 2 == 0 ? scratch : state;
    launch(session, operation, {in.memory, third.memory, out.memory}, kernel,
           {in.shape.x, in.shape.y * in.shape.z}, buffer_of(in.memory), Layout(in),
           buffer_of(third.memory), Layout(third), buffer_of(out.memory), Layout(out),
           cl_long{in.shape.x}, static_cast<cl_long>(work.neighbours.border.kind),
           numbers_of<Real>(work, step));
  }
}

}  // namespace

void iterate(Session& session, const engine::Iteration& work, const engine::View& state,
             const engine::View& scratch, const engine::View& fields) {
  require_type(session, state.type);
  if (state.type == PixelType::f64) {
    iterate_in<cl_double>(session, work, state, scratch, fields);
  } else {
    iterate_in<cl_float>(session, work, state, scratch, fields);
  }
}

}  // namespace meander::opencl
