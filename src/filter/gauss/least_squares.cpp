// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "filter/gauss/least_squares.hpp"

#include <cmath>
#include <utility>

namespace meander {
namespace {

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

}  // namespace

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

}  // namespace meander
