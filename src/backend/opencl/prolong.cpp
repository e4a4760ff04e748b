// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/opencl/cells.hpp"
#include "backend/opencl/prolong_text.hpp"

namespace meander::opencl {

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
