// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "filter/gauss/poles.hpp"

#include <cmath>

namespace meander {
namespace {

/// exp(z) - 1 without cancellation near 0.
Complex expm1(Complex z) {
  const double half_sine = std::sin(z.imag() / 2);
  return {std::expm1(z.real()) * std::cos(z.imag()) - 2 * half_sine * half_sine,
          std::exp(z.real()) * std::sin(z.imag())};
}

/// The pole exp(-rate).
Pole pole_of_rate(Complex rate) { return {std::exp(-rate), -expm1(-rate)}; }

/// Young & van Vliet: the poles are q / (q + m) with these m.
std::vector<Pole> young_poles(double q) {
  std::vector<Pole> poles;
  for (const Complex m : {Complex(1.10783, 1.40586), Complex(1.16680, 0)}) {
    poles.push_back({q / (q + m), m / (q + m)});
  }
  return poles;
}

double q_of_1995(double sigma) {
  return sigma >= 2.5 ? 0.98711 * sigma - 0.96330
                      : 3.97156 - 4.14554 * std::sqrt(1 - 0.26891 * sigma);
}

double q_of_2002(double sigma) {
  return sigma >= 3.556 ? 2.5091 + 0.9804 * (sigma - 3.556)
                        : -0.2568 + 0.5784 * sigma + 0.0561 * sigma * sigma;
}

/// van Vliet, Young & Verbeek: inverses of the poles for σ = 2.
std::vector<Complex> vanvliet_table(SmoothMethod method) {
  switch (method) {
    case SmoothMethod::vanvliet3:
      return {{1.41650, 1.00829}, {1.86543, 0}};
    case SmoothMethod::vanvliet4:
      return {{1.13228, 1.28114}, {1.78534, 0.46763}};
    default:
      return {{0.86430, 1.45389}, {1.61433, 0.83134}, {1.87504, 0}};
  }
}

struct Variance {
  double value, slope;
};

/// The variance of the filter with poles d^(-1/q), Σ 2d/(d - 1)², and its derivative by q.
Variance vanvliet_variance(const std::vector<Complex>& logs, double q) {
  Variance sum{0, 0};
  for (const Complex log : logs) {
    const double weight = log.imag() == 0 ? 1 : 2;
    const Complex less_one = expm1(log / q);
    const Complex d = 1.0 + less_one;
    sum.value += weight * (2.0 * d / (less_one * less_one)).real();
    sum.slope +=
        weight * (2.0 * d * (d + 1.0) * log / (q * q * less_one * less_one * less_one)).real();
  }
  return sum;
}

std::vector<Pole> vanvliet_poles(SmoothMethod method, double sigma) {
  std::vector<Complex> logs;
  for (const Complex d : vanvliet_table(method)) logs.push_back(std::log(d));
  // The variance is convex in q, so that Newton's method comes down to the root from above.
  double q = sigma / 2 + 0.5;
  for (int step = 0; step < 40; ++step) {
    const Variance variance = vanvliet_variance(logs, q);
    const double change = (variance.value - sigma * sigma) / variance.slope;
    q -= change;
    if (std::abs(change) < 1e-15 * q) break;
  }
  std::vector<Pole> poles;
  for (const Complex log : logs) poles.push_back(pole_of_rate(log / q));
  return poles;
}

}  // namespace

bool is_cascade(SmoothMethod method) {
  return method >= SmoothMethod::yvv1995 && method <= SmoothMethod::vanvliet5;
}

double smallest_sigma(SmoothMethod method, int order) {
  // Below it cascades look like no Gaussian, and derivatives on any poles become differences of
  // large numbers. Sums of order 0 come to the identity long before theirs.
  return is_cascade(method) || order > 0 ? 0.5 : 0.01;
}

std::vector<Pole> gauss_poles(SmoothMethod method, double sigma) {
  if (method == SmoothMethod::yvv1995) return young_poles(q_of_1995(sigma));
  if (method == SmoothMethod::yvv2002) return young_poles(q_of_2002(sigma));
  if (is_cascade(method)) return vanvliet_poles(method, sigma);
  std::vector<Pole> poles;
  for (const DampedCosine& term : damped_cosines(method)) {
    poles.push_back(pole_of_rate(Complex(term.decay, term.turn) / sigma));
  }
  return poles;
}

std::vector<Pole> with_conjugates(const std::vector<Pole>& poles) {
  std::vector<Pole> all;
  for (const Pole& pole : poles) {
    all.push_back(pole);
    if (!pole.is_real()) all.push_back({std::conj(pole.value), std::conj(pole.rest)});
  }
  return all;
}

Complex power(const Pole& pole, double n) {
  return std::polar(std::pow(std::abs(pole.value), n), n * std::arg(pole.value));
}

std::vector<DampedCosine> damped_cosines(SmoothMethod method) {
  switch (method) {
    case SmoothMethod::deriche:
      return {{1.3932, 0.6681, 1.3530, 1.8151}, {1.3732, 2.0787, -0.3531, 0.0902}};
    case SmoothMethod::exponential4:
      return {{1.740135, 0.628660, 1.655153, 3.405715}, {1.673101, 1.990527, -0.655317, -0.174911}};
    case SmoothMethod::exponential6:
      return {{2.152896, 0.524005, 3.080752, 6.772114},
              {2.118578, 1.609162, -2.224499, -0.723917},
              {2.040221, 2.847953, 0.143745, -0.059864}};
    case SmoothMethod::exponential8:
      return {{2.495227, 0.458893, 5.98540140, 13.61354903},
              {2.473570, 1.394895, -5.80500768, -2.07543244},
              {2.427197, 2.395434, 0.83569566, -0.36452265},
              {2.345785, 3.560611, -0.01608941, 0.02458559}};
    default:
      return {};
  }
}

}  // namespace meander
