// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <vector>

#include "backend/cpu/engines.hpp"
#include "backend/cpu/flush_denormals.hpp"
#include "backend/cpu/row_tasks.hpp"
#include "backend/cpu/stencil.hpp"
#include "core/message.hpp"
#include "meander/device.hpp"
#include "meander/error.hpp"

namespace meander::cpu {
namespace {

/// Sweeps in place. Half sweep h, from 0 on, steps the cells whose x + y + z + h is even; those
/// around a cell are of the other kind.
template <class Real>
class Sweeps {
 public:
  Sweeps(const engine::Iteration& work, const engine::View& state, const engine::View& fields,
         bool from_zero)
      : grid_(work, state, fields), state_(state), halves_(2 * work.steps) {
    const bool is_deep = grid_.has_depth();
    relax_ = grid_kernels<Real>().relax[static_cast<std::size_t>(work.rule)][is_deep ? 1 : 0];
    for (std::int64_t step = 0; step < work.steps; ++step) {
      numbers_.push_back(grid_.numbers_of_step(step));
    }
    if (from_zero) zeros_.assign(static_cast<std::size_t>(state.shape.x), Real(0));
  }

  void run() const {
    if (halves_ == 0) clear();
    for (std::int64_t half = 0; half < halves_ && !stopped(); ++half) {
      for_each_row(state_, [&](std::int64_t row) {
        const FlushDenormals flush;
        relax_line(half, row % state_.shape.y, row / state_.shape.y);
      });
    }
  }

 private:
  bool stopped() const { return grid_.work().stop.stop_requested(); }

  void clear() const {
    if (zeros_.empty()) return;
    for_each_row(state_, [&](std::int64_t row) {
      std::copy(zeros_.begin(), zeros_.end(), reinterpret_cast<Real*>(state_.host_row(row)));
    });
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

  const Grid<Real> grid_;
  const engine::View state_;
  const std::int64_t halves_;
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
