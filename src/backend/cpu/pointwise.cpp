// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/cpu/engines.hpp"
#include "backend/cpu/isa.hpp"
#include "backend/cpu/row_tasks.hpp"

namespace meander::cpu {

void pointwise(engine::Pointwise operation, const engine::View& a, const engine::View& b,
               const engine::View& c, const engine::View& out) {
  const auto pointwise_row =
      kernels()
          .pointwise_row[static_cast<std::size_t>(operation)][out.type == PixelType::f64 ? 1 : 0];
  const bool select = operation == engine::Pointwise::select;
  for_each_row(out, [&](std::int64_t row) {
    pointwise_row(a.host_row(row), b.host_row(row), select ? c.host_row(row) : b.host_row(row),
                  out.host_row(row), out.shape.x);
  });
}

}  // namespace meander::cpu
