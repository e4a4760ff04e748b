// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <utility>
#include <vector>

#include "meander/smooth.hpp"

namespace meander {

using Complex = std::complex<double>;

/// A square complex matrix of at most five rows, for the states of a recurrence.
class ComplexMatrix {
 public:
  explicit ComplexMatrix(std::size_t rows) : rows_(rows) {}
  std::size_t rows() const { return rows_; }
  Complex& operator()(std::size_t row, std::size_t column) { return values_[row * 5 + column]; }
  const Complex& operator()(std::size_t row, std::size_t column) const {
    return values_[row * 5 + column];
  }

 private:
  std::size_t rows_;
  std::array<Complex, 25> values_{};
};

inline ComplexMatrix operator*(const ComplexMatrix& a, const ComplexMatrix& b) {
  ComplexMatrix product(a.rows());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < a.rows(); ++j) {
      for (std::size_t k = 0; k < a.rows(); ++k) product(i, j) += a(i, k) * b(k, j);
    }
  }
  return product;
}

/// Of a regular matrix, by elimination with row pivots.
inline ComplexMatrix inverse(ComplexMatrix a) {
  const std::size_t n = a.rows();
  ComplexMatrix result(n);
  for (std::size_t i = 0; i < n; ++i) result(i, i) = 1;
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    for (std::size_t i = column + 1; i < n; ++i) {
      if (std::abs(a(i, column)) > std::abs(a(pivot, column))) pivot = i;
    }
    const Complex scale = 1.0 / a(pivot, column);
    for (std::size_t j = 0; j < n; ++j) {
      std::swap(a(pivot, j), a(column, j));
      std::swap(result(pivot, j), result(column, j));
      a(column, j) *= scale;
      result(column, j) *= scale;
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (i == column) continue;
      const Complex factor = a(i, column);
      for (std::size_t j = 0; j < n; ++j) {
        a(i, j) -= factor * a(column, j);
        result(i, j) -= factor * result(column, j);
      }
    }
  }
  return result;
}

/// A pole p of a recursive filter, inside the unit circle. One that is not real stands for its
/// conjugate as well.
struct Pole {
  Complex value;
  Complex rest;  ///< 1 - p, to full precision however near to 1 the pole is.
  bool is_real() const { return value.imag() == 0; }
};

/// Whether the method is two passes of one filter, the second on what the first left, rather than
/// a sum of damped cosines.
bool is_cascade(SmoothMethod method);

/// The smallest σ that a recursive method can be designed for.
double smallest_sigma(SmoothMethod method, int order);

/// The poles of a recursive method for a σ not below the smallest, real ones last.
std::vector<Pole> gauss_poles(SmoothMethod method, double sigma);

/// The same poles, conjugates written out.
std::vector<Pole> with_conjugates(const std::vector<Pole>& poles);

/// What p^n comes to, for n >= 0.
Complex power(const Pole& pole, double n);

/// A damped cosine of the published sums: exp(-x²/2) ≈ Σ Re((cosine + i·sine)·exp(-(decay +
/// i·turn)x)).
struct DampedCosine {
  double decay, turn, cosine, sine;
};
/// Of `deriche` and the exponential methods; empty for others.
std::vector<DampedCosine> damped_cosines(SmoothMethod method);

}  // namespace meander
