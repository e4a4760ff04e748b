// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/cpu/scan_block.hpp"

#include <algorithm>
#include <array>

#include "backend/cpu/isa.hpp"
#include "engine/ghost.hpp"

namespace meander::cpu {

using engine::Direction;
using engine::Recurrence;
using engine::StateMap;

namespace {

constexpr std::int64_t chunk_numbers = chunk_length * panel_lanes;

/// Positions worked on at a time where nothing is gathered: the states come and go less often.
constexpr std::int64_t long_chunk = 4 * chunk_length;

template <class Real>
std::int64_t chunk_for(const BlockLines& lines) {
  return lines.is_panel<Real>() ? long_chunk : chunk_length;
}

template <class Real>
ScanCoefficients<Real> rounded(const Recurrence& recurrence) {
  ScanCoefficients<Real> result{};
  for (int k = 0; k < most_scan_states; ++k) {
    const auto i = static_cast<std::size_t>(k);
    result.feed[k] = static_cast<Real>(recurrence.feed[i]);
    result.backward[k] = static_cast<Real>(recurrence.backward[i]);
    result.forward[k] = static_cast<Real>(recurrence.forward[i]);
  }
  return result;
}

}  // namespace

template <class Real>
BlockScan<Real>::BlockScan(const Recurrence& recurrence, Real* scratch)
    : recurrence_(recurrence),
      coefficients_(rounded<Real>(recurrence)),
      state_(scratch),
      in_chunk_(state_ + most_scan_states * panel_lanes),
      out_chunk_(in_chunk_ + chunk_numbers),
      panel_(out_chunk_ + chunk_numbers),
      input_panel_(nullptr) {}

template <class Real>
std::int64_t BlockScan<Real>::scratch_numbers(const Recurrence& recurrence, std::int64_t length) {
  const int panels = recurrence.form == Recurrence::Form::sum ? 2 : 1;
  return most_scan_states * panel_lanes + 2 * chunk_numbers + panels * length * panel_lanes;
}

template <class Real>
typename BlockScan<Real>::Rows BlockScan<Real>::rows_of(const BlockLines& lines, std::int64_t begin,
                                                        std::int64_t count, Real* buffer) const {
  if (lines.is_panel<Real>()) return {lines.row<Real>(begin), lines.stride<Real>()};
  lines.gather(begin, count, buffer);
  return {buffer, panel_lanes};
}

template <class Real>
void BlockScan<Real>::steps(const Rows& in, const Rows& add, const Rows& out, std::int64_t count,
                            Direction direction, bool write) {
  const bool forward = direction == Direction::forward;
  const std::int64_t first = forward ? 0 : count - 1;
  const std::ptrdiff_t sign = forward ? 1 : -1;
  const ScanRows<Real> rows{.in = in.at(first),
                            .in_stride = sign * in.stride,
                            .add = add.at(first),
                            .add_stride = sign * add.stride,
                            .out = out.at(first),
                            .out_stride = sign * out.stride,
                            .count = count,
                            .state = state_};
  const ScanKernels<Real>& kernel = scan_kernels<Real>();
  const auto* const passes = is_sum() ? (!write    ? kernel.sum_state
                                         : forward ? kernel.sum_forward
                                                   : kernel.sum_backward)
                                      : (write ? kernel.cascade : kernel.cascade_state);
  passes[recurrence_.states](rows, coefficients_);
}

template <class Real>
void BlockScan<Real>::start_at(const Real* pixels) {
  for (int k = 0; k < recurrence_.states; ++k) {
    const Real steady = static_cast<Real>(recurrence_.steady[static_cast<std::size_t>(k)]);
    for (int j = 0; j < panel_lanes; ++j) state_[k * panel_lanes + j] = steady * pixels[j];
  }
}

template <class Real>
void BlockScan<Real>::map_about(const Real* pixels, const double* matrix) {
  const int states = recurrence_.states;
  for (int j = 0; j < panel_lanes; ++j) {
    std::array<double, most_scan_states> apart{};
    for (int k = 0; k < states; ++k) {
      const double steady = recurrence_.steady[static_cast<std::size_t>(k)];
      apart[static_cast<std::size_t>(k)] = static_cast<double>(state_[k * panel_lanes + j]) -
                                           steady * static_cast<double>(pixels[j]);
    }
    for (int k = 0; k < states; ++k) {
      double value =
          recurrence_.steady[static_cast<std::size_t>(k)] * static_cast<double>(pixels[j]);
      for (int l = 0; l < states; ++l)
        value += matrix[k * states + l] * apart[static_cast<std::size_t>(l)];
      state_[k * panel_lanes + j] = static_cast<Real>(value);
    }
  }
}

template <class Real>
void BlockScan<Real>::wrap_about(const Real* pixels) {
  if (!is_sum()) return map_about(pixels, recurrence_.wrap.data());
  // One complex factor for each term is a matrix of 2×2 blocks.
  std::array<double, most_scan_states * most_scan_states> matrix{};
  const auto states = static_cast<std::size_t>(recurrence_.states);
  for (std::size_t t = 0; t < states; t += 2) {
    const double re = recurrence_.wrap[t], im = recurrence_.wrap[t + 1];
    double* block = matrix.data() + t * states + t;
    block[0] = re;
    block[1] = -im;
    block[states] = im;
    block[states + 1] = re;
  }
  map_about(pixels, matrix.data());
}

template <class Real>
void BlockScan<Real>::warm_up(const BlockLines* lines, std::int64_t length, Direction direction) {
  const int kind = static_cast<int>(recurrence_.border.kind);
  const bool forward = direction == Direction::forward;
  const std::int64_t outermost = forward ? -recurrence_.warmup : length - 1 + recurrence_.warmup;
  const auto index = [&](std::int64_t i) {
    return engine::ghost_index(forward ? outermost + i : outermost - i, length, kind);
  };
  const auto pixels_at = [&](std::int64_t begin, std::int64_t count) {
    if (lines == nullptr) return Rows{panel_ + begin * panel_lanes, panel_lanes};
    return rows_of(*lines, begin, count, in_chunk_);
  };
  std::array<Real, panel_lanes> reference;
  std::copy_n(pixels_at(index(0), 1).first, panel_lanes, reference.data());
  start_at(reference.data());
  // Ghosts come in runs of neighbours, up or down.
  for (std::int64_t i = 0, run = 0; i < recurrence_.warmup; i += run) {
    const std::int64_t from = index(i);
    const std::int64_t way = i + 1 < recurrence_.warmup && index(i + 1) < from ? -1 : 1;
    run = 1;
    while (run < chunk_length && i + run < recurrence_.warmup && index(i + run) == from + way * run)
      ++run;
    const Rows rows = pixels_at(std::min(from, from + way * (run - 1)), run);
    steps(rows, rows, rows, run, way > 0 ? Direction::forward : Direction::backward, false);
  }
  wrap_about(reference.data());
}

template <class Real>
std::array<Real, panel_lanes> BlockScan<Real>::border_pixels(const BlockLines& in,
                                                             std::int64_t end) {
  std::array<Real, panel_lanes> pixels;
  if (recurrence_.border.kind == Border::constant) {
    pixels.fill(static_cast<Real>(recurrence_.border.value));
  } else {
    std::copy_n(rows_of(in, end, 1, in_chunk_).first, panel_lanes, pixels.data());
  }
  return pixels;
}

template <class Real>
void BlockScan<Real>::start_whole(const BlockLines& in, std::int64_t length, Direction direction) {
  if (recurrence_.warmup > 0) return warm_up(&in, length, direction);
  start_at(border_pixels(in, direction == Direction::forward ? 0 : length - 1).data());
}

template <class Real>
void BlockScan<Real>::backward_pass(const BlockLines& in, std::int64_t length) {
  const std::int64_t chunk = chunk_for<Real>(in);
  for (std::int64_t end = length; end > 0;) {
    const std::int64_t begin = (end - 1) / chunk * chunk, count = end - begin;
    end = begin;
    Real* buffer = is_sum() ? input_panel_ + begin * panel_lanes : in_chunk_;
    const Rows from = rows_of(in, begin, count, buffer);
    steps(from, from, {panel_ + begin * panel_lanes, panel_lanes}, count, Direction::backward,
          true);
  }
}

template <class Real>
void BlockScan<Real>::forward_pass(const BlockLines& in, const BlockLines& out,
                                   std::int64_t length) {
  const bool in_place = out.is_panel<Real>();
  const std::int64_t chunk = chunk_for<Real>(out);
  for (std::int64_t begin = 0; begin < length; begin += chunk) {
    const std::int64_t count = std::min(chunk, length - begin);
    const Rows left{panel_ + begin * panel_lanes, panel_lanes};
    Rows from = left;
    if (is_sum()) {
      from = in.is_panel<Real>() ? Rows{in.row<Real>(begin), in.stride<Real>()}
                                 : Rows{input_panel_ + begin * panel_lanes, panel_lanes};
    }
    const Rows to =
        in_place ? Rows{out.row<Real>(begin), out.stride<Real>()} : Rows{out_chunk_, panel_lanes};
    steps(from, left, to, count, Direction::forward, true);
    if (!in_place) out.scatter(out_chunk_, begin, count);
  }
}

template <class Real>
void BlockScan<Real>::run(const BlockLines& in, const BlockLines& out, std::int64_t length) {
  input_panel_ = panel_ + length * panel_lanes;
  start_whole(in, length, Direction::backward);
  backward_pass(in, length);
  if (is_sum()) {
    start_whole(in, length, Direction::forward);
  } else if (recurrence_.border.kind == Border::periodic) {
    warm_up(nullptr, length, Direction::forward);
  } else {
    map_about(border_pixels(in, 0).data(), recurrence_.turn.data());
  }
  forward_pass(in, out, length);
}

template <class Real>
void BlockScan<Real>::run_part(const BlockLines& in, const BlockLines* out, const BlockLines& state,
                               std::int64_t length, Direction direction) {
  state.gather(0, recurrence_.states, state_);
  const bool forward = direction == Direction::forward;
  const std::int64_t chunks = (length + chunk_length - 1) / chunk_length;
  for (std::int64_t i = 0; i < chunks; ++i) {
    const std::int64_t begin = (forward ? i : chunks - 1 - i) * chunk_length;
    const std::int64_t count = std::min(chunk_length, length - begin);
    const Rows from = rows_of(in, begin, count, in_chunk_);
    if (out == nullptr) {
      steps(from, from, from, count, direction, false);
      continue;
    }
    const bool adds = is_sum() && forward;
    const Rows to = out->is_panel<Real>() || adds ? rows_of(*out, begin, count, out_chunk_)
                                                  : Rows{out_chunk_, panel_lanes};
    steps(from, to, to, count, direction, true);
    if (!out->is_panel<Real>()) out->scatter(out_chunk_, begin, count);
  }
  state.scatter(state_, 0, recurrence_.states);
}

template <class Real>
void BlockScan<Real>::map_states(const BlockLines& edge, const BlockLines& state, StateMap map) {
  std::array<Real, panel_lanes> pixels;
  std::copy_n(rows_of(edge, 0, 1, in_chunk_).first, panel_lanes, pixels.data());
  if (map == StateMap::start) {
    start_at(pixels.data());
  } else {
    state.gather(0, recurrence_.states, state_);
    if (map == StateMap::wrap) wrap_about(pixels.data());
    if (map == StateMap::turn) map_about(pixels.data(), recurrence_.turn.data());
  }
  state.scatter(state_, 0, recurrence_.states);
}

template class BlockScan<float>;
template class BlockScan<double>;

}  // namespace meander::cpu
