// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "backend/cpu/lines.hpp"

namespace meander::cpu {

/// A recurrence on one block of lines: the states of its lanes and what moves them.
template <class Real>
class BlockScan {
 public:
  /// `scratch` has room for scratch_numbers().
  BlockScan(const engine::Recurrence& recurrence, Real* scratch);

  /// Numbers of scratch for whole lines of this length, and for parts of lines (length 0).
  static std::int64_t scratch_numbers(const engine::Recurrence& recurrence, std::int64_t length);

  /// Both passes over whole lines.
  void run(const BlockLines& in, const BlockLines& out, std::int64_t length);

  /// One pass over a part, from the states `state` holds to those it then holds; `out` may be null.
  void run_part(const BlockLines& in, const BlockLines* out, const BlockLines& state,
                std::int64_t length, engine::Direction direction);
  void map_states(const BlockLines& edge, const BlockLines& state, engine::StateMap map);

 private:
  /// Rows of a panel at positions of a line: row n is at first + n·stride.
  struct Rows {
    Real* first;
    std::ptrdiff_t stride;
    Real* at(std::int64_t n) const { return first + n * stride; }
  };

  void start_at(const Real* pixels);
  void start_whole(const BlockLines& in, std::int64_t length, engine::Direction direction);
  /// What stands beyond the end at position `end`: its pixels or the border's constant.
  std::array<Real, panel_lanes> border_pixels(const BlockLines& in, std::int64_t end);
  /// s = steady·r + matrix·(s - steady·r), r a row of pixels.
  void map_about(const Real* pixels, const double* matrix);
  void wrap_about(const Real* pixels);
  /// Runs over `warmup` positions beyond an end; `lines` or, when null, the panel gives the pixels.
  void warm_up(const BlockLines* lines, std::int64_t length, engine::Direction direction);
  void backward_pass(const BlockLines& in, std::int64_t length);
  void forward_pass(const BlockLines& in, const BlockLines& out, std::int64_t length);

  /// Positions [begin, begin + count) of `lines`: where they are, or gathered into `buffer`.
  Rows rows_of(const BlockLines& lines, std::int64_t begin, std::int64_t count, Real* buffer) const;
  void steps(const Rows& in, const Rows& add, const Rows& out, std::int64_t count,
             engine::Direction direction, bool write);

  bool is_sum() const { return recurrence_.form == engine::Recurrence::Form::sum; }

  const engine::Recurrence& recurrence_;
  ScanCoefficients<Real> coefficients_;
  Real* state_;     ///< `states` rows.
  Real* in_chunk_;  ///< chunk_length rows each.
  Real* out_chunk_;
  Real* panel_;        ///< What the backward pass leaves.
  Real* input_panel_;  ///< The input of a sum, whose forward pass needs it again.
};

}  // namespace meander::cpu
