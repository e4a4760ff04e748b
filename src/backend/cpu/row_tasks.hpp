// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <algorithm>

#include "core/parallel_for.hpp"
#include "engine/view.hpp"

namespace meander::cpu {

/// Calls work(row) for every row of all slices and channels, on all threads, in tasks of enough
/// numbers (64 K) to pay for handing them out.
template <class Work>
void for_each_row(const engine::View& view, Work&& work) {
  constexpr std::int64_t numbers_per_task = std::int64_t{1} << 16;
  const std::int64_t rows_per_task = std::max<std::int64_t>(1, numbers_per_task / view.shape.x);
  const std::int64_t tasks = (view.rows() + rows_per_task - 1) / rows_per_task;
  parallel_for(tasks, [&](std::int64_t task) {
    const std::int64_t end = std::min((task + 1) * rows_per_task, view.rows());
    for (std::int64_t row = task * rows_per_task; row < end; ++row) work(row);
  });
}

}  // namespace meander::cpu
