// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>

/// What the stencil engine has compiled once per instruction set; plain types only, as in
/// kernels.hpp.
namespace meander::cpu {

inline constexpr int most_stencil_states = 4;
inline constexpr int most_stencil_fields = 4;
inline constexpr int most_stencil_parameters = 8;

/// Which neighbours `around` sums; the unit ones have weights of 1 and no corners.
enum StencilKind : int {
  plane_unit,
  plane,   ///< With weights.
  square,  ///< With weights and corners.
  volume_unit,
  volume,
  stencil_kind_count
};

/// One step of cells [begin, end) of one line along x. Pointers are to the line's cell 0, whether
/// that is in memory or not: cells [begin - 1, end + 1) of the line are, as far as the line has
/// them. `before` and `after` are the neighbouring lines along y (index 0) and z (1), as far as the
/// kind has them.
template <class Real>
struct StencilLine {
  const Real* centre[most_stencil_states];
  const Real* before[2][most_stencil_states];
  const Real* after[2][most_stencil_states];
  const Real* field[most_stencil_fields];
  Real* next[most_stencil_states];
  std::int64_t begin, end;
  std::int64_t length;  ///< Of the line: cells 0 and length - 1 have borders.
};

template <class Real>
struct StencilNumbers {
  Real parameters[most_stencil_parameters];
  Real axis[3], corner;
  int border;  ///< engine::GhostKind
  Real border_value;
  std::int64_t ghost_left, ghost_right;  ///< Cells that stand beyond the ends of a line; -1: the
                                         ///< border's value does.
};

template <class Real>
struct StencilKernels {
  using Step = void (*)(const StencilLine<Real>& line, const StencilNumbers<Real>& numbers);
  /// By rule and kind.
  const Step (*step)[stencil_kind_count];
};

}  // namespace meander::cpu
