// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// What engine/scan.hpp says in code: one line at a time, in float64.
#include <algorithm>
#include <complex>
#include <cstring>
#include <numeric>

#include "backend/reference/engines.hpp"
#include "backend/reference/line.hpp"

namespace meander::reference {
namespace {

using engine::Direction;
using engine::Recurrence;
using Form = Recurrence::Form;
using Complex = std::complex<double>;

void update_cascade(const Recurrence& recurrence, Line& s, double x) {
  double e = recurrence.feed[0] * (x - s[0]);
  for (std::size_t j = 1; j < s.size(); ++j) e -= recurrence.feed[j] * s[j];
  s.back() += e;
  for (std::size_t j = s.size() - 1; j-- > 0;) s[j] += s[j + 1];
}

void update_sum(const Recurrence& recurrence, Line& s, double x) {
  for (std::size_t t = 0; t < s.size(); t += 2) {
    const Complex q(recurrence.feed[t], recurrence.feed[t + 1]);
    const Complex old(s[t], s[t + 1]);
    const Complex next = old - q * old + x;
    s[t] = next.real();
    s[t + 1] = next.imag();
  }
}

void update(const Recurrence& recurrence, Line& s, double x) {
  if (recurrence.form == Form::cascade) {
    update_cascade(recurrence, s, x);
  } else {
    update_sum(recurrence, s, x);
  }
}

/// Σ weights[2t]·Re s_t + weights[2t+1]·Im s_t
double weighted(const std::array<double, Recurrence::most_states>& weights, const Line& s) {
  return std::inner_product(s.begin(), s.end(), weights.begin(), 0.0);
}

/// What the backward pass makes of the line; `s` goes from where it begins to where it ends.
Line backward_pass(const Recurrence& recurrence, const Line& in, Line& s) {
  Line out(in.size());
  for (std::size_t i = in.size(); i-- > 0;) {
    if (recurrence.form == Form::sum) out[i] = weighted(recurrence.backward, s);
    update(recurrence, s, in[i]);
    if (recurrence.form == Form::cascade) out[i] = s[0];
  }
  return out;
}

/// `out` is replaced (cascade) or added to (sum).
void forward_pass(const Recurrence& recurrence, const Line& in, Line& s, Line& out) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    update(recurrence, s, in[i]);
    out[i] = recurrence.form == Form::cascade ? s[0] : out[i] + weighted(recurrence.forward, s);
  }
}

Line steady_state(const Recurrence& recurrence, double r) {
  Line s(static_cast<std::size_t>(recurrence.states));
  for (std::size_t k = 0; k < s.size(); ++k) s[k] = recurrence.steady[k] * r;
  return s;
}

using Matrix = std::array<double, Recurrence::most_cascaded * Recurrence::most_cascaded>;

/// matrix·d; of a sum the matrix is one complex factor for each term.
Line product(const Recurrence& recurrence, const Matrix& matrix, const Line& d) {
  const std::size_t count = d.size();
  Line result(count);
  if (recurrence.form == Form::cascade) {
    for (std::size_t row = 0; row < count; ++row) {
      for (std::size_t k = 0; k < count; ++k) result[row] += matrix[row * count + k] * d[k];
    }
  } else {
    for (std::size_t t = 0; t < count; t += 2) {
      const Complex term = Complex(matrix[t], matrix[t + 1]) * Complex(d[t], d[t + 1]);
      result[t] = term.real();
      result[t + 1] = term.imag();
    }
  }
  return result;
}

/// steady·r + matrix·(s - steady·r)
Line mapped(const Recurrence& recurrence, const Matrix& matrix, const Line& s, double r) {
  Line result = steady_state(recurrence, r);
  Line d = s;
  for (std::size_t k = 0; k < d.size(); ++k) d[k] -= result[k];
  const Line change = product(recurrence, matrix, d);
  for (std::size_t k = 0; k < d.size(); ++k) result[k] += change[k];
  return result;
}

/// The state with which a pass over `line` starts.
Line first_state(const Recurrence& recurrence, const Line& line, Direction direction) {
  const auto length = static_cast<std::int64_t>(line.size());
  const auto beyond = [&](std::int64_t places) {
    return value_at(line, direction == Direction::backward ? length - 1 + places : -places,
                    recurrence.border);
  };
  const double r = recurrence.border.kind == Border::constant ? recurrence.border.value
                                                              : beyond(recurrence.warmup);
  Line s = steady_state(recurrence, r);
  if (recurrence.warmup == 0) return s;
  for (std::int64_t places = recurrence.warmup; places > 0; --places) {
    update(recurrence, s, beyond(places));
  }
  return mapped(recurrence, recurrence.wrap, s, r);
}

/// The state with which a cascade turns back at the beginning of the line.
Line turned_state(const Recurrence& recurrence, const Line& in, const Line& s) {
  const double r =
      recurrence.border.kind == Border::constant ? recurrence.border.value : in.front();
  return mapped(recurrence, recurrence.turn, s, r);
}

Line scanned(const Recurrence& recurrence, const Line& in) {
  Line s = first_state(recurrence, in, Direction::backward);
  Line out = backward_pass(recurrence, in, s);
  if (recurrence.form == Form::sum) {
    s = first_state(recurrence, in, Direction::forward);
    forward_pass(recurrence, in, s, out);
  } else {
    s = recurrence.border.kind == Border::periodic
            ? first_state(recurrence, out, Direction::forward)
            : turned_state(recurrence, in, s);
    forward_pass(recurrence, Line(out), s, out);
  }
  return out;
}

}  // namespace

/// A line at a time, in memory of its own.
std::int64_t lines_held() { return 0; }

void scan(const engine::View& in, const engine::View& out, engine::Axis axis,
          const Recurrence& recurrence) {
  for (std::int64_t index = 0; index < engine::line_count(in, axis); ++index) {
    write_line(out, axis, index, scanned(recurrence, read_line(in, axis, index)));
  }
}

void scan_part(const engine::View& in, const engine::View& out, const engine::View& state,
               engine::Axis axis, Direction direction, const Recurrence& recurrence) {
  const bool wanted = out.memory != nullptr;
  for (std::int64_t index = 0; index < engine::line_count(in, axis); ++index) {
    const Line line = read_line(in, axis, index);
    Line s = read_line(state, axis, index);
    Line result(line.size());
    if (direction == Direction::backward) {
      result = backward_pass(recurrence, line, s);
    } else {
      if (wanted) result = read_line(out, axis, index);
      forward_pass(recurrence, line, s, result);
    }
    if (wanted) write_line(out, axis, index, result);
    write_line(state, axis, index, s);
  }
}

void scan_state(const engine::View& edge, const engine::View& state, engine::Axis axis,
                engine::StateMap map, const Recurrence& recurrence) {
  for (std::int64_t index = 0; index < engine::line_count(edge, axis); ++index) {
    const double r = read_line(edge, axis, index).front();
    const Line s = read_line(state, axis, index);
    const Line next = map == engine::StateMap::start  ? steady_state(recurrence, r)
                      : map == engine::StateMap::wrap ? mapped(recurrence, recurrence.wrap, s, r)
                                                      : mapped(recurrence, recurrence.turn, s, r);
    write_line(state, axis, index, next);
  }
}

namespace {

Line filtered(const Line& in, const Line& weights, const BorderRule& border) {
  const auto radius = static_cast<std::int64_t>(weights.size() / 2);
  Line out(in.size());
  for (std::size_t n = 0; n < in.size(); ++n) {
    for (std::size_t k = 0; k < weights.size(); ++k) {
      const auto place = static_cast<std::int64_t>(n + k) - radius;
      out[n] += weights[k] * value_at(in, place, border);
    }
  }
  return out;
}

}  // namespace

void fir(const engine::View& in, const engine::View& out, engine::Axis axis,
         std::span<const double> weights, const BorderRule& border) {
  Line row(weights.begin(), weights.end());
  if (out.type == PixelType::f32) {
    for (double& weight : row) weight = static_cast<float>(weight);
  }
  for (std::int64_t index = 0; index < engine::line_count(in, axis); ++index) {
    write_line(out, axis, index, filtered(read_line(in, axis, index), row, border));
  }
}

namespace {

/// A pixel as a number of the type in which it is summed; negative integers count modulo 2^64.
template <class Sum>
Sum as_summand(double value) {
  if constexpr (std::is_integral_v<Sum>) {
    return static_cast<Sum>(static_cast<std::int64_t>(value));
  } else {
    return value;
  }
}

template <class Sum>
void sum_lines(const engine::View& in, const engine::View& out, engine::Axis axis,
               engine::Prefix kind) {
  const engine::Lines lines = engine::lines_of(out, axis);
  for (std::int64_t index = 0; index < engine::line_count(in, axis); ++index) {
    std::byte* word = out.memory->host + engine::line_offset(lines, index);
    Sum sum = 0;
    for (const double value : read_line(in, axis, index)) {
      const Sum before = sum;
      sum += as_summand<Sum>(value);
      std::memcpy(word, kind == engine::Prefix::inclusive ? &sum : &before, sizeof sum);
      word += lines.step;
    }
  }
}

}  // namespace

void prefix(const engine::View& in, const engine::View& out, engine::Axis axis,
            engine::Prefix kind) {
  if (is_integer(in.type)) {
    sum_lines<std::uint64_t>(in, out, axis, kind);
  } else {
    sum_lines<double>(in, out, axis, kind);
  }
}

}  // namespace meander::reference
