// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "filter/gauss/residues.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "filter/gauss/samples.hpp"

namespace meander {
namespace {

/// The x that makes |A·x - b| least among those with C·x = d exactly.
struct LeastSquares {
  std::size_t unknowns = 0;
  std::vector<double> rows;         ///< Of A, one after another.
  std::vector<double> right;        ///< b
  std::vector<double> constraints;  ///< Rows of C: one or two.
  std::vector<double> targets;      ///< d

  std::size_t equations() const { return right.size(); }
};

/// Reflects the rows from `column` on so that the column becomes upper triangular.
void reflect(LeastSquares& problem, std::size_t column) {
  const std::size_t n = problem.unknowns;
  double norm = 0;
  for (std::size_t i = column; i < problem.equations(); ++i) {
    norm += problem.rows[i * n + column] * problem.rows[i * n + column];
  }
  norm = std::sqrt(norm);
  const double head = problem.rows[column * n + column];
  const double diagonal = head > 0 ? -norm : norm;
  std::vector<double> mirror(problem.equations());
  mirror[column] = head - diagonal;
  for (std::size_t i = column + 1; i < problem.equations(); ++i) {
    mirror[i] = problem.rows[i * n + column];
  }
  const double scale = 1 / (diagonal * mirror[column]);  // -2 / |mirror|²
  const auto apply = [&](double* values, std::size_t stride) {
    double product = 0;
    for (std::size_t i = column; i < problem.equations(); ++i) {
      product += mirror[i] * values[i * stride];
    }
    for (std::size_t i = column; i < problem.equations(); ++i) {
      values[i * stride] += scale * product * mirror[i];
    }
  };
  for (std::size_t j = column; j < n; ++j) apply(&problem.rows[j], n);
  apply(problem.right.data(), 1);
}

/// R·x = y for the triangle R that the reflections left.
std::vector<double> back_substitute(const LeastSquares& problem, std::vector<double> y) {
  const std::size_t n = problem.unknowns;
  y.resize(n);
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) y[i] -= problem.rows[i * n + j] * y[j];
    y[i] /= problem.rows[i * n + i];
  }
  return y;
}

/// Rᵀ·y = c for row k of the constraints.
std::vector<double> forward_substitute(const LeastSquares& problem, std::size_t k) {
  const std::size_t n = problem.unknowns;
  std::vector<double> y(n);
  for (std::size_t i = 0; i < n; ++i) {
    y[i] = problem.constraints[k * n + i];
    for (std::size_t j = 0; j < i; ++j) y[i] -= problem.rows[j * n + i] * y[j];
    y[i] /= problem.rows[i * n + i];
  }
  return y;
}

double dot(const std::vector<double>& a, const double* b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// For each constraint the step that fulfils it at the least cost and leaves those before it
/// fulfilled: directions orthogonal to theirs in the metric of RᵀR.
std::vector<std::vector<double>> constraint_steps(const LeastSquares& problem) {
  std::vector<std::vector<double>> directions, steps;
  for (std::size_t k = 0; k < problem.targets.size(); ++k) {
    std::vector<double> direction = forward_substitute(problem, k);
    for (const std::vector<double>& earlier : directions) {
      const double share = dot(direction, earlier.data()) / dot(earlier, earlier.data());
      for (std::size_t i = 0; i < direction.size(); ++i) direction[i] -= share * earlier[i];
    }
    steps.push_back(back_substitute(problem, direction));
    directions.push_back(std::move(direction));
  }
  return steps;
}

/// By Householder reflections: normal equations would lose half of the digits. A has full rank.
std::vector<double> solve(LeastSquares problem) {
  for (std::size_t column = 0; column < problem.unknowns; ++column) reflect(problem, column);
  std::vector<double> x = back_substitute(problem, problem.right);
  const std::vector<std::vector<double>> steps = constraint_steps(problem);
  // Once would do but for rounding, which nearly dependent columns magnify.
  for (int pass = 0; pass < 3; ++pass) {
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const double* row = &problem.constraints[k * problem.unknowns];
      const double length = (problem.targets[k] - dot(x, row)) / dot(steps[k], row);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += length * steps[k][i];
    }
  }
  return x;
}

/// Σ n^power·p^n over n >= 0 (power 0: both sides), times the residue gives its share of a moment.
Complex moment_of(const Pole& pole, int power) {
  const Complex p = pole.value, rest = pole.rest;
  if (power == 0) return 2.0 / rest - 1.0;
  if (power == 1) return 2.0 * p / (rest * rest);
  return 2.0 * p * (1.0 + p) / (rest * rest * rest);
}

/// A condition on the residues: Re Σ factor(pole)·residue = target.
struct Condition {
  Complex (*factor)(const Pole& pole);
  int power;  ///< Its magnitude grows as σ^power, and a power more for sums over n.
  double target;
};

std::vector<Condition> conditions(int order) {
  const auto centre = [](const Pole&) { return Complex(1); };
  const auto sum = [](const Pole& pole) { return moment_of(pole, 0); };
  const auto ramp = [](const Pole& pole) { return moment_of(pole, 1); };
  const auto parabola = [](const Pole& pole) { return moment_of(pole, 2); };
  if (order == 0) return {{sum, 1, 1}};
  if (order == 1) return {{centre, 0, 0}, {ramp, 2, 1}};
  return {{sum, 1, 0}, {parabola, 3, 2}};
}

/// The unknowns are the real parts and, of poles that are not real, minus the imaginary parts of
/// σ^(order + 1)·residue, so that the problem looks alike at every σ.
std::vector<double> unknowns_of(const PoleSum& sum, double unit) {
  std::vector<double> x;
  for (std::size_t t = 0; t < sum.poles.size(); ++t) {
    x.push_back(sum.residues[t].real() * unit);
    if (!sum.poles[t].is_real()) x.push_back(-sum.residues[t].imag() * unit);
  }
  return x;
}

PoleSum with_unknowns(const PoleSum& sum, const std::vector<double>& x, double unit) {
  PoleSum result = sum;
  std::size_t next = 0;
  for (std::size_t t = 0; t < sum.poles.size(); ++t) {
    const double real = x[next++] / unit;
    result.residues[t] = {real, sum.poles[t].is_real() ? 0 : -x[next++] / unit};
  }
  return result;
}

/// Appends what multiplies the unknowns in Re Σ factor·residue.
template <class Factor>
void append_row(std::vector<double>& rows, const PoleSum& sum, double scale, Factor factor) {
  for (const Pole& pole : sum.poles) {
    const Complex value = factor(pole) * scale;
    rows.push_back(value.real());
    if (!pole.is_real()) rows.push_back(value.imag());
  }
}

/// Where the samples are fitted: up to 8σ, all of them for small σ, else closest near 0, where the
/// deviation changes its sign most often.
std::vector<double> places(double sigma) {
  constexpr int most = 128;
  const double end = std::floor(8 * sigma) + 12;
  std::vector<double> result{0};
  for (int k = 1; k <= most; ++k) {
    const double place = std::round(end * k * k / (most * most));
    if (place > result.back()) result.push_back(place);
  }
  return result;
}

/// What is to be fitted, unweighted: the samples, then rows that hold the unknowns near to the
/// first guess where the samples leave them undetermined.
LeastSquares fitting_problem(const PoleSum& guess, double sigma, int order) {
  constexpr double hold = 1e-7;
  const double unit = std::pow(sigma, order + 1);
  const GaussSamples gauss(sigma, order);
  const std::vector<double> x = unknowns_of(guess, unit);
  LeastSquares problem;
  problem.unknowns = x.size();
  for (const double n : places(sigma)) {
    append_row(problem.rows, guess, 1, [n](const Pole& pole) { return power(pole, n); });
    problem.right.push_back(gauss(static_cast<std::int64_t>(n)) * unit);
  }
  const double weight = hold * std::sqrt(static_cast<double>(problem.equations()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) problem.rows.push_back(i == j ? weight : 0);
    problem.right.push_back(weight * x[i]);
  }
  for (const Condition& condition : conditions(order)) {
    const double size = std::pow(sigma, -condition.power);
    append_row(problem.constraints, guess, size, condition.factor);
    problem.targets.push_back(condition.target * size * unit);
  }
  return problem;
}

/// Largest deviation of the samples, all of them written to `deviations`.
double deviation(const LeastSquares& problem, const std::vector<double>& x,
                 std::vector<double>& deviations) {
  const std::size_t n = problem.unknowns;
  double largest = 0;
  for (std::size_t i = 0; i < deviations.size(); ++i) {
    double value = -problem.right[i];
    for (std::size_t j = 0; j < n; ++j) value += problem.rows[i * n + j] * x[j];
    deviations[i] = std::abs(value);
    largest = std::max(largest, deviations[i]);
  }
  return largest;
}

LeastSquares weighted(LeastSquares problem, const std::vector<double>& weights) {
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double root = std::sqrt(weights[i]);
    for (std::size_t j = 0; j < problem.unknowns; ++j)
      problem.rows[i * problem.unknowns + j] *= root;
    problem.right[i] *= root;
  }
  return problem;
}

/// Weights grow where deviations are large (Lawson's iteration), with mean 1.
void shift_weights(std::vector<double>& weights, const std::vector<double>& deviations,
                   double largest) {
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] *= deviations[i] / largest + 1e-3;
    sum += weights[i];
  }
  for (double& weight : weights) weight *= static_cast<double>(weights.size()) / sum;
}

/// Derivatives of the exponentials themselves: the n-th of exp(-rate·x) is (-rate)^n times it.
PoleSum first_guess(PoleSum smoothing, int order) {
  for (std::size_t t = 0; t < smoothing.poles.size(); ++t) {
    const Complex rate = -std::log(smoothing.poles[t].value);
    for (int i = 0; i < order; ++i) smoothing.residues[t] *= rate;
  }
  return smoothing;
}

}  // namespace

double moment(const PoleSum& sum, int power) {
  double total = 0;
  for (std::size_t t = 0; t < sum.poles.size(); ++t) {
    total += (sum.residues[t] * moment_of(sum.poles[t], power)).real();
  }
  return total;
}

PoleSum fitted(const PoleSum& smoothing, double sigma, int order) {
  constexpr int rounds = 20;
  const double unit = std::pow(sigma, order + 1);
  const PoleSum guess = first_guess(smoothing, order);
  const LeastSquares problem = fitting_problem(guess, sigma, order);
  std::vector<double> weights(problem.equations() - problem.unknowns, 1.0);
  std::vector<double> deviations(weights.size()), best;
  // A guess of order 0 has exact moments; a fit has to be better.
  if (order == 0) best = unknowns_of(guess, unit);
  double least = order == 0 ? deviation(problem, best, deviations) : INFINITY;
  for (int round = 0; round < rounds; ++round) {
    const std::vector<double> x = solve(weighted(problem, weights));
    const double largest = deviation(problem, x, deviations);
    if (largest < least) {
      least = largest;
      best = x;
    }
    shift_weights(weights, deviations, largest);
  }
  return with_unknowns(guess, best, unit);
}

}  // namespace meander
