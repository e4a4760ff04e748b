// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <utility>

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

}  // namespace meander
