// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "filter/gauss/recurrence.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "filter/gauss/poles.hpp"
#include "filter/gauss/residues.hpp"
#include "meander/border.hpp"

namespace meander {
namespace {

// What the borders do to the states of a cascade (see engine::Recurrence). A state is taken apart
// into its modes, each of which decays by its pole from pixel to pixel.

using StateMatrix = std::array<double, 25>;  ///< K×K, row by row, K the number of poles.

/// Columns are the states of the modes: differences of p^n, the j-th (1 - 1/p)^j, as multiples of
/// unit^j, so that the matrix is well conditioned at every σ.
struct Modes {
  explicit Modes(const std::vector<Pole>& all) : columns(all.size()) {
    for (const Pole& pole : all) unit = std::max(unit, std::abs(pole.rest / pole.value));
    for (std::size_t i = 0; i < all.size(); ++i) {
      Complex difference = 1;
      for (std::size_t j = 0; j < all.size(); ++j) {
        columns(j, i) = difference;
        difference *= -all[i].rest / all[i].value / unit;
      }
    }
  }

  double unit = 0;
  ComplexMatrix columns;
};

/// What `map` does to modes, done to states: imaginary parts cancel.
StateMatrix on_states(const Modes& modes, const ComplexMatrix& map) {
  const ComplexMatrix scaled = modes.columns * map * inverse(modes.columns);
  const std::size_t states = map.rows();
  StateMatrix matrix{};
  for (std::size_t i = 0; i < states; ++i) {
    for (std::size_t j = 0; j < states; ++j) {
      matrix[i * states + j] =
          scaled(i, j).real() *
          std::pow(modes.unit, static_cast<double>(i) - static_cast<double>(j));
    }
  }
  return matrix;
}

/// Makes of the state after `period` pixels that after endlessly many such periods; 0: the
/// identity. `all` are the poles with conjugates.
StateMatrix wrap_matrix(const std::vector<Pole>& all, std::int64_t period) {
  ComplexMatrix map(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    map(i, i) = period == 0 ? 1.0 : 1.0 / (1.0 - power(all[i], static_cast<double>(period)));
  }
  return on_states(Modes(all), map);
}

/// Makes of the state that the backward pass ends with the one that the forward pass starts from,
/// both passes continued beyond the line's beginning as the border says. Not for `periodic`.
StateMatrix turn_matrix(const std::vector<Pole>& all, Border border) {
  // With x the line's pixels less that at its beginning, mode j of the backward pass is
  // residue_j·C_j, C_j = Σ p_j^n·x[n], and mode i of the forward pass residue_i times the sum, over
  // the pixels before the line, of p_i^n times what the backward pass left there. That is a part
  // that decays from the line's beginning on, C_j·p_j^(n+1), and the pixels there filtered: none
  // for clamp and constant, x[0], x[1], … for reflect, x[1], x[2], … for mirror.
  const std::vector<Complex> residues = one_way_residues(all);
  ComplexMatrix map(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    Complex filtered = 0;
    for (std::size_t j = 0; j < all.size(); ++j) {
      const Complex product = all[i].rest + all[j].rest - all[i].rest * all[j].rest;  // 1 - p_i·p_j
      map(i, j) = residues[i] * all[j].value / product;
      filtered += residues[j] / product;
    }
    if (border == Border::reflect) map(i, i) += filtered;
    if (border == Border::mirror) map(i, i) += filtered / all[i].value;
  }
  return on_states(Modes(all), map);
}

using engine::Recurrence;

double rounded(double value, Precision precision) {
  if (precision != Precision::float32) return value;
  // Through memory: for x86-64, g++ 12.2 makes vectors of two of these conversions side by side and
  // then takes there and back for nothing.
  const volatile float narrow = static_cast<float>(value);
  return static_cast<double>(narrow);
}

std::int64_t period_of(Border border, std::int64_t length) {
  if (border == Border::periodic) return length;
  if (border == Border::reflect) return 2 * length;
  return length > 1 ? 2 * length - 2 : 1;
}

/// The coefficients c of Π((1 - p) + p·δ) = Σ c_j·δ^j.
std::vector<double> delta_polynomial(const std::vector<Pole>& all) {
  std::vector<Complex> product{1};
  for (const Pole& pole : all) {
    product.push_back(0);
    for (std::size_t j = product.size(); j-- > 0;) {
      product[j] = product[j] * pole.rest + (j > 0 ? product[j - 1] * pole.value : 0);
    }
  }
  std::vector<double> real;
  for (const Complex& coefficient : product) real.push_back(coefficient.real());
  return real;
}

/// One coefficient of a sum and the state that it meets when all pixels are 1.
struct Share {
  double* coefficient;
  double state;
  double grain() const {
    constexpr double epsilon = std::numeric_limits<float>::epsilon();
    return std::abs(*coefficient * state) * epsilon;
  }
};

/// Rounds the coefficients to float so that a constant is answered with `gain` times it: each takes
/// over what the rounding of those before it did to the gain, the finest last.
void round_keeping_gain(Recurrence& recurrence, double gain) {
  std::vector<Share> shares;
  for (std::size_t k = 0; k < static_cast<std::size_t>(recurrence.states); ++k) {
    const double state = rounded(recurrence.steady[k], Precision::float32);
    shares.push_back({&recurrence.backward[k], state});
    shares.push_back({&recurrence.forward[k], state});
  }
  std::erase_if(shares, [](const Share& share) { return share.grain() == 0; });
  std::stable_sort(shares.begin(), shares.end(),
                   [](const Share& a, const Share& b) { return a.grain() > b.grain(); });
  double missing = gain;
  for (const Share& share : shares) missing -= *share.coefficient * share.state;
  for (const Share& share : shares) {
    const double wanted = *share.coefficient + missing / share.state;
    *share.coefficient = rounded(wanted, Precision::float32);
    missing = (wanted - *share.coefficient) * share.state;
  }
}

}  // namespace

WarmUp warm_up(const std::vector<Pole>& poles, Precision precision, std::int64_t length,
               Border border) {
  if (border == Border::clamp || border == Border::constant) return {};
  double slowest = 0;
  for (const Pole& pole : poles) slowest = std::max(slowest, std::abs(pole.value));
  const double bits = precision == Precision::float32 ? 26 : 56;
  // A start that is half forgotten at least, so that `wrap` does not magnify rounding errors.
  const auto forgotten = [slowest](double halvings) {
    return std::max(1.0, std::floor(halvings * std::log(0.5) / std::log(slowest)) + 1);
  };
  const auto period = static_cast<double>(period_of(border, length));
  if (period >= forgotten(bits)) return {static_cast<std::int64_t>(forgotten(bits)), false};
  return {static_cast<std::int64_t>(std::ceil(forgotten(1) / period) * period), true};
}

Recurrence cascade(const std::vector<Pole>& poles, Precision precision, std::int64_t length,
                   const BorderRule& border) {
  const std::vector<Pole> all = with_conjugates(poles);
  Recurrence recurrence;
  recurrence.form = Recurrence::Form::cascade;
  recurrence.states = static_cast<int>(all.size());
  recurrence.border = border;
  double sum = 0;
  const std::vector<double> delta = delta_polynomial(all);
  for (std::size_t j = 0; j < all.size(); ++j) {
    recurrence.feed[j] = rounded(sum += delta[j], precision);
  }
  recurrence.steady[0] = 1;
  const WarmUp warmup = warm_up(poles, precision, length, border.kind);
  recurrence.warmup = warmup.pixels;
  recurrence.wrap = wrap_matrix(all, warmup.closes ? warmup.pixels : 0);
  if (border.kind != Border::periodic) recurrence.turn = turn_matrix(all, border.kind);
  return recurrence;
}

Recurrence sum_of_terms(const PoleSum& sum, int order, Precision precision, std::int64_t length,
                        const BorderRule& border) {
  Recurrence recurrence;
  recurrence.form = Recurrence::Form::sum;
  recurrence.states = static_cast<int>(2 * sum.poles.size());
  recurrence.border = border;
  const WarmUp warmup = warm_up(sum.poles, precision, length, border.kind);
  recurrence.warmup = warmup.pixels;
  const double mirrored = order == 1 ? -1 : 1;
  for (std::size_t t = 0; t < sum.poles.size(); ++t) {
    const Complex rest(rounded(sum.poles[t].rest.real(), precision),
                       rounded(sum.poles[t].rest.imag(), precision));
    const Complex ahead = sum.residues[t] * sum.poles[t].value, back = sum.residues[t] * mirrored;
    const Complex wrap =
        warmup.closes ? 1.0 / (1.0 - power(sum.poles[t], static_cast<double>(warmup.pixels))) : 1.0;
    const auto store = [t](auto& where, Complex value) {
      where[2 * t] = value.real();
      where[2 * t + 1] = value.imag();
    };
    store(recurrence.feed, rest);
    store(recurrence.steady, 1.0 / rest);
    store(recurrence.backward, std::conj(ahead));  // Re(a·s) = Re a·Re s - Im a·Im s
    store(recurrence.forward, std::conj(back));
    store(recurrence.wrap, wrap);
  }
  if (precision == Precision::float32) round_keeping_gain(recurrence, order == 0 ? 1 : 0);
  return recurrence;
}

}  // namespace meander
