// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "backend/cpu/flush_denormals.hpp"
#include "backend/cpu/stencil/stencil.hpp"
#include "core/parallel_for.hpp"
#include "engine/ghost.hpp"
#include "meander/device.hpp"

namespace meander::cpu {
namespace {

constexpr std::int64_t lines_kept = 3;  // of each step between the first and the last

/// A tile on its way through several steps. Line y of step k needs lines y - 1, y and y + 1 of step
/// k - 1; so when line y of the input has been read, line y - 1 of step 1 can be made, then line
/// y - 2 of step 2, and so on: three lines of each step are enough, and they stay in the cache. In
/// both directions the ranges of step k reach as far beyond the tile as the steps still to come
/// will look.
template <class Real>
class Ring {
 public:
  Ring(const Grid<Real>& grid, Range columns, Range rows, std::int64_t first, std::int64_t count,
       std::vector<Real>& memory)
      : grid_(grid), columns_(columns), rows_(rows), count_(count) {
    for (std::int64_t k = 0; k < count; ++k) numbers_.push_back(grid.numbers_of_step(first + k));
    is_periodic_ = grid.border() == engine::ghost_periodic;
    // Lines of a power of two would share the same few places of the cache.
    pitch_ = rounded_up(columns_of(1).end - origin(), cells_per_cache_line) + cells_per_cache_line;
    const std::int64_t lines = (count - 1) * lines_kept * grid.states();
    if (static_cast<std::int64_t>(memory.size()) < lines * pitch_ + cells_per_cache_line) {
      memory.resize(static_cast<std::size_t>(lines * pitch_ + cells_per_cache_line));
    }
    const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
    first_cell_ = reinterpret_cast<Real*>((address + 63) / 64 * 64) - origin();
  }

  void run(const engine::View& in, const engine::View& out, std::int64_t z) {
    for (std::int64_t y = rows_of(1).begin; y < rows_.end + count_ - 1; ++y) {
      if (grid_.work().stop.stop_requested()) return;
      for (std::int64_t k = 1; k <= count_; ++k) {
        const std::int64_t row = y - (k - 1);
        const Range range = rows_of(k);
        if (row >= range.begin && row < range.end) make_line(k, row, in, out, z);
      }
    }
  }

 private:
  /// The lines of step k that are made. A periodic grid goes on beyond its ends.
  Range rows_of(std::int64_t k) const {
    const std::int64_t reach = count_ - k;
    const Range range{rows_.begin - reach, rows_.end + reach};
    if (is_periodic_) return range;
    return {std::max<std::int64_t>(range.begin, 0), std::min(range.end, grid_.shape().y)};
  }
  Range columns_of(std::int64_t k) const {
    const std::int64_t reach = count_ - k;
    return {std::max<std::int64_t>(columns_.begin - reach, 0),
            std::min(columns_.end + reach, grid_.shape().x)};
  }
  /// The cell that stands first in a kept line, on a boundary of the cache as in the images.
  std::int64_t origin() const {
    return columns_of(1).begin / cells_per_cache_line * cells_per_cache_line;
  }

  /// Cell 0 of a kept line, which may lie before the memory.
  Real* kept_line(std::int64_t k, int state, std::int64_t place) const {
    return first_cell_ + (((k - 1) * lines_kept + place) * grid_.states() + state) * pitch_;
  }

  /// Lets `lines` point to a line of step k, any row; step 0 is the input.
  void point_to(const Real** lines, std::int64_t k, std::int64_t row, const engine::View& in,
                std::int64_t z) const {
    const bool outside = row < 0 || row >= grid_.shape().y;
    if (outside && (k == 0 || !is_periodic_)) {
      row = engine::ghost_index(row, grid_.shape().y, grid_.border());
    }
    const bool beyond = row < 0 && !is_periodic_;
    const std::int64_t place = k == 0 ? 0 : (row + far) % lines_kept;
    for (int s = 0; s < grid_.states(); ++s) {
      lines[s] = beyond   ? grid_.constant_line()
                 : k == 0 ? Grid<Real>::line_of(in, s, row, z)
                          : kept_line(k, s, place);
    }
  }

  void make_line(std::int64_t k, std::int64_t row, const engine::View& in, const engine::View& out,
                 std::int64_t z) const {
    StencilLine<Real> line;
    const Range range = columns_of(k);
    line.begin = range.begin;
    line.end = range.end;
    line.length = grid_.shape().x;
    point_to(line.before[0], k - 1, row - 1, in, z);
    point_to(line.centre, k - 1, row, in, z);
    point_to(line.after[0], k - 1, row + 1, in, z);
    const std::int64_t place = (row + far) % lines_kept;
    for (int s = 0; s < grid_.states(); ++s) {
      line.next[s] = k == count_ ? Grid<Real>::line_of(out, s, row, z) : kept_line(k, s, place);
    }
    grid_.point_to_fields(line, engine::ghost_index(row, grid_.shape().y, engine::ghost_periodic),
                          z);
    grid_.function()(line, numbers_[static_cast<std::size_t>(k - 1)]);
  }

  /// A multiple of lines_kept that makes every row number positive.
  static constexpr std::int64_t far = lines_kept << 40;

  const Grid<Real>& grid_;
  const Range columns_, rows_;
  const std::int64_t count_;
  std::vector<StencilNumbers<Real>> numbers_;
  bool is_periodic_ = false;
  std::int64_t pitch_ = 0;
  Real* first_cell_ = nullptr;  ///< Where cell 0 of the first kept line would be.
};

}  // namespace

/// Kept lines may take seven eighths of the second-level cache, which leaves room for what passes
/// through; where the system does not tell its size it is taken for 1 MiB.
std::int64_t ring_bytes() {
#ifdef _SC_LEVEL2_CACHE_SIZE
  static const std::int64_t told = sysconf(_SC_LEVEL2_CACHE_SIZE);
#else
  static const std::int64_t told = 0;
#endif
  return (told > 0 ? told : std::int64_t{1} << 20) / 8 * 7;
}

/// Long lines are better than short ones, for which prefetchers start anew. Tiles are as
/// large as that allows, and enough for all threads; the lower they are, the fewer steps pay for
/// what is computed twice.
template <class Real>
RingPlan plan_plane_ring(const Grid<Real>& grid) {
  constexpr std::int64_t most_steps = 15;
  constexpr std::int64_t widest_tile = 4096, tallest_tile = 1024, rows_for_a_step = 16;
  const Shape& shape = grid.shape();
  RingPlan plan;
  // A line of a periodic grid looks at its own other end.
  const bool is_periodic = grid.border() == engine::ghost_periodic;
  plan.tiles_x = is_periodic ? 1 : (shape.x + widest_tile - 1) / widest_tile;
  plan.tiles_y = (shape.y + tallest_tile - 1) / tallest_tile;
  if (plan.tiles_x * shape.z % threads() != 0) plan.tiles_y = rounded_up(plan.tiles_y, threads());
  plan.tiles_y = std::min(plan.tiles_y, shape.y);
  const std::int64_t width = shape.x / plan.tiles_x + 2 * most_steps;
  const auto bytes_per_step =
      width * lines_kept * grid.states() * static_cast<std::int64_t>(sizeof(Real));
  plan.steps = std::min({most_steps, ring_bytes() / bytes_per_step + 1,
                         shape.y / plan.tiles_y / rows_for_a_step + 1});
  if (plan.steps % 2 == 0) --plan.steps;
  return plan;
}

template <class Real>
void steps_by_plane_ring(const Grid<Real>& grid, const RingPlan& plan, std::int64_t first,
                         std::int64_t count, const engine::View& in, const engine::View& out) {
  const Shape& shape = grid.shape();
  const std::int64_t tiles = plan.tiles_x * plan.tiles_y;
  parallel_for(tiles * shape.z, [&](std::int64_t task) {
    const FlushDenormals flush;
    static thread_local std::vector<Real> memory;  // a few hundred kilobytes, kept
    const std::int64_t tile = task % tiles;
    Ring<Real> ring(grid, part_of(shape.x, plan.tiles_x, tile % plan.tiles_x),
                    part_of(shape.y, plan.tiles_y, tile / plan.tiles_x), first, count, memory);
    ring.run(in, out, task / tiles);
  });
}

template RingPlan plan_plane_ring(const Grid<float>&);
template RingPlan plan_plane_ring(const Grid<double>&);
template void steps_by_plane_ring(const Grid<float>&, const RingPlan&, std::int64_t, std::int64_t,
                                  const engine::View&, const engine::View&);
template void steps_by_plane_ring(const Grid<double>&, const RingPlan&, std::int64_t, std::int64_t,
                                  const engine::View&, const engine::View&);

}  // namespace meander::cpu
