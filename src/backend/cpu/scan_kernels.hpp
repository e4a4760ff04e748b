// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstddef>
#include <cstdint>

/// What the scan engine has compiled once per instruction set; plain types only, as in kernels.hpp.
///
/// Lines are worked on `panel_lanes` at a time, side by side: a panel is an array of rows, one row
/// a position along the lines, one lane a line.
namespace meander::cpu {

inline constexpr int panel_lanes = 32;
inline constexpr int most_scan_states = 8;

template <class Real>
struct ScanCoefficients {
  Real feed[most_scan_states], backward[most_scan_states], forward[most_scan_states];
};

/// `count` steps over rows that lie `…_stride` numbers apart (negative: backward). `state` is
/// `states` rows of panel_lanes. `add` is only read by the forward pass of a sum. `out` may be null
/// in the *_state functions only, and may be `in` or `add` elsewhere.
template <class Real>
struct ScanRows {
  const Real* in;
  std::ptrdiff_t in_stride;
  const Real* add;
  std::ptrdiff_t add_stride;
  Real* out;
  std::ptrdiff_t out_stride;
  std::int64_t count;
  Real* state;
};

template <class Real>
struct ScanKernels {
  using Pass = void (*)(const ScanRows<Real>& rows, const ScanCoefficients<Real>& coefficients);

  /// By the number of states; null where there is none.
  Pass cascade[most_scan_states + 1], cascade_state[most_scan_states + 1];
  Pass sum_backward[most_scan_states + 1], sum_forward[most_scan_states + 1],
      sum_state[most_scan_states + 1];

  /// panel[i·panel_lanes + j] = rows[j][i], i < columns, and back.
  void (*to_panel)(const Real* const* rows, std::int64_t columns, Real* panel);
  void (*from_panel)(const Real* panel, std::int64_t columns, Real* const* rows);

  /// out row n = Σ weights[k] · in row n + k, k < taps.
  void (*fir)(const Real* in, std::int64_t count, const Real* weights, std::int64_t taps, Real* out,
              std::ptrdiff_t out_stride);
};

}  // namespace meander::cpu
