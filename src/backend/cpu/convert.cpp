// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/cpu/engines.hpp"
#include "backend/cpu/isa.hpp"
#include "backend/cpu/row_tasks.hpp"

namespace meander::cpu {

void convert(const engine::View& in, const engine::View& out, const engine::Affine& map) {
  const auto from = static_cast<std::size_t>(in.type);
  const auto to = static_cast<std::size_t>(out.type);
  const auto convert_row =
      map.is_identity() ? kernels().copy_row[from][to] : kernels().affine_row[from][to];
  for_each_row(in, [&](std::int64_t row) {
    convert_row(in.host_row(row), out.host_row(row), in.shape.x, map.scale, map.offset);
  });
}

}  // namespace meander::cpu
