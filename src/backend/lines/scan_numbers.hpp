// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstddef>
#include <cstdint>

/// What kernels of scans in stretches need to know, in plain types: nvcc includes it.
namespace meander::lines {

/// Pixels of a stretch. Shorter ones cost more for what they hand on to each other, longer ones do
/// not fit into the registers of a thread.
constexpr int stretch = 32;
/// Stretches of a span: they hand on to each other within spans, side by side, then spans do.
constexpr int span = 8;
/// Between parts of a line its state is kept, and what its stretch and its span lacked.
constexpr int kept_states = 3;

/// engine::Recurrence, and what its states come to without input.
struct ScanNumbers {
  static constexpr int most_states = 8, most_cascaded = 5;
  bool is_sum;
  int states, border;
  std::int64_t warmup;
  double value;
  double feed[most_states], backward[most_states], forward[most_states], steady[most_states];
  double wrap[most_cascaded * most_cascaded], turn[most_cascaded * most_cascaded];
  /// What so many stretches make of the state before them.
  double leaps[span + 1][most_cascaded * most_cascaded];
  /// What the state before a stretch adds to each of its results, by direction.
  double rows[2][stretch][most_states];
};

/// The same as kernels have it, see scan.h. What both directions need is there twice: with one copy
/// compilers keep it in registers from the first pass to the second. No member is wider than a
/// float: where pairs are aligned, nvcc loads pairs into registers instead of reading constants
/// where they are used.
template <class Real, int States, bool Sum>
struct TypedScanNumbers {
  static constexpr int matrix = Sum ? States : States * States;

  explicit TypedScanNumbers(const ScanNumbers& all)
      : warmup(static_cast<int>(all.warmup)),
        border(all.border),
        value(static_cast<Real>(all.value)) {
    const auto copy = [](const double* from, Real* to, int count) {
      for (int i = 0; i < count; ++i) to[i] = static_cast<Real>(from[i]);
    };
    for (int direction = 0; direction < 2; ++direction) {
      copy(all.feed, feed[direction], States);
      copy(direction == 0 ? all.backward : all.forward, weights[direction], States);
      copy(all.leaps[1], leap[direction], matrix);
      copy(all.leaps[span], span_leap[direction], matrix);
      for (int i = 0; i < stretch; ++i) copy(all.rows[direction][i], rows[direction][i], States);
    }
    copy(all.steady, steady, States);
    copy(all.wrap, wrap, matrix);
    copy(all.turn, turn, matrix);
    for (int i = 0; i < span; ++i) copy(all.leaps[i], leaps[i], matrix);
  }

  int warmup, border;
  Real value;
  Real feed[2][States], weights[2][States], steady[States];
  Real wrap[matrix], turn[matrix], leap[2][matrix], span_leap[2][matrix];
  Real leaps[span][matrix], rows[2][stretch][States];
};

/// Calls f with a constant for the number of states and for whether it is a sum.
template <class F>
auto with_form(bool is_sum, int states, F f) {
  const auto call = [&]<int States, bool Sum>() { return f.template operator()<States, Sum>(); };
  switch (is_sum ? 10 + states : states) {
    case 3:
      return call.template operator()<3, false>();
    case 4:
      return call.template operator()<4, false>();
    case 5:
      return call.template operator()<5, false>();
    case 12:
      return call.template operator()<2, true>();
    case 14:
      return call.template operator()<4, true>();
    case 16:
      return call.template operator()<6, true>();
    default:
      return call.template operator()<8, true>();
  }
}

/// How a block of threads takes lines, see scan_block in scan.h.
struct ScanBlock {
  int across, parts, threads;
  std::size_t numbers;  ///< Of local memory.
};

struct BlockLimits {
  int threads;          ///< A multiple of 32.
  std::size_t numbers;  ///< Of local memory, of the type of the arithmetic.
  int side_by_side;     ///< Lines along y and z that are best read side by side, a power of two.
  std::int64_t blocks;  ///< As many as keep the device busy.
};

/// A block for `count` lines of `length` pixels; without threads where none can hold a line.
inline ScanBlock scan_block_of(std::int64_t length, std::int64_t count, int states, bool is_sum,
                               bool along_x, const BlockLimits& limits) {
  constexpr int usual_threads = 256;
  const auto sized = [&](int across, std::int64_t parts) {
    ScanBlock made{across, static_cast<int>(parts), 0, 0};
    made.threads = (across * made.parts + 31) / 32 * 32;
    const int entry = (states + 1) | 1, pitch = across | 1;
    const int entries = made.parts + (made.parts + span - 1) / span;
    const int numbers = entries * entry * pitch + (states + 1) * across +
                        span * (is_sum ? states : states * states) +
                        (along_x ? made.threads * (stretch + 1) : 0);
    made.numbers = static_cast<std::size_t>(numbers);
    return made;
  };
  const auto fits = [&](const ScanBlock& block) {
    return block.threads <= limits.threads && block.numbers <= limits.numbers;
  };
  const std::int64_t stretches = (length + stretch - 1) / stretch;
  if (stretches > limits.threads) return {};
  int across = along_x ? 1 : limits.side_by_side;
  while (across > 1 && !fits(sized(across, stretches))) across /= 2;
  if (!fits(sized(across, stretches))) return {};
  while (2 * across * stretches <= usual_threads && count / (2 * across) >= limits.blocks &&
         fits(sized(2 * across, stretches)))
    across *= 2;
  return sized(across, stretches);
}

}  // namespace meander::lines
