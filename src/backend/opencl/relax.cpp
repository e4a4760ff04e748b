// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/opencl/cells.hpp"
#include "backend/opencl/relax_text.hpp"

namespace meander::opencl {
namespace {

constexpr const char* operation = "relax";

}  // namespace

void relax(Session& session, const engine::Iteration& work, const engine::View& state,
           const engine::View& fields, bool from_zero) {
  const auto kernel = [&](const char* entry) {
    return session.programs.kernel(operation, relax_text, rule_variant(work.rule, state.type),
                                   entry,
                                   [&] { return rule_options(session, work.rule, state.type); });
  };
  const cl_long width = state.shape.x;
  const engine::View& second = or_some(fields, state);
  in_arithmetic_of(session, state.type, [&]<class Real>(Real) {
    if (from_zero) {
      launch(session, operation, kernel("clear_cells"), {width, plane_rows(state)},
             buffer_of(state.memory), Layout(state), width);
    }
    const Kernel half_sweep = kernel("relax_cells");
    for (std::int64_t half = 0; half < 2 * work.steps && !work.stop.stop_requested(); ++half) {
      launch(session, operation, half_sweep, {(width + 1) / 2, plane_rows(state)},
             buffer_of(state.memory), Layout(state), buffer_of(second.memory), Layout(second),
             width, static_cast<cl_long>(work.neighbours.border.kind), cl_long{half % 2},
             Numbers<Real>(work, half / 2));
    }
  });
}

}  // namespace meander::opencl
