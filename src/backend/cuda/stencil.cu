// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// One step a launch. A thread takes some cells of a row side by side, loaded at once where they lie
// so that they can be.
#include <algorithm>

#include "backend/cuda/cells.cuh"

namespace meander::cuda {
namespace {

/// Cells of a row, and those beside them.
template <class Pixel, int Count>
struct Run {
  using Real = RealOf<Pixel>;
  static constexpr int bytes = Count * sizeof(Pixel) < 16 ? Count * sizeof(Pixel) : 16;
  struct alignas(bytes) Together {
    Pixel pixels[Count];
  };

  /// `row` is null where the border's constant stands; of `is_whole` runs all cells are there, and
  /// aligned.
  __device__ Run(const Pixel* row, std::int64_t x, std::int64_t width, bool is_whole,
                 bool with_sides, const Numbers<Real>& n) {
    const auto at = [&](std::int64_t place) {
      const std::int64_t i = engine::ghost_index(place, width, n.border);
      return row == nullptr || i < 0 ? n.beyond : number_of(row[i]);
    };
    if (is_whole && row != nullptr) {
      const Together all = *reinterpret_cast<const Together*>(row + x);
#pragma unroll
      for (int i = 0; i < Count; ++i) cells[i] = number_of(all.pixels[i]);
    } else {
      for (int i = 0; i < Count; ++i) cells[i] = at(x + i);
    }
    left = with_sides ? at(x - 1) : Real(0);
    right = with_sides ? at(x + Count) : Real(0);
  }
  /// The two beside cell i, each counted from `from`.
  __device__ Real pair(int i, Real from) const {
    return ((i > 0 ? cells[i > 0 ? i - 1 : 0] : left) - from) +
           ((i + 1 < Count ? cells[i + 1 < Count ? i + 1 : 0] : right) - from);
  }
  Real cells[Count], left, right;
};

/// What a run of cells lies in.
template <class Pixel, int Count>
struct Place {
  std::int64_t x, y, z;
  bool is_whole;

  __device__ const Pixel* row(const Layout& view, int channel, int border, int dy, int dz) const {
    const std::int64_t j = engine::ghost_index(y + dy, view.height, border);
    const std::int64_t k = engine::ghost_index(z + dz, view.depth, border);
    return j < 0 || k < 0 ? nullptr : &pixel_at<Pixel>(view, channel, 0, j, k);
  }
};

/// What `sum_around` of cells.cuh makes of each, in the same order.
template <class Pixel, int Count, class Real>
__device__ void sum_run(Real* sums, const Layout& view, int channel, const Numbers<Real>& n,
                        bool wants_differences, const Run<Pixel, Count>& own,
                        const Place<Pixel, Count>& at) {
  const auto run = [&](int dy, int dz, bool with_sides) {
    return Run<Pixel, Count>(at.row(view, channel, n.border, dy, dz), at.x, view.width, at.is_whole,
                             with_sides, n);
  };
  const auto from = [&](int i) { return wants_differences ? own.cells[i] : Real(0); };
  const auto add_pairs = [&](int dy, int dz, Real weight) {
    const auto one = run(-dy, -dz, false), other = run(dy, dz, false);
#pragma unroll
    for (int i = 0; i < Count; ++i) {
      sums[i] = rules::mad((one.cells[i] - from(i)) + (other.cells[i] - from(i)), weight, sums[i]);
    }
  };
#pragma unroll
  for (int i = 0; i < Count; ++i) {
    sums[i] = n.axis[0] != 0 ? n.axis[0] * own.pair(i, from(i)) : Real(0);
  }
  if (n.axis[1] != 0) add_pairs(1, 0, n.axis[1]);
  if (n.axis[2] != 0) add_pairs(0, 1, n.axis[2]);
  if (n.corner != 0) {
    const auto above = run(-1, 0, true), below = run(1, 0, true);
#pragma unroll
    for (int i = 0; i < Count; ++i) {
      sums[i] = rules::mad(above.pair(i, 0) + below.pair(i, 0), n.corner, sums[i]);
    }
  }
}

template <class Rule, class Pixel, int Count, class Real>
__device__ void step_run(const Layout& in, const Layout& fields, const Layout& out,
                         const Numbers<Real>& n, const Place<Pixel, Count>& at) {
  using Own = Run<Pixel, Count>;
  constexpr bool differences = (Rule::around & wants_differences) != 0;
  Real state[Rule::states][Count], around[Rule::states][Count] = {};
  Real field[Rule::fields + 1][Count], next[Rule::states][Count];
#pragma unroll
  for (int s = 0; s < Rule::states; ++s) {
    const bool looks_around = (Rule::around >> s & 1) != 0;
    const Own own(at.row(in, s, n.border, 0, 0), at.x, in.width, at.is_whole, looks_around, n);
#pragma unroll
    for (int i = 0; i < Count; ++i) state[s][i] = own.cells[i];
    if (looks_around) sum_run<Pixel, Count>(around[s], in, s, n, differences, own, at);
  }
#pragma unroll
  for (int f = 0; f < Rule::fields; ++f) {
    const Own own(at.row(fields, f, n.border, 0, 0), at.x, in.width, at.is_whole, false, n);
#pragma unroll
    for (int i = 0; i < Count; ++i) field[f][i] = own.cells[i];
  }
#pragma unroll
  for (int i = 0; i < Count; ++i) {
    Real own[4], sums[4], fixed[4], made[4];
#pragma unroll
    for (int s = 0; s < Rule::states; ++s) {
      own[s] = state[s][i];
      sums[s] = around[s][i];
    }
#pragma unroll
    for (int f = 0; f < Rule::fields; ++f) fixed[f] = field[f][i];
    Rule::apply(own, sums, fixed, n.parameters, made);
#pragma unroll
    for (int s = 0; s < Rule::states; ++s) next[s][i] = made[s];
  }
#pragma unroll
  for (int s = 0; s < Rule::states; ++s) {
    Pixel* row = &pixel_at<Pixel>(out, s, at.x, at.y, at.z);
    typename Own::Together all;
#pragma unroll
    for (int i = 0; i < Count; ++i) all.pixels[i] = pixel_of<Pixel>(next[s][i]);
    if (at.is_whole) {
      *reinterpret_cast<typename Own::Together*>(row) = all;
    } else {
      for (int i = 0; i < Count && at.x + i < out.width; ++i) row[i] = all.pixels[i];
    }
  }
}

/// Whatever the grid of threads is: they go on where cells are left.
template <class Rule, class Pixel, int Count>
__global__ void step_cells(Layout in, Layout fields, Layout out, Numbers<RealOf<Pixel>> n,
                           bool aligned) {
  const std::int64_t columns = std::int64_t{gridDim.x} * blockDim.x * Count;
  const std::int64_t rows = std::int64_t{gridDim.y} * blockDim.y;
  for (std::int64_t z = blockIdx.z; z < in.depth; z += gridDim.z) {
    for (std::int64_t y = blockIdx.y * std::int64_t{blockDim.y} + threadIdx.y; y < in.height;
         y += rows) {
      for (std::int64_t x = thread_index() * Count; x < in.width; x += columns) {
        const bool is_whole = aligned && x + Count <= in.width;
        step_run<Rule, Pixel, Count>(in, fields, out, n, Place<Pixel, Count>{x, y, z, is_whole});
      }
    }
  }
}

template <class Pixel, int Count>
cudaError_t launch(cudaStream_t stream, int rule, const Layout& in, const Layout& fields,
                   const Layout& out, const StepNumbers& numbers, dim3 threads, bool is_alone) {
  using Kernel = void (*)(Layout, Layout, Layout, Numbers<RealOf<Pixel>>, bool);
  constexpr Kernel kernels[] = {
#define MEANDER_RULE(name, states, around, fields, parameters) \
  step_cells<rule_##name, Pixel, Count>,
#include "rules/table.inc"
#undef MEANDER_RULE
  };
  constexpr int bytes = Run<Pixel, Count>::bytes;
  const bool aligned = is_aligned(in, bytes) && is_aligned(out, bytes) && is_aligned(fields, bytes);
  const auto most = [](unsigned blocks) { return std::min(blocks, 65535u); };
  const dim3 blocks(blocks_for(in.width, static_cast<int>(threads.x) * Count),
                    most(blocks_for(in.height, static_cast<int>(threads.y))),
                    most(static_cast<unsigned>(in.depth)));
  kernels[rule]<<<is_alone ? dim3(1) : blocks, threads, 0, stream>>>(
      in, fields, out, Numbers<RealOf<Pixel>>(numbers), aligned);
  return cudaGetLastError();
}

}  // namespace

cudaError_t launch_step(cudaStream_t stream, int type, int rule, const Layout& in,
                        const Layout& fields, const Layout& out, const StepNumbers& numbers,
                        int width, int height, bool is_alone) {
  return visit(type, [&](auto pixel) {
    using Pixel = decltype(pixel);
    if constexpr (std::is_unsigned_v<Pixel>) {
      return cudaErrorInvalidValue;
    } else if (width == 0) {
      return launch<Pixel, 4>(stream, rule, in, fields, out, numbers, dim3(32, 8), false);
    } else {
      const dim3 threads(static_cast<unsigned>(width), static_cast<unsigned>(height));
      return launch<Pixel, 1>(stream, rule, in, fields, out, numbers, threads, is_alone);
    }
  });
}

}  // namespace meander::cuda
