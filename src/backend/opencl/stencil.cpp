// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/opencl/cells.hpp"
#include "backend/opencl/stencil_text.hpp"

namespace meander::opencl {

void iterate(Session& session, const engine::Iteration& work, const engine::View& state,
             const engine::View& scratch, const engine::View& fields,
             const engine::PlainSteps& how) {
  constexpr const char* operation = "iterate";
  in_arithmetic_of(session, state.type, [&]<class Real>(Real) {
    // Groups that are told are compiled with their size: NVIDIA's driver wants that of large ones.
    Programs::Variant variant = rule_variant(work.rule, state.type);
    variant[2] = how.width << 16 | how.height;
    Kernel kernel = session.programs.kernel(operation, stencil_text, variant, "step_cells", [&] {
      const std::string options = rule_options(session, work.rule, state.type);
      return how.width == 0
                 ? options
                 : message(options, " -D GROUP_WIDTH=", how.width, " -D GROUP_HEIGHT=", how.height);
    });
    std::array<std::int64_t, 2> items{state.shape.x, plane_rows(state)};
    if (how.width > 0) {
      kernel.group = static_cast<std::size_t>(how.width);
      kernel.rows = static_cast<std::size_t>(how.height);
      if (how.is_alone) items = {how.width, how.height};
    }
    const engine::View& third = or_some(fields, state);
    for (std::int64_t step = 0; step < work.steps && !work.stop.stop_requested(); ++step) {
      const engine::View& in = step % 2 == 0 ? state : scratch;
      const engine::View& out = step % 2 == 0 ? scratch : state;
      launch(session, operation, kernel, items, buffer_of(in.memory), Layout(in),
             buffer_of(third.memory), Layout(third), buffer_of(out.memory), Layout(out),
             cl_long{in.shape.x}, static_cast<cl_long>(work.neighbours.border.kind),
             Numbers<Real>(work, step));
    }
  });
}

}  // namespace meander::opencl
