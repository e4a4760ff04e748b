// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <array>
#include <complex>

#include "backend/lines/scan_numbers_of.hpp"

namespace meander::lines {
namespace {

using engine::Recurrence;
using Complex = std::complex<double>;

/// Every column begins as a state of one 1; rows keep their results, leaps what the state becomes.
/// It is made anew for every pass over an image, so it has to be quick: all columns side by side.
template <std::size_t States>
void add_stretch_of_cascade(const Recurrence& recurrence, ScanNumbers& all) {
  using Matrix = std::array<std::array<double, States>, States>;
  const auto put = [](const Matrix& from, double* to) {
    for (const auto& row : from) to = std::ranges::copy(row, to).out;
  };
  Matrix s{};
  for (std::size_t k = 0; k < States; ++k) s[k][k] = 1;
  put(s, all.leaps[0]);
  for (std::size_t i = 0; i < stretch; ++i) {
    std::array<double, States> change{};
    for (std::size_t k = 0; k < States; ++k) {
      for (std::size_t c = 0; c < States; ++c) change[c] -= recurrence.feed[k] * s[k][c];
    }
    for (std::size_t c = 0; c < States; ++c) s[States - 1][c] += change[c];
    for (std::size_t k = States - 1; k-- > 0;) {
      for (std::size_t c = 0; c < States; ++c) s[k][c] += s[k + 1][c];
    }
    for (auto& rows : all.rows) std::ranges::copy(s[0], rows[i]);
  }
  Matrix power = s;
  for (int n = 1; n <= span; ++n) {
    put(power, all.leaps[n]);
    Matrix next{};
    for (std::size_t row = 0; row < States; ++row) {
      for (std::size_t k = 0; k < States; ++k) {
        for (std::size_t c = 0; c < States; ++c) next[row][c] += s[row][k] * power[k][c];
      }
    }
    power = next;
  }
}

/// A result has w·Re(f·d) + v·Im(f·d) of a deviation d that has been multiplied by f since.
void add_stretch_of_sum(const Recurrence& recurrence, ScanNumbers& all) {
  for (std::size_t t = 0; t < static_cast<std::size_t>(recurrence.states); t += 2) {
    const Complex factor = 1.0 - Complex(recurrence.feed[t], recurrence.feed[t + 1]);
    Complex power = 1;
    const auto put = [&](double* row, const auto& weights) {
      row[t] = weights[t] * power.real() + weights[t + 1] * power.imag();
      row[t + 1] = weights[t + 1] * power.real() - weights[t] * power.imag();
    };
    for (int i = 0; i < stretch; ++i) {
      put(all.rows[0][i], recurrence.backward);  // before its update
      power *= factor;
      put(all.rows[1][i], recurrence.forward);
    }
    Complex leap = 1;
    for (auto& matrix : all.leaps) {
      matrix[t] = leap.real();
      matrix[t + 1] = leap.imag();
      leap *= power;
    }
  }
}

}  // namespace

ScanNumbers scan_numbers_of(const Recurrence& recurrence) {
  ScanNumbers all{.is_sum = recurrence.form == Recurrence::Form::sum,
                  .states = recurrence.states,
                  .border = static_cast<int>(recurrence.border.kind),
                  .warmup = recurrence.warmup,
                  .value = recurrence.border.value};
  const auto copy = [](const auto& from, double* to) { std::copy(from.begin(), from.end(), to); };
  copy(recurrence.feed, all.feed);
  copy(recurrence.backward, all.backward);
  copy(recurrence.forward, all.forward);
  copy(recurrence.steady, all.steady);
  copy(recurrence.wrap, all.wrap);
  copy(recurrence.turn, all.turn);
  if (all.is_sum) {
    add_stretch_of_sum(recurrence, all);
  } else {
    with_form(false, all.states, [&]<int States, bool Sum>() {
      if constexpr (!Sum) add_stretch_of_cascade<States>(recurrence, all);
    });
  }
  return all;
}
static_assert(ScanNumbers::most_states == Recurrence::most_states);
static_assert(ScanNumbers::most_cascaded == Recurrence::most_cascaded);

}  // namespace meander::lines
