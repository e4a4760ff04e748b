// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/opencl/cells.hpp"
#include "backend/opencl/stencil_text.hpp"

namespace meander::opencl {

void iterate(Session& session, const engine::Iteration& work, const engine::View& state,
             const engine::View& scratch, const engine::View& fields) {
  constexpr const char* operation = "iterate";
  in_arithmetic_of(session, state.type, [&]<class Real>(Real) {
    const Kernel kernel = session.programs.kernel(
        operation, stencil_text, rule_variant(work.rule, state.type), "step_cells",
        [&] { return rule_options(session, work.rule, state.type); });
    const engine::View& third = or_some(fields, state);
    for (std::int64_t step = 0; step < work.steps && !work.stop.stop_requested(); ++step) {
      const engine::View& in = step % 2 == 0 ? state : scratch;
      const engine::View& out = step % 2 == 0 ? scratch : state;
      launch(session, operation, kernel, {in.shape.x, plane_rows(in)}, buffer_of(in.memory),
             Layout(in), buffer_of(third.memory), Layout(third), buffer_of(out.memory), Layout(out),
             cl_long{in.shape.x}, static_cast<cl_long>(work.neighbours.border.kind),
             Numbers<Real>(work, step));
    }
  });
}

}  // namespace meander::opencl
