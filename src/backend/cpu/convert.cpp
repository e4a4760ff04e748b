// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>

#include "backend/cpu/engines.hpp"
#include "backend/cpu/isa.hpp"
#include "core/parallel_for.hpp"

namespace meander::cpu {
namespace {

/// Enough work to pay for handing out a task: about 64 K numbers.
constexpr std::int64_t numbers_per_task = std::int64_t{1} << 16;

}  // namespace

void convert(const engine::View& in, const engine::View& out, const engine::Affine& map) {
  const auto from = static_cast<std::size_t>(in.type);
  const auto to = static_cast<std::size_t>(out.type);
  const auto convert_row =
      map.is_identity() ? kernels().copy_row[from][to] : kernels().affine_row[from][to];
  const std::int64_t rows_per_task = std::max<std::int64_t>(1, numbers_per_task / in.shape.x);
  const std::int64_t tasks = (in.rows() + rows_per_task - 1) / rows_per_task;
  parallel_for(tasks, [&](std::int64_t task) {
    const std::int64_t end = std::min((task + 1) * rows_per_task, in.rows());
    for (std::int64_t row = task * rows_per_task; row < end; ++row) {
      convert_row(in.host_row(row), out.host_row(row), in.shape.x, map.scale, map.offset);
    }
  });
}

}  // namespace meander::cpu
