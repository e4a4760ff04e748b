// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <vector>

#include "backend/cpu/isa.hpp"
#include "engine/stencil.hpp"
#include "engine/view.hpp"

namespace meander::cpu {

// How the cpu advances a grid. Both ways call the same function for every line, so they agree to
// the bit.

/// rows: one step at a time over the whole grid. ring: tiles are taken through several steps while
/// they are in the cache, a line of a plane or a slice of a volume of each step at a time; what the
/// tiles need of each other is computed twice. `automatic` times both on the grid at hand and takes
/// the faster.
enum class StencilPath : std::uint8_t { automatic, rows, ring };

/// For tests and benchmarks; `automatic` at first.
void set_stencil_path(StencilPath path);

/// A grid between two of its steps, in the arithmetic of its type.
template <class Real>
class Grid {
 public:
  Grid(const engine::Iteration& work, const engine::View& state, const engine::View& fields);

  const engine::Iteration& work() const { return work_; }
  const Shape& shape() const { return shape_; }
  int states() const { return facts_.states; }
  bool has_depth() const { return work_.neighbours.axis[2] != 0; }
  int border() const { return static_cast<int>(work_.neighbours.border.kind); }
  /// With the parameters of a step.
  StencilNumbers<Real> numbers_of_step(std::int64_t step) const;
  typename StencilKernels<Real>::Step function() const { return function_; }

  /// Cell 0 of a line of a view.
  static Real* line_of(const engine::View& view, int channel, std::int64_t y, std::int64_t z) {
    return reinterpret_cast<Real*>(view.memory->host + view.offset + channel * view.pitch.channel +
                                   z * view.pitch.slice + y * view.pitch.row);
  }
  /// Cell 0 of a line that stands beyond a constant border.
  const Real* constant_line() const { return constant_line_.data(); }
  /// A whole line of `in` with its neighbours and fields; `next` is the caller's affair.
  StencilLine<Real> whole_line(const engine::View& in, std::int64_t y, std::int64_t z) const;
  /// Lets `lines` point to the line of each state at a place that may lie beyond the grid.
  void point_to_states(const Real** lines, const engine::View& in, std::int64_t y,
                       std::int64_t z) const;
  /// Lets `line` point to the coefficient fields.
  void point_to_fields(StencilLine<Real>& line, std::int64_t y, std::int64_t z) const;
  /// From a line to that of the next row, as long as neither looks beyond a border along y nor at
  /// the constant of one along z; by so many cells.
  void move_down(StencilLine<Real>& line, std::int64_t step, std::int64_t step_of_next) const;

 private:
  const engine::Iteration& work_;
  const engine::RuleFacts& facts_;
  const engine::View fields_;
  const Shape shape_;
  StencilNumbers<Real> numbers_;
  typename StencilKernels<Real>::Step function_;
  std::vector<Real> constant_line_;
};

/// One step from `in` to `out`, on all threads.
template <class Real>
void step_by_rows(const Grid<Real>& grid, std::int64_t step, const engine::View& in,
                  const engine::View& out);

/// The same of states of 16 bits, whose lines are floats while they are computed.
void step_packed(const Grid<float>& grid, std::int64_t step, const engine::View& in,
                 const engine::View& fields, const engine::View& out);

/// How a grid is cut for the ring; a volume into rows of all slices.
struct RingPlan {
  std::int64_t steps = 1;  ///< At most so many at a time; odd.
  std::int64_t tiles_x = 1, tiles_y = 1;
};
template <class Real>
RingPlan plan_plane_ring(const Grid<Real>& grid);
template <class Real>
RingPlan plan_slice_ring(const Grid<Real>& grid);
template <class Real>
RingPlan plan_ring(const Grid<Real>& grid) {
  return grid.has_depth() ? plan_slice_ring(grid) : plan_plane_ring(grid);
}

/// `count` steps, from `first` on, from `in` to `out`; of every slice of a grid without depth, or
/// of a volume.
template <class Real>
void steps_by_plane_ring(const Grid<Real>& grid, const RingPlan& plan, std::int64_t first,
                         std::int64_t count, const engine::View& in, const engine::View& out);
template <class Real>
void steps_by_slice_ring(const Grid<Real>& grid, const RingPlan& plan, std::int64_t first,
                         std::int64_t count, const engine::View& in, const engine::View& out);
template <class Real>
void steps_by_ring(const Grid<Real>& grid, const RingPlan& plan, std::int64_t first,
                   std::int64_t count, const engine::View& in, const engine::View& out) {
  const auto steps = grid.has_depth() ? steps_by_slice_ring<Real> : steps_by_plane_ring<Real>;
  steps(grid, plan, first, count, in, out);
}

// What the two kinds of rings share: how grids are cut, and what the cache holds.

inline constexpr std::int64_t cells_per_cache_line = 16;

inline std::int64_t rounded_up(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// [begin, end) along an axis.
struct Range {
  std::int64_t begin, end;
};

/// Part `index` of `parts` nearly equal ones.
inline Range part_of(std::int64_t length, std::int64_t parts, std::int64_t index) {
  return {length * index / parts, length * (index + 1) / parts};
}

/// Bytes that what is kept of a tile may take.
std::int64_t ring_bytes();

}  // namespace meander::cpu
