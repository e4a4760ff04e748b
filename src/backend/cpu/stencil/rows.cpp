// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>

#include "backend/cpu/flush_denormals.hpp"
#include "backend/cpu/stencil/stencil.hpp"
#include "core/parallel_for.hpp"
#include "engine/ghost.hpp"
#include "meander/device.hpp"

namespace meander::cpu {
namespace {

/// Unit weights need no multiplication.
StencilKind kind_of(const engine::Neighbours& neighbours) {
  const auto [x, y, z] = neighbours.axis;
  if (z != 0) return x == 1 && y == 1 && z == 1 ? volume_unit : volume;
  if (neighbours.corner != 0) return square;
  return x == 1 && y == 1 ? plane_unit : plane;
}

/// Rows [begin, end) of all slices. Most rows are a pitch away from the one before, which is
/// cheaper than finding their neighbours anew.
template <class Real>
void step_rows(const Grid<Real>& grid, const StencilNumbers<Real>& numbers, const engine::View& in,
               const engine::View& out, std::int64_t begin, std::int64_t end) {
  constexpr auto cells_in = [](std::int64_t bytes) {
    return bytes / static_cast<std::int64_t>(sizeof(Real));
  };
  const std::int64_t height = in.shape.y;
  StencilLine<Real> line;
  for (std::int64_t row = begin, y = row % height, z = row / height; row < end; ++row) {
    if (grid.work().stop.stop_requested()) return;
    const bool sees_constant = grid.has_depth() && grid.border() == engine::ghost_constant;
    const bool follows = row > begin && y > 1 && y < height - 1 && !sees_constant;
    if (follows) {
      grid.move_down(line, cells_in(in.pitch.row), cells_in(out.pitch.row));
    } else {
      line = grid.whole_line(in, y, z);
      for (int s = 0; s < grid.states(); ++s) line.next[s] = Grid<Real>::line_of(out, s, y, z);
    }
    grid.function()(line, numbers);
    if (++y == height) {
      y = 0;
      ++z;
    }
  }
}

}  // namespace

template <class Real>
Grid<Real>::Grid(const engine::Iteration& work, const engine::View& state,
                 const engine::View& fields)
    : work_(work), facts_(engine::facts_of(work.rule)), fields_(fields), shape_(state.shape) {
  const engine::Neighbours& neighbours = work.neighbours;
  for (std::size_t i = 0; i < 3; ++i) numbers_.axis[i] = static_cast<Real>(neighbours.axis[i]);
  numbers_.corner = static_cast<Real>(neighbours.corner);
  numbers_.border = border();
  numbers_.border_value = static_cast<Real>(neighbours.border.value);
  numbers_.ghost_left = engine::ghost_index(-1, shape_.x, border());
  numbers_.ghost_right = engine::ghost_index(shape_.x, shape_.x, border());
  function_ =
      stencil_kernels<Real>().step[static_cast<std::size_t>(work.rule)][kind_of(neighbours)];
  if (neighbours.border.kind == Border::constant) {
    constant_line_.assign(static_cast<std::size_t>(shape_.x), numbers_.border_value);
  }
}

template <class Real>
StencilNumbers<Real> Grid<Real>::numbers_of_step(std::int64_t step) const {
  StencilNumbers<Real> numbers = numbers_;
  const double* of_step = work_.of_step(step);
  for (int i = 0; i < facts_.parameters; ++i) {
    numbers.parameters[i] = static_cast<Real>(of_step[i]);
  }
  return numbers;
}

template <class Real>
void Grid<Real>::point_to_states(const Real** lines, const engine::View& in, std::int64_t y,
                                 std::int64_t z) const {
  y = engine::ghost_index(y, in.shape.y, border());
  z = engine::ghost_index(z, in.shape.z, border());
  const bool beyond = y < 0 || z < 0;
  const Real* first = beyond ? constant_line() : line_of(in, 0, y, z);
  const auto step = beyond ? 0 : in.pitch.channel / static_cast<std::int64_t>(sizeof(Real));
  for (int s = 0; s < states(); ++s) lines[s] = first + s * step;
}

template <class Real>
StencilLine<Real> Grid<Real>::whole_line(const engine::View& in, std::int64_t y,
                                         std::int64_t z) const {
  StencilLine<Real> line;
  line.begin = 0;
  line.end = line.length = in.shape.x;
  point_to_states(line.centre, in, y, z);
  point_to_states(line.before[0], in, y - 1, z);
  point_to_states(line.after[0], in, y + 1, z);
  if (has_depth()) {
    point_to_states(line.before[1], in, y, z - 1);
    point_to_states(line.after[1], in, y, z + 1);
  }
  point_to_fields(line, y, z);
  return line;
}

template <class Real>
void Grid<Real>::point_to_fields(StencilLine<Real>& line, std::int64_t y, std::int64_t z) const {
  for (int f = 0; f < facts_.fields; ++f) line.field[f] = line_of(fields_, f, y, z);
}

template <class Real>
void Grid<Real>::move_down(StencilLine<Real>& line, std::int64_t step,
                           std::int64_t step_of_next) const {
  for (int s = 0; s < states(); ++s) {
    line.centre[s] += step;
    line.before[0][s] += step;
    line.after[0][s] += step;
    line.next[s] += step_of_next;
    if (!has_depth()) continue;
    line.before[1][s] += step;
    line.after[1][s] += step;
  }
  const auto step_of_fields = fields_.pitch.row / static_cast<std::int64_t>(sizeof(Real));
  for (int f = 0; f < facts_.fields; ++f) line.field[f] += step_of_fields;
}

template <class Real>
void step_by_rows(const Grid<Real>& grid, std::int64_t step, const engine::View& in,
                  const engine::View& out) {
  // Few tasks, for each begins its streams from memory anew; but enough cells to pay for one.
  constexpr std::int64_t least_cells = std::int64_t{1} << 15, tasks_per_thread = 2;
  const Shape& shape = grid.shape();
  const std::int64_t rows = shape.y * shape.z;
  const std::int64_t rows_per_task =
      std::max({std::int64_t{1}, least_cells / shape.x, rows / (tasks_per_thread * threads())});
  const StencilNumbers<Real> numbers = grid.numbers_of_step(step);
  parallel_for((rows + rows_per_task - 1) / rows_per_task, [&](std::int64_t task) {
    const FlushDenormals flush;
    step_rows(grid, numbers, in, out, task * rows_per_task,
              std::min((task + 1) * rows_per_task, rows));
  });
}

template class Grid<float>;
template class Grid<double>;
template void step_by_rows(const Grid<float>&, std::int64_t, const engine::View&,
                           const engine::View&);
template void step_by_rows(const Grid<double>&, std::int64_t, const engine::View&,
                           const engine::View&);

}  // namespace meander::cpu
