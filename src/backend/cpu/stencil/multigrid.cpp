// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Between grids of which one is coarser: apply and transfer.
#include <algorithm>
#include <vector>

#include "backend/cpu/engines.hpp"
#include "backend/cpu/flush_denormals.hpp"
#include "backend/cpu/row_tasks.hpp"
#include "backend/cpu/stencil/stencil.hpp"

namespace meander::cpu {
namespace {

/// Along each axis, cells of the finer grid that one of the coarser stands for.
struct Ratio {
  Ratio(const Shape& fine, const Shape& coarse)
      : x(fine.x == coarse.x ? 1 : 2),
        y(fine.y == coarse.y ? 1 : 2),
        z(fine.z == coarse.z ? 1 : 2) {}
  std::int64_t cells() const { return x * y * z; }
  std::int64_t x, y, z;
};

template <class Real>
void apply_to_finer(const engine::Iteration& work, const engine::View& in,
                    const engine::View& fields, const engine::View& out) {
  const Grid<Real> grid(work, in, fields);
  const StencilNumbers<Real> numbers = grid.numbers_of_step(0);
  const Ratio ratio(in.shape, out.shape);
  const auto factor = static_cast<Real>(1.0 / static_cast<double>(ratio.cells()));
  for_each_row(out, [&](std::int64_t row) {
    const FlushDenormals flush;
    static thread_local std::vector<Real> memory;  // a few lines, kept
    constexpr std::size_t most_lines = 4;
    const auto length = static_cast<std::size_t>(in.shape.x);
    if (memory.size() < most_lines * length) memory.resize(most_lines * length);
    const Real* lines[most_lines];
    int count = 0;
    const std::int64_t z = row / out.shape.y * ratio.z, y = row % out.shape.y * ratio.y;
    for (std::int64_t from_z = z; from_z < std::min(z + ratio.z, in.shape.z); ++from_z) {
      for (std::int64_t from_y = y; from_y < std::min(y + ratio.y, in.shape.y); ++from_y) {
        StencilLine<Real> line = grid.whole_line(in, from_y, from_z);
        lines[count] = line.next[0] = memory.data() + static_cast<std::size_t>(count) * length;
        grid.function()(line, numbers);
        ++count;
      }
    }
    grid_kernels<Real>().coarsen(lines, count, in.shape.x, ratio.x == 2, factor,
                                 reinterpret_cast<Real*>(out.host_row(row)));
  });
}

template <class Real>
void apply_in(const engine::Iteration& work, const engine::View& in, const engine::View& fields,
              const engine::View& out) {
  if (in.shape == out.shape) {
    step_by_rows(Grid<Real>(work, in, fields), 0, in, out);
  } else {
    apply_to_finer<Real>(work, in, fields, out);
  }
}

template <class Real>
void transfer_in(const engine::View& coarse, const engine::View& fine, const engine::View& weight,
                 bool add) {
  const Ratio ratio(fine.shape, coarse.shape);
  const auto refine = grid_kernels<Real>().refine;
  for_each_row(fine, [&](std::int64_t row) {
    const FlushDenormals flush;
    const std::int64_t z = row / fine.shape.y / ratio.z, y = row % fine.shape.y / ratio.y;
    const auto* factors =
        weight.memory != nullptr ? reinterpret_cast<const Real*>(weight.host_row(row)) : nullptr;
    refine(Grid<Real>::line_of(coarse, 0, y, z), factors, ratio.x == 2, add,
           reinterpret_cast<Real*>(fine.host_row(row)), fine.shape.x);
  });
}

}  // namespace

void apply(const engine::Iteration& work, const engine::View& in, const engine::View& fields,
           const engine::View& out) {
  in.type == PixelType::f64 ? apply_in<double>(work, in, fields, out)
                            : apply_in<float>(work, in, fields, out);
}

void transfer(const engine::View& coarse, const engine::View& fine, const engine::View& weight,
              engine::Prolongation how) {
  const bool add = how == engine::Prolongation::add;
  fine.type == PixelType::f64 ? transfer_in<double>(coarse, fine, weight, add)
                              : transfer_in<float>(coarse, fine, weight, add);
}

}  // namespace meander::cpu
