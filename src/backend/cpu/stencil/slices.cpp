// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <vector>

#include "backend/cpu/flush_denormals.hpp"
#include "backend/cpu/stencil/stencil.hpp"
#include "core/parallel_for.hpp"
#include "engine/ghost.hpp"
#include "meander/device.hpp"

namespace meander::cpu {
namespace {

constexpr std::int64_t slices_kept = 3;  // of each step between the first and the last

/// Rows of all slices of a volume on their way through several steps: as the ring of a plane, with
/// slices in place of its lines. The rows of step k reach as far beyond the tile as the steps still
/// to come will look.
template <class Real>
class SliceRing {
 public:
  SliceRing(const Grid<Real>& grid, Range rows, std::int64_t first, std::int64_t count,
            std::vector<Real>& memory)
      : grid_(grid), rows_(rows), count_(count) {
    for (std::int64_t k = 0; k < count; ++k) numbers_.push_back(grid.numbers_of_step(first + k));
    // An odd number of cache lines: lines a multiple of a power of two apart would share the same
    // few places of the cache.
    pitch_ = (grid.shape().x / cells_per_cache_line | 1) * cells_per_cache_line;
    if (pitch_ < grid.shape().x) pitch_ += 2 * cells_per_cache_line;
    row_ = pitch_ * grid.states();
    slice_ = row_ * (rows_of(1).end - rows_of(1).begin);
    const auto cells =
        static_cast<std::size_t>((count - 1) * slices_kept * slice_ + cells_per_cache_line);
    if (memory.size() < cells) memory.resize(cells);
    const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
    kept_ = reinterpret_cast<Real*>((address + 63) / 64 * 64);
  }

  void run(const engine::View& in, const engine::View& out) const {
    const std::int64_t depth = grid_.shape().z;
    for (std::int64_t front = 0; front < depth + count_ - 1; ++front) {
      if (grid_.work().stop.stop_requested()) return;
      for (std::int64_t k = 1; k <= count_; ++k) {
        const std::int64_t z = front - (k - 1);
        if (z >= 0 && z < depth) make_slice(k, z, in, out);
      }
    }
  }

 private:
  Range rows_of(std::int64_t k) const {
    const std::int64_t reach = count_ - k;
    return {std::max<std::int64_t>(rows_.begin - reach, 0),
            std::min(rows_.end + reach, grid_.shape().y)};
  }

  static std::int64_t cells_in(std::int64_t bytes) {
    return bytes / static_cast<std::int64_t>(sizeof(Real));
  }

  /// Slice z of step k. As in step_rows, most rows are found from the one before.
  void make_slice(std::int64_t k, std::int64_t z, const engine::View& in,
                  const engine::View& out) const {
    const StencilNumbers<Real>& numbers = numbers_[static_cast<std::size_t>(k - 1)];
    const std::int64_t step = k == 1 ? cells_in(in.pitch.row) : row_;
    const std::int64_t step_of_next = k == count_ ? cells_in(out.pitch.row) : row_;
    const bool may_see_constant = grid_.border() == engine::ghost_constant;
    const Range rows = rows_of(k);
    StencilLine<Real> line;
    for (std::int64_t y = rows.begin; y < rows.end; ++y) {
      if (y > rows.begin && y > 1 && y < grid_.shape().y - 1 && !may_see_constant) {
        grid_.move_down(line, step, step_of_next);
      } else {
        line = k == 1 ? grid_.whole_line(in, y, z) : kept_line(k - 1, y, z);
        for (int s = 0; s < grid_.states(); ++s) {
          line.next[s] = k == count_ ? Grid<Real>::line_of(out, s, y, z)
                                     : kept_slice(k, z) + y * row_ + s * pitch_;
        }
      }
      grid_.function()(line, numbers);
    }
  }

  /// Cell 0 of row 0, which may lie before the memory.
  Real* kept_slice(std::int64_t k, std::int64_t z) const {
    return kept_ + ((k - 1) * slices_kept + z % slices_kept) * slice_ - rows_of(1).begin * row_;
  }

  /// Lets `lines` point to a kept line, which may lie beyond the grid.
  void point_to(const Real** lines, std::int64_t k, std::int64_t y, std::int64_t z) const {
    y = engine::ghost_index(y, grid_.shape().y, grid_.border());
    z = engine::ghost_index(z, grid_.shape().z, grid_.border());
    const bool beyond = y < 0 || z < 0;
    const Real* first = beyond ? grid_.constant_line() : kept_slice(k, z) + y * row_;
    for (int s = 0; s < grid_.states(); ++s) lines[s] = first + (beyond ? 0 : s * pitch_);
  }

  /// A kept line with its neighbours and fields.
  StencilLine<Real> kept_line(std::int64_t k, std::int64_t y, std::int64_t z) const {
    StencilLine<Real> line;
    line.begin = 0;
    line.end = line.length = grid_.shape().x;
    point_to(line.centre, k, y, z);
    point_to(line.before[0], k, y - 1, z);
    point_to(line.after[0], k, y + 1, z);
    point_to(line.before[1], k, y, z - 1);
    point_to(line.after[1], k, y, z + 1);
    grid_.point_to_fields(line, y, z);
    return line;
  }

  const Grid<Real>& grid_;
  const Range rows_;
  const std::int64_t count_;
  std::vector<StencilNumbers<Real>> numbers_;
  std::int64_t pitch_ = 0, row_ = 0, slice_ = 0;  ///< Cells from a line, row or slice to the next.
  Real* kept_ = nullptr;
};

}  // namespace

/// As many rows at a time as the cache holds of all that a few steps keep and read, and enough
/// tiles for all threads. A periodic volume would have to go on beyond its ends.
template <class Real>
RingPlan plan_slice_ring(const Grid<Real>& grid) {
  constexpr std::int64_t steps = 3, least_rows = 8;
  const Shape& shape = grid.shape();
  RingPlan plan;
  if (grid.border() == engine::ghost_periodic || shape.z < steps) return plan;
  const auto line = shape.x * static_cast<std::int64_t>(sizeof(Real));
  const std::int64_t kept = (steps - 1) * slices_kept * grid.states() * line;
  const std::int64_t read = steps * engine::facts_of(grid.work().rule).fields * line;
  const std::int64_t rows = (ring_bytes() - kept * 2 * (steps - 1)) / (kept + read);
  if (rows < least_rows) return plan;
  plan.tiles_y = rounded_up((shape.y + rows - 1) / rows, threads());
  if (shape.y / plan.tiles_y < least_rows) return RingPlan{};
  plan.steps = steps;
  return plan;
}

template <class Real>
void steps_by_slice_ring(const Grid<Real>& grid, const RingPlan& plan, std::int64_t first,
                         std::int64_t count, const engine::View& in, const engine::View& out) {
  parallel_for(plan.tiles_y, [&](std::int64_t tile) {
    const FlushDenormals flush;
    static thread_local std::vector<Real> memory;  // what the cache holds, kept
    const Range rows = part_of(grid.shape().y, plan.tiles_y, tile);
    SliceRing<Real>(grid, rows, first, count, memory).run(in, out);
  });
}

template RingPlan plan_slice_ring(const Grid<float>&);
template RingPlan plan_slice_ring(const Grid<double>&);
template void steps_by_slice_ring(const Grid<float>&, const RingPlan&, std::int64_t, std::int64_t,
                                  const engine::View&, const engine::View&);
template void steps_by_slice_ring(const Grid<double>&, const RingPlan&, std::int64_t, std::int64_t,
                                  const engine::View&, const engine::View&);

}  // namespace meander::cpu
