// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/opencl/cells.hpp"
#include "backend/opencl/apply_text.hpp"
#include "backend/opencl/prolong_text.hpp"
#include "backend/opencl/relax_text.hpp"
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

void relax(Session& session, const engine::Iteration& work, const engine::View& state,
           const engine::View& fields, bool from_zero) {
  constexpr const char* operation = "relax";
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

void transfer(Session& session, const engine::View& coarse, const engine::View& fine,
              const engine::View& weight, engine::Prolongation how) {
  constexpr const char* operation = "transfer";
  require_type(session, fine.type);
  const Kernel kernel =
      session.programs.kernel(operation, prolong_text, {static_cast<int>(fine.type)},
                              "prolong_cells", [&] { return number_options(session, fine.type); });
  const engine::View& third = or_some(weight, coarse);
  launch(session, operation, kernel, {fine.shape.x, plane_rows(fine)}, buffer_of(coarse.memory),
         Layout(coarse), buffer_of(fine.memory), Layout(fine), buffer_of(third.memory),
         Layout(third), cl_long{coarse.shape.x}, cl_long{fine.shape.x},
         cl_int{weight.memory != nullptr}, cl_int{how == engine::Prolongation::add});
}

}  // namespace meander::opencl
