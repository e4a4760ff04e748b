// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "backend/cuda/lines.cuh"

/// What a step does to one cell; see engine::Neighbours for what `around` sums.
namespace meander::cuda {
namespace {

namespace of_float {
using real = float;
__host__ __device__ inline real mad(real a, real b, real c) { return fmaf(a, b, c); }
#include "rules/every_rule.inc"
}  // namespace of_float

namespace of_double {
using real = double;
__host__ __device__ inline real mad(real a, real b, real c) { return fma(a, b, c); }
#include "rules/every_rule.inc"
}  // namespace of_double

/// Either, by the type of the arguments.
namespace rules {
using namespace of_float;
using namespace of_double;
}  // namespace rules

#define MEANDER_RULE(name, states_, around_, fields_, parameters_)                       \
  struct rule_##name {                                                                   \
    static constexpr int states = states_, around = around_, fields = fields_;           \
    template <class Real>                                                                \
    __device__ static void apply(const Real* state, const Real* sums, const Real* field, \
                                 const Real* p, Real* next) {                            \
      rules::name(state, sums, field, p, next);                                          \
    }                                                                                    \
  };
#include "rules/table.inc"
#undef MEANDER_RULE

/// Whether runs of so many bytes may be loaded at once from all rows.
inline bool is_aligned(const Layout& view, int bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(view.first);
  return (first | view.row_pitch | view.slice_pitch | view.channel_pitch) % bytes == 0;
}

/// The type of the arithmetic on pixels.
template <class Pixel>
using RealOf = std::conditional_t<std::is_same_v<Pixel, double>, double, float>;

/// StepNumbers in the type of the arithmetic.
template <class Real>
struct Numbers {
  explicit Numbers(const StepNumbers& all)
      : border(all.border),
        corner(static_cast<Real>(all.corner)),
        beyond(static_cast<Real>(all.beyond)) {
    for (int i = 0; i < 3; ++i) axis[i] = static_cast<Real>(all.axis[i]);
    for (int i = 0; i < StepNumbers::most_parameters; ++i) {
      parameters[i] = static_cast<Real>(all.parameters[i]);
    }
  }
  int border;
  Real axis[3], corner, beyond;
  Real parameters[StepNumbers::most_parameters];
};

template <class Pixel>
__device__ Pixel& pixel_at(const Layout& view, int channel, std::int64_t x, std::int64_t y,
                           std::int64_t z) {
  return reinterpret_cast<Pixel*>(view.first + y * view.row_pitch + z * view.slice_pitch +
                                  channel * view.channel_pitch)[x];
}

/// q/32767 to the last bit, without a division: 1/32767 is 2^-15 + 2^-30 + …
__device__ inline float part_number(float q) {
  const float nearly = q * 0x1p-15f;
  return fmaf(nearly, 0x1.0002p-15f, nearly);
}

/// What a pixel stands for; an i16 is a part of 32767.
template <class Pixel>
__device__ RealOf<Pixel> number_of(Pixel pixel) {
  const auto stored = load<RealOf<Pixel>>(pixel);
  if constexpr (std::is_same_v<Pixel, std::int16_t>) {
    return part_number(stored);
  } else {
    return stored;
  }
}

/// Numbers of i16 saturate at -1 and 1.
template <class Pixel, class Real>
__device__ Pixel pixel_of(Real number) {
  if constexpr (std::is_same_v<Pixel, std::int16_t>) {
    const Real part = number < -1 ? Real(-1) : number > 1 ? Real(1) : number;
    return store<Pixel>(part * 32767);
  } else {
    return store<Pixel>(number);
  }
}

template <class Pixel, class Real>
__device__ Real value_at(const Layout& view, int channel, const Numbers<Real>& n, std::int64_t x,
                         std::int64_t y, std::int64_t z) {
  const std::int64_t i = engine::ghost_index(x, view.width, n.border);
  const std::int64_t j = engine::ghost_index(y, view.height, n.border);
  const std::int64_t k = engine::ghost_index(z, view.depth, n.border);
  if (i < 0 || j < 0 || k < 0) return n.beyond;
  return number_of(pixel_at<Pixel>(view, channel, i, j, k));
}

/// `from` is what neighbours along the axes count from: 0, or the cell itself for differences. An
/// axis of weight 0 has no neighbours: what stands there must not count even as NaN.
template <class Pixel, class Real>
__device__ Real sum_around(const Layout& view, int channel, const Numbers<Real>& n, Real from,
                           std::int64_t x, std::int64_t y, std::int64_t z) {
  const auto value = [&](int dx, int dy, int dz) {
    return value_at<Pixel>(view, channel, n, x + dx, y + dy, z + dz);
  };
  const auto pair = [&](int dx, int dy, int dz) {
    return (value(-dx, -dy, -dz) - from) + (value(dx, dy, dz) - from);
  };
  Real sum = n.axis[0] != 0 ? n.axis[0] * pair(1, 0, 0) : Real(0);
  if (n.axis[1] != 0) sum = rules::mad(pair(0, 1, 0), n.axis[1], sum);
  if (n.axis[2] != 0) sum = rules::mad(pair(0, 0, 1), n.axis[2], sum);
  if (n.corner != 0) {
    const Real above = value(-1, -1, 0) + value(1, -1, 0), below = value(-1, 1, 0) + value(1, 1, 0);
    sum = rules::mad(above + below, n.corner, sum);
  }
  return sum;
}

/// The states of a cell after a step.
template <class Rule, class Pixel, class Real>
__device__ void next_of(const Layout& in, const Layout& fields, const Numbers<Real>& n,
                        std::int64_t x, std::int64_t y, std::int64_t z, Real* next) {
  Real state[4] = {}, around[4] = {}, field[4] = {};
  for (int i = 0; i < Rule::states; ++i) {
    state[i] = number_of(pixel_at<Pixel>(in, i, x, y, z));
    const Real from = (Rule::around & wants_differences) != 0 ? state[i] : Real(0);
    if ((Rule::around >> i & 1) != 0) around[i] = sum_around<Pixel>(in, i, n, from, x, y, z);
  }
  for (int i = 0; i < Rule::fields; ++i) {
    field[i] = number_of(pixel_at<Pixel>(fields, i, x, y, z));
  }
  Rule::apply(state, around, field, n.parameters, next);
}

/// A thread for each of `width` cells of a row, a block for each row; kernels stride over what is
/// beyond the most blocks there are along y.
inline dim3 cell_grid(std::int64_t width, std::int64_t rows) {
  constexpr std::int64_t most_rows = 65535;
  return {blocks_for(width, line_threads),
          static_cast<unsigned>(rows < most_rows ? rows : most_rows), 1};
}

/// Cells of the finer grid that one of the coarser stands for along an axis.
__device__ inline std::int64_t factor(std::int64_t coarse, std::int64_t fine) {
  return coarse == fine ? 1 : 2;
}

}  // namespace
}  // namespace meander::cuda
