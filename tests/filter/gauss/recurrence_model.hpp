// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/ghost.hpp"
#include "engine/scan.hpp"

/// What engine::Recurrence says, pixel by pixel, in any arithmetic: for tests of coefficients
/// without an engine.
namespace meander::testing {

template <class Real>
class RecurrenceModel {
 public:
  using State = std::vector<Real>;

  RecurrenceModel(const engine::Recurrence& recurrence, std::vector<Real> line)
      : r_(recurrence), line_(std::move(line)), out_(line_.size()) {}

  std::vector<Real> run() {
    const bool cascade = r_.form == engine::Recurrence::Form::cascade;
    const std::int64_t n = length();
    State state = start(line_, n - 1, +1);
    for (std::int64_t i = n - 1; i >= 0; --i) out_[at(i)] = backward_step(state, line_[at(i)]);
    if (!cascade) {
      state = start(line_, 0, -1);
      for (std::int64_t i = 0; i < n; ++i) out_[at(i)] += forward_step(state, line_[at(i)]);
      return out_;
    }
    if (r_.border.kind == Border::periodic) {
      state = start(out_, 0, -1);
    } else {
      state = mapped(r_.turn, state, pixel(line_, r_.border.kind == Border::constant ? -1 : 0));
    }
    for (std::int64_t i = 0; i < n; ++i) out_[at(i)] = forward_step(state, out_[at(i)]);
    return out_;
  }

  /// Without borders: both passes start from rest, the states of a line of zeros.
  std::vector<Real> run_from_rest() {
    const bool cascade = r_.form == engine::Recurrence::Form::cascade;
    const std::int64_t n = length();
    State state(states(), Real(0));
    for (std::int64_t i = n - 1; i >= 0; --i) out_[at(i)] = backward_step(state, line_[at(i)]);
    state.assign(states(), Real(0));
    for (std::int64_t i = 0; i < n; ++i) {
      const Real result = forward_step(state, cascade ? out_[at(i)] : line_[at(i)]);
      out_[at(i)] = cascade ? result : out_[at(i)] + result;
    }
    return out_;
  }

 private:
  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
  std::int64_t length() const { return static_cast<std::int64_t>(line_.size()); }
  std::size_t states() const { return static_cast<std::size_t>(r_.states); }

  Real pixel(const std::vector<Real>& line, std::int64_t i) const {
    const std::int64_t place = engine::ghost_index(i, length(), static_cast<int>(r_.border.kind));
    return place < 0 ? static_cast<Real>(r_.border.value) : line[at(place)];
  }

  /// The state before the pixel `end`, coming from the side `outward` (+1: from the right).
  State start(const std::vector<Real>& line, std::int64_t end, int outward) {
    const std::int64_t beyond = r_.border.kind == Border::constant ? 1 : r_.warmup;
    const Real r = pixel(line, end + outward * beyond);
    State state(states());
    for (std::size_t k = 0; k < states(); ++k) state[k] = static_cast<Real>(r_.steady[k]) * r;
    if (r_.warmup == 0) return state;
    for (std::int64_t i = r_.warmup; i > 0; --i) update(state, pixel(line, end + outward * i));
    if (r_.form == engine::Recurrence::Form::cascade) return mapped(r_.wrap, state, r);
    for (std::size_t t = 0; t < states(); t += 2) {
      const Real re = state[t] - static_cast<Real>(r_.steady[t]) * r;
      const Real im = state[t + 1] - static_cast<Real>(r_.steady[t + 1]) * r;
      const Real wre = static_cast<Real>(r_.wrap[t]), wim = static_cast<Real>(r_.wrap[t + 1]);
      state[t] = static_cast<Real>(r_.steady[t]) * r + (wre * re - wim * im);
      state[t + 1] = static_cast<Real>(r_.steady[t + 1]) * r + (wre * im + wim * re);
    }
    return state;
  }

  template <class Matrix>
  State mapped(const Matrix& matrix, const State& state, Real r) const {
    State result(states());
    for (std::size_t i = 0; i < states(); ++i) {
      Real sum = 0;
      for (std::size_t j = 0; j < states(); ++j) {
        sum += static_cast<Real>(matrix[i * states() + j]) *
               (state[j] - static_cast<Real>(r_.steady[j]) * r);
      }
      result[i] = static_cast<Real>(r_.steady[i]) * r + sum;
    }
    return result;
  }

  void update(State& s, Real x) const {
    if (r_.form == engine::Recurrence::Form::sum) {
      for (std::size_t t = 0; t < states(); t += 2) {
        const Real qr = static_cast<Real>(r_.feed[t]), qi = static_cast<Real>(r_.feed[t + 1]);
        const Real re = (x - qr * s[t]) + qi * s[t + 1], im = -(qr * s[t + 1] + qi * s[t]);
        s[t] += re;
        s[t + 1] += im;
      }
      return;
    }
    Real e = static_cast<Real>(r_.feed[0]) * (x - s[0]);
    for (std::size_t j = 1; j < states(); ++j) e -= static_cast<Real>(r_.feed[j]) * s[j];
    s[states() - 1] += e;
    for (std::size_t j = states() - 1; j-- > 0;) s[j] += s[j + 1];
  }

  template <class Coefficients>
  Real result(const Coefficients& coefficients, const State& s) const {
    if (r_.form == engine::Recurrence::Form::cascade) return s[0];
    Real sum = 0;
    for (std::size_t k = 0; k < states(); ++k) sum += static_cast<Real>(coefficients[k]) * s[k];
    return sum;
  }

  Real backward_step(State& state, Real x) const {
    const bool sum = r_.form == engine::Recurrence::Form::sum;
    const Real before = result(r_.backward, state);
    update(state, x);
    return sum ? before : state[0];
  }

  Real forward_step(State& state, Real x) const {
    update(state, x);
    return result(r_.forward, state);
  }

  const engine::Recurrence& r_;
  std::vector<Real> line_;
  std::vector<Real> out_;
};

}  // namespace meander::testing
