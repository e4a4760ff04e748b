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

/// Column by column: a state of one 1, and what its results and it become.
void add_stretch_of_cascade(const Recurrence& recurrence, ScanNumbers& all) {
  const auto states = static_cast<std::size_t>(recurrence.states);
  for (std::size_t column = 0; column < states; ++column) {
    std::array<double, Recurrence::most_cascaded> s{};
    s[column] = 1;
    all.leaps[0][column * states + column] = 1;
    for (auto& row : all.rows[0]) {
      double change = 0;
      for (std::size_t k = 0; k < states; ++k) change -= recurrence.feed[k] * s[k];
      s[states - 1] += change;
      for (std::size_t k = states - 1; k-- > 0;) s[k] += s[k + 1];
      row[column] = s[0];
    }
    for (std::size_t row = 0; row < states; ++row) all.leaps[1][row * states + column] = s[row];
  }
  for (int i = 0; i < stretch; ++i) std::ranges::copy(all.rows[0][i], all.rows[1][i]);
  for (int power = 2; power <= span; ++power) {
    for (std::size_t place = 0; place < states * states; ++place) {
      for (std::size_t k = 0; k < states; ++k)
        all.leaps[power][place] += all.leaps[1][place / states * states + k] *
                                   all.leaps[power - 1][k * states + place % states];
    }
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
    add_stretch_of_cascade(recurrence, all);
  }
  return all;
}
static_assert(ScanNumbers::most_states == Recurrence::most_states);
static_assert(ScanNumbers::most_cascaded == Recurrence::most_cascaded);

}  // namespace meander::lines
