// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <cstdint>

#include "meander/border.hpp"

/// The scan engine: what runs along the lines of an image. Arithmetic is in the type of `out`, f32
/// or f64 (`reference`: always float64, stored as the type of `out`).
namespace meander::engine {

enum class Axis : std::uint8_t { x, y, z };

/// A pair of linear recurrences along every line, coefficients as data: first backward over the
/// line, from its last pixel to its first, then forward. (Backward comes first so that a file which
/// is worked through in slabs leaves in its own order.) Two forms, K = `states` values of state s:
///
/// cascade, K = 3, 4 or 5; the forward pass filters what the backward pass left. A step on value x:
///     e = feed[0]·(x - s[0]) - feed[1]·s[1] - … ; s[K-1] += e; s[j] += s[j+1] for j = K-2 … 0;
///     result s[0].
///   s[j] is the j-th difference of the result, so nothing cancels in float32 at any scale.
///
/// sum, K = 2, 4, 6 or 8; both passes read the input and their results are added. The state is K/2
/// complex numbers, Q_t = feed[2t] + i·feed[2t+1]. The update on value x: s_t ← s_t - Q_t·s_t + x.
///     backward, before its update: result = Σ backward[2t]·Re s_t + backward[2t+1]·Im s_t
///     forward, after its update:   result += Σ forward[2t]·Re s_t + forward[2t+1]·Im s_t
///
/// `steady[k]`·c is the state after infinitely many values c (cascade: c, 0, 0, …).
///
/// Start of a pass, without warm-up: steady·r, r the pixel at the end where it starts or, with the
/// constant border, the border's value. With warm-up (reflect, mirror, periodic): r is the pixel
/// `warmup` places beyond the end; from steady·r the recurrence runs over the pixels that stand
/// beyond the end (see ghost_index), `warmup` of them, towards the line; then, with d = s -
/// steady·r,
///     s = steady·r + wrap·d,
/// wrap being K×K, row by row (cascade), or one complex factor for each term (sum).
///
/// The forward pass of a cascade starts otherwise, except with the periodic border: from the state
/// s that the backward pass ended with, with r the pixel of the *input* at the line's beginning (or
/// the border's value) and d = s - steady·r,
///     s = steady·r + turn·d.
/// With the periodic border it starts with a warm-up over what the backward pass left.
///
/// `warmup` is 0 with the clamp and the constant border; `turn` is for cascades only.
///
/// Products are added without rounding between (fma) on every backend but `reference`, which is
/// float64, and the `cpu` level x86_64_v2, whose processors cannot; orders of additions may differ
/// between backends, so results agree within rounding, not to the bit.
///
/// A backend may cut passes into stretches that run side by side (Backend::state_numbers tells): a
/// recurrence is linear, so a stretch may start from steady·x, x its first pixel, and the results
/// are corrected when it is known what state it should have started from. Places of stretches count
/// from the line's beginning, so parts of a line, cut anywhere, give the bits of the whole.
struct Recurrence {
  enum class Form : std::uint8_t { cascade, sum };
  static constexpr int most_states = 8;
  static constexpr int most_cascaded = 5;

  Form form = Form::cascade;
  int states = 0;
  std::array<double, most_states> feed{};
  std::array<double, most_states> backward{};
  std::array<double, most_states> forward{};
  std::array<double, most_states> steady{};
  std::array<double, most_cascaded * most_cascaded> wrap{};
  std::array<double, most_cascaded * most_cascaded> turn{};
  std::int64_t warmup = 0;
  BorderRule border;
};

/// See Backend::lines_held: three chunks of this many pixels and the states.
inline constexpr std::int64_t scan_chunk = 128;
inline constexpr std::int64_t scan_overhead = 3 * scan_chunk;

/// Where a part of lines lies: pixels [begin, …) of `length` in all.
struct LinePart {
  std::int64_t begin = 0;
  std::int64_t length = 0;
};

/// The part of a line-wise pass that `scan_part` does.
enum class Direction : std::uint8_t { backward, forward };

/// What `scan_state` does to the states of lines, given the pixel r of each line:
/// start: s = steady·r; wrap and turn: s = steady·r + matrix·(s - steady·r).
enum class StateMap : std::uint8_t { start, wrap, turn };

/// Prefix sums. With out.type f64 and integer pixels the words of `out` hold 64-bit integers, not
/// doubles: sums modulo 2^64, exact. Float pixels are added in float64.
enum class Prefix : std::uint8_t { inclusive, exclusive };

/// Arithmetic number by number on f32 or f64 images of one type. NaN and infinities are "not
/// finite"; a weight is a number >= 0.
enum class Pointwise : std::uint8_t {
  sum,         ///< a + b
  norm,        ///< sqrt(a² + b²)
  weight,      ///< a is finite ? b : 0
  weighted,    ///< a is finite ? a·b : 0
  quotient,    ///< b > 2^-20 ? a / b : NaN
  select,      ///< c > 0 ? a : b
  difference,  ///< a - b
  product,     ///< a·b
  add_square,  ///< a + b²
  direction,   ///< b > 0 ? a / b : 0
  growth,      ///< min(e^a - 1, 2^20); b is ignored
  root         ///< sqrt(a); b is ignored
};

}  // namespace meander::engine
