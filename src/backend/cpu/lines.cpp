// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/cpu/lines.hpp"

#include <algorithm>
#include <cstring>

#include "backend/cpu/isa.hpp"
#include "core/host_memory.hpp"
#include "core/parallel_for.hpp"

namespace meander::cpu {

using engine::Axis;

LineBlocks::LineBlocks(const engine::View& view, Axis axis)
    : axis_(axis), length_(engine::length_along(view, axis)) {
  const auto& shape = view.shape;
  groups_ = axis == Axis::x ? 1 : (axis == Axis::y ? shape.z : shape.y) * view.channels;
  lines_per_group_ = axis == Axis::x ? view.rows() : shape.x;
  blocks_per_group_ = (lines_per_group_ + panel_lanes - 1) / panel_lanes;
}

LineBlocks::Block LineBlocks::block(std::int64_t index) const {
  const std::int64_t first = index % blocks_per_group_ * panel_lanes;
  return {.group = index / blocks_per_group_,
          .first = first,
          .lines = static_cast<int>(std::min<std::int64_t>(panel_lanes, lines_per_group_ - first))};
}

void LineBlocks::for_each(
    std::int64_t bytes,
    const std::function<void(const Block& block, std::byte* scratch)>& work) const {
  constexpr std::int64_t numbers_per_task = std::int64_t{1} << 16;
  const std::int64_t per_task =
      std::max<std::int64_t>(1, numbers_per_task / (length_ * panel_lanes));
  parallel_for((count() + per_task - 1) / per_task, [&](std::int64_t task) {
    const engine::MemoryPtr scratch = engine::host_pool()->take(static_cast<std::size_t>(bytes));
    const std::int64_t end = std::min((task + 1) * per_task, count());
    for (std::int64_t index = task * per_task; index < end; ++index)
      work(block(index), scratch->host);
  });
}

BlockLines::BlockLines(const engine::View& view, Axis axis, const LineBlocks::Block& block)
    : type_(view.type), along_x_(axis == Axis::x), lines_(block.lines) {
  if (along_x_) {
    for (int j = 0; j < panel_lanes; ++j) {
      starts_[static_cast<std::size_t>(j)] =
          view.host_row(block.first + std::min(j, block.lines - 1));
    }
    return;
  }
  const auto& pitch = view.pitch;
  const std::int64_t planes = axis == Axis::y ? view.shape.z : view.shape.y;
  const std::int64_t between = axis == Axis::y ? pitch.slice : pitch.row;
  stride_ = axis == Axis::y ? pitch.row : pitch.slice;
  base_ = view.memory->host + view.offset + block.group % planes * between +
          block.group / planes * pitch.channel +
          block.first * static_cast<std::int64_t>(size_of(view.type));
}

template <class Real>
bool BlockLines::is_panel() const {
  return !along_x_ && type_ == pixel_type_of<Real>() && lines_ == panel_lanes &&
         stride_ % static_cast<std::int64_t>(sizeof(Real)) == 0;
}

template <class Real>
void BlockLines::gather(std::int64_t begin, std::int64_t count, Real* panel) const {
  if (along_x_) return gather_rows(begin, count, panel);
  const auto copy_row = kernels().copy_row[static_cast<std::size_t>(type_)]
                                          [static_cast<std::size_t>(pixel_type_of<Real>())];
  for (std::int64_t n = 0; n < count; ++n) {
    Real* row = panel + n * panel_lanes;
    copy_row(base_ + (begin + n) * stride_, row, lines_, 1, 0);
    std::fill(row + lines_, row + panel_lanes, Real(0));
  }
}

template <class Real>
void BlockLines::gather_rows(std::int64_t begin, std::int64_t count, Real* panel) const {
  const auto skip = begin * static_cast<std::int64_t>(size_of(type_));
  std::array<const Real*, panel_lanes> rows;
  if (type_ == pixel_type_of<Real>()) {
    for (std::size_t j = 0; j < rows.size(); ++j)
      rows[j] = reinterpret_cast<const Real*>(starts_[j] + skip);
    return scan_kernels<Real>().to_panel(rows.data(), count, panel);
  }
  const auto copy_row = kernels().copy_row[static_cast<std::size_t>(type_)]
                                          [static_cast<std::size_t>(pixel_type_of<Real>())];
  Real converted[panel_lanes][chunk_length];
  for (std::size_t j = 0; j < rows.size(); ++j) {
    copy_row(starts_[j] + skip, converted[j], count, 1, 0);
    rows[j] = converted[j];
  }
  scan_kernels<Real>().to_panel(rows.data(), count, panel);
}

template <class Real>
void BlockLines::scatter(const Real* panel, std::int64_t begin, std::int64_t count) const {
  if (!along_x_) {
    for (std::int64_t n = 0; n < count; ++n) {
      std::memcpy(base_ + (begin + n) * stride_, panel + n * panel_lanes,
                  static_cast<std::size_t>(lines_) * sizeof(Real));
    }
    return;
  }
  Real nobody[chunk_length];  // where lanes without a line go
  std::array<Real*, panel_lanes> rows;
  const auto skip = begin * static_cast<std::int64_t>(sizeof(Real));
  for (std::size_t j = 0; j < rows.size(); ++j) {
    rows[j] =
        j < static_cast<std::size_t>(lines_) ? reinterpret_cast<Real*>(starts_[j] + skip) : nobody;
  }
  scan_kernels<Real>().from_panel(panel, count, rows.data());
}

template bool BlockLines::is_panel<float>() const;
template bool BlockLines::is_panel<double>() const;
template void BlockLines::gather(std::int64_t, std::int64_t, float*) const;
template void BlockLines::gather(std::int64_t, std::int64_t, double*) const;
template void BlockLines::scatter(const float*, std::int64_t, std::int64_t) const;
template void BlockLines::scatter(const double*, std::int64_t, std::int64_t) const;

}  // namespace meander::cpu
