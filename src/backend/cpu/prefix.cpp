// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cstdint>
#include <vector>

#include "backend/cpu/engines.hpp"
#include "backend/cpu/isa.hpp"
#include "backend/cpu/row_tasks.hpp"

namespace meander::cpu {
namespace {

using engine::Axis;
using engine::View;

/// Lines side by side that one task adds up.
constexpr std::int64_t columns_per_task = 1024;

/// The index of row `position` along the axis among all rows; `group` counts what lines along it
/// have in common: slices (or rows) and channels.
std::int64_t row_index(const View& view, Axis axis, std::int64_t group, std::int64_t position) {
  const auto& shape = view.shape;
  if (axis == Axis::y) return group * shape.y + position;
  return (group / shape.y * shape.z + position) * shape.y + group % shape.y;
}

void prefix_columns(const View& in, const View& out, Axis axis, bool exclusive) {
  const auto step = kernels().prefix_step[static_cast<std::size_t>(in.type)];
  const auto& shape = in.shape;
  const std::int64_t length = axis == Axis::y ? shape.y : shape.z;
  const std::int64_t groups = in.rows() / length;
  const std::int64_t parts = (shape.x + columns_per_task - 1) / columns_per_task;
  parallel_for(groups * parts, [&](std::int64_t task) {
    const std::int64_t first = task % parts * columns_per_task;
    const std::int64_t count = std::min(columns_per_task, shape.x - first);
    // All bits 0 is 0 as a double, too.
    std::vector<std::uint64_t> totals(static_cast<std::size_t>(count), 0);
    for (std::int64_t n = 0; n < length; ++n) {
      const std::int64_t row = row_index(in, axis, task / parts, n);
      step(in.host_row(row) + first * static_cast<std::int64_t>(size_of(in.type)), totals.data(),
           out.host_row(row) + first * std::int64_t{8}, count, exclusive);
    }
  });
}

}  // namespace

void prefix(const View& in, const View& out, Axis axis, engine::Prefix kind) {
  const bool exclusive = kind == engine::Prefix::exclusive;
  if (axis != Axis::x) return prefix_columns(in, out, axis, exclusive);
  const auto along = kernels().prefix_along[static_cast<std::size_t>(in.type)];
  for_each_row(in, [&](std::int64_t row) {
    along(in.host_row(row), out.host_row(row), in.shape.x, exclusive);
  });
}

}  // namespace meander::cpu
