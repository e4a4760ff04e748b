// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstddef>
#include <vector>

namespace meander {

/// The x that makes |A·x - b| least among those with C·x = d exactly.
struct LeastSquares {
  std::size_t unknowns = 0;
  std::vector<double> rows;         ///< Of A, one after another.
  std::vector<double> right;        ///< b
  std::vector<double> constraints;  ///< Rows of C: one or two.
  std::vector<double> targets;      ///< d

  std::size_t equations() const { return right.size(); }
};

/// By Householder reflections: normal equations would lose half of the digits. A has full rank.
std::vector<double> solve(LeastSquares problem);

}  // namespace meander
