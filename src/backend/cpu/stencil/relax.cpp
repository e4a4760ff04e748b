// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <vector>

#include "backend/cpu/engines.hpp"
#include "backend/cpu/flush_denormals.hpp"
#include "backend/cpu/row_tasks.hpp"
#include "backend/cpu/stencil/stencil.hpp"
#include "core/message.hpp"
#include "meander/device.hpp"
#include "meander/error.hpp"

namespace meander::cpu {
namespace {

/// Units along the axis that the grid is cut across, those of half sweep h being
/// [begin + h · begin_moves, end + h · end_moves).
struct Band {
  std::int64_t begin, end;
  int begin_moves, end_moves;
};

/// Sweeps in place. Half sweep h, from 0 on, steps the cells whose x + y + z + h is even; those
/// around a cell are of the other kind. So a unit, a row of a plane or a slice, may go through half
/// sweep h when its neighbours have been through h - 1 and not through h + 1, and which of many
/// possible orders is taken does not show. Two things follow. A wave takes a unit through h after
/// the next one through h - 1, so that few units are in use at a time and stay in the cache. And
/// bands of units are independent as long as each half sweep leaves out one more at either end:
/// threads do that first, then the wedges between bands that were left out.
template <class Real>
class Sweeps {
 public:
  Sweeps(const engine::Iteration& work, const engine::View& state, const engine::View& fields,
         bool from_zero)
      : grid_(work, state, fields), state_(state), by_slices_(state.shape.z >= state.shape.y) {
    const bool is_deep = grid_.has_depth();
    relax_ = grid_kernels<Real>().relax[static_cast<std::size_t>(work.rule)][is_deep ? 1 : 0];
    for (std::int64_t step = 0; step < work.steps; ++step) {
      numbers_.push_back(grid_.numbers_of_step(step));
    }
    if (from_zero) zeros_.assign(static_cast<std::size_t>(state.shape.x), Real(0));
  }

  void run() const {
    const std::int64_t steps = grid_.work().steps;
    if (steps == 0) clear();
    for (std::int64_t step = 0; step < steps; step += most_steps) {
      sweep(2 * step, 2 * std::min(most_steps, steps - step));
    }
  }

 private:
  static constexpr std::int64_t most_steps = 4;  ///< At a time, so that bands need not be high.
  static constexpr std::int64_t least_cells = std::int64_t{1} << 15;  ///< That pay for a thread.

  std::int64_t units() const { return by_slices_ ? state_.shape.z : state_.shape.y; }

  /// Half sweeps [first, first + count).
  void sweep(std::int64_t first, std::int64_t count) const {
    const Shape& shape = state_.shape;
    const std::int64_t room = std::min(shape.x * shape.y * shape.z / least_cells,
                                       units() / (4 * count));  // wedges stay apart, and small
    const std::int64_t bands = std::clamp<std::int64_t>(room, 1, threads());
    const auto start_of = [&](std::int64_t band) { return units() * band / bands; };
    // The last unit of a band belongs to the wedge: nobody looks at it while it is written.
    parallel_for(bands, [&](std::int64_t band) {
      const bool is_last = band == bands - 1;
      wave({start_of(band), start_of(band + 1) - (is_last ? 0 : 1), band > 0 ? 1 : 0,
            is_last ? 0 : -1},
           first, count);
    });
    parallel_for(bands - 1, [&](std::int64_t band) {
      const std::int64_t start = start_of(band + 1);
      wave({start - 1, start, -1, 1}, first, count);
    });
  }

  void wave(const Band& band, std::int64_t first, std::int64_t count) const {
    const FlushDenormals flush;
    const std::int64_t end = band.end + (count - 1) * (band.end_moves + 1);
    for (std::int64_t front = band.begin; front < end; ++front) {
      if (grid_.work().stop.stop_requested()) return;
      for (std::int64_t h = 0; h < count; ++h) {
        const std::int64_t unit = front - h;
        const bool is_there =
            unit >= band.begin + h * band.begin_moves && unit < band.end + h * band.end_moves;
        if (is_there) relax_unit(first + h, unit);
      }
    }
  }

  void relax_unit(std::int64_t half, std::int64_t unit) const {
    if (by_slices_) {
      for (std::int64_t y = 0; y < state_.shape.y; ++y) relax_line(half, y, unit);
    } else {
      for (std::int64_t z = 0; z < state_.shape.z; ++z) relax_line(half, unit, z);
    }
  }

  void relax_line(std::int64_t half, std::int64_t y, std::int64_t z) const {
    StencilLine<Real> line = grid_.whole_line(state_, y, z);
    line.next[0] = Grid<Real>::line_of(state_, 0, y, z);
    if (half == 0 && !zeros_.empty()) point_to_zeros(line);
    relax_(line, numbers_[static_cast<std::size_t>(half / 2)],
           static_cast<int>((y + z + half) % 2));
  }

  void point_to_zeros(StencilLine<Real>& line) const {
    line.centre[0] = zeros_.data();
    for (int axis = 0; axis < 2; ++axis) {
      line.before[axis][0] = line.after[axis][0] = zeros_.data();
    }
  }

  /// What no sweep at all leaves of a state that counts as 0.
  void clear() const {
    if (zeros_.empty()) return;
    for_each_row(state_, [&](std::int64_t row) {
      std::copy(zeros_.begin(), zeros_.end(), reinterpret_cast<Real*>(state_.host_row(row)));
    });
  }

  const Grid<Real> grid_;
  const engine::View state_;
  const bool by_slices_;  ///< Units are slices, not rows of all slices: the smaller of the two.
  typename GridKernels<Real>::Relax relax_;
  std::vector<StencilNumbers<Real>> numbers_;  ///< Of each sweep.
  std::vector<Real> zeros_;                    ///< A line of them to start from, or nothing.
};

}  // namespace

void relax(const engine::Iteration& work, const engine::View& state, const engine::View& fields,
           bool from_zero) {
  const engine::Neighbours& neighbours = work.neighbours;
  const Border border = neighbours.border.kind;
  if (neighbours.corner != 0 || (border != Border::clamp && border != Border::mirror)) {
    throw LogicError("relax: cells of one colour are neighbours by a corner or across the border");
  }
  state.type == PixelType::f64 ? Sweeps<double>(work, state, fields, from_zero).run()
                               : Sweeps<float>(work, state, fields, from_zero).run();
}

}  // namespace meander::cpu
