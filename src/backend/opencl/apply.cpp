// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/opencl/apply_text.hpp"
#include "backend/opencl/cells.hpp"

namespace meander::opencl {

void apply(Session& session, const engine::Iteration& work, const engine::View& in,
           const engine::View& fields, const engine::View& out) {
  constexpr const char* operation = "apply";
  in_arithmetic_of(session, in.type, [&]<class Real>(Real) {
    const Kernel kernel = session.programs.kernel(
        operation, apply_text, rule_variant(work.rule, in.type), "apply_cells",
        [&] { return rule_options(session, work.rule, in.type); });
    const engine::View& second = or_some(fields, in);
    launch(session, operation, kernel, {out.shape.x, plane_rows(out)}, buffer_of(in.memory),
           Layout(in), buffer_of(second.memory), Layout(second), buffer_of(out.memory), Layout(out),
           cl_long{in.shape.x}, cl_long{out.shape.x},
           static_cast<cl_long>(work.neighbours.border.kind), Numbers<Real>(work, 0));
  });
}

}  // namespace meander::opencl
