// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>

#include "backend/cpu/stencil/kernels.hpp"

/// What grids need besides steps, compiled once per instruction set; plain types only, as in
/// kernels.hpp.
namespace meander::cpu {

template <class Real>
struct GridKernels {
  /// Steps cells `first`, `first` + 2, … of a whole line with a rule of one state, `first` being 0
  /// or 1, and copies the others. `next` is `centre`, or a line that overlaps nothing that is read.
  using Relax = void (*)(const StencilLine<Real>& line, const StencilNumbers<Real>& numbers,
                         int first);
  /// By rule (null for those of several states), then of a plane or a volume.
  const Relax (*relax)[2];

  /// coarse[i] = factor · Σ of the `count` fine lines at i or, `by_pairs`, at 2i and 2i + 1, of
  /// which the last may lie beyond their `length`.
  void (*coarsen)(const Real* const* lines, int count, std::int64_t length, bool by_pairs,
                  Real factor, Real* coarse);
  /// fine[i] gets, or grows by, weight[i] · coarse[i or, in pairs, i / 2]; no weight: 1.
  void (*refine)(const Real* coarse, const Real* weight, bool by_pairs, bool add, Real* fine,
                 std::int64_t length);
};

}  // namespace meander::cpu
