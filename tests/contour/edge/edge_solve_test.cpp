// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/edge/solve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>

namespace meander::contour {
namespace {

using Column = std::vector<double>;
using Matrix = std::vector<Column>;  // rows

std::string words(const Stiffness& s, std::int64_t points) {
  return std::to_string(points) + " points, " + std::to_string(s.tension) + ", " +
         std::to_string(s.rigidity);
}

/// M written out: second differences S, 0 at the ends of a line, and M = I - aS + b·SᵀS.
Matrix matrix_of(const Stiffness& stiffness, std::size_t n, bool is_open, bool is_fixed) {
  Matrix bend(n, Column(n)), m(n, Column(n));
  for (std::size_t i = 0; i < n; ++i) {
    if (is_open && (i == 0 || i + 1 == n)) continue;
    bend[i][(i + n - 1) % n] += 1;
    bend[i][i] -= 2;
    bend[i][(i + 1) % n] += 1;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const bool is_held = is_fixed && (i == 0 || i + 1 == n);
    for (std::size_t j = 0; j < n; ++j) {
      m[i][j] = i == j ? 1 : 0;
      if (is_held) continue;
      m[i][j] -= stiffness.tension * bend[i][j];
      for (std::size_t k = 0; k < n; ++k) m[i][j] += stiffness.rigidity * bend[k][i] * bend[k][j];
    }
  }
  return m;
}

/// M·x, the way back from a solve.
Column product(const Matrix& m, const Column& x) {
  Column out(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) out[i] += m[i][j] * x[j];
  }
  return out;
}

Column ring_of(const std::vector<float>& weights, const Column& r) {
  const std::size_t n = r.size();
  Column out(n);
  for (std::size_t i = 0; i < n; ++i) {
    out[i] = weights[0] * r[i];
    for (std::size_t k = 1; k < weights.size(); ++k) {
      out[i] += weights[k] * (r[(i + n - k % n) % n] + r[(i + k) % n]);
    }
  }
  return out;
}

Column line_of(const std::vector<float>& weights, Column r) {
  const std::size_t n = r.size();
  const auto value = [&](std::size_t i) { return i < n ? r[i] : 0; };
  for (std::size_t i = 0; i < n; ++i) {
    const float* w = &weights[5 * i];
    r[i] -= w[1] * (i > 0 ? r[i - 1] : 0) + w[0] * (i > 1 ? r[i - 2] : 0);
  }
  for (std::size_t i = n; i-- > 0;) {
    const float* w = &weights[5 * i];
    r[i] = (r[i] - w[3] * value(i + 1) - w[4] * value(i + 2)) * w[2];
  }
  return r;
}

/// Pushes of every sign and size up to 1 at every point.
Column pushes(std::int64_t points) {
  Column r;
  for (std::int64_t i = 0; i < points; ++i) {
    r.push_back(std::sin(1.7 * static_cast<double>(i * i % 97)));
  }
  return r;
}

const Stiffness stiffnesses[] = {{0, 0}, {0.05, 0}, {0, 0.05}, {1, 1}, {20, 3}, {0.5, 200}};

/// Weights are floats, 6e-8 of the largest each; M makes an error of the solution larger by at most
/// its norm, 1 + 4a + 16b, and 1e-5 of that is far above both.
double tolerance_of(const Stiffness& s) { return 1e-5 * (1 + 4 * s.tension + 16 * s.rigidity); }

TEST(EdgeSolve, OfARingIsTheInverseOfTheMatrix) {
  for (const Stiffness& stiffness : stiffnesses) {
    for (const std::int64_t points : {3, 4, 5, 8, 9, 64, 127, 150}) {
      const Column r = pushes(points);
      const Column back = product(matrix_of(stiffness, r.size(), false, false),
                                  ring_of(ring_weights(stiffness, points), r));
      for (std::size_t i = 0; i < r.size(); ++i) {
        ASSERT_NEAR(back[i], r[i], tolerance_of(stiffness)) << words(stiffness, points) << " " << i;
      }
    }
  }
}

TEST(EdgeSolve, OfARingMovesAllPointsAlikeWhereTheyArePushedAlike) {
  for (const Stiffness& stiffness : stiffnesses) {
    for (const std::int64_t points : {8, 300, 5000}) {
      double sum = 0;
      const std::vector<float> weights = ring_weights(stiffness, points);
      for (std::size_t k = 0; k < weights.size(); ++k) sum += (k == 0 ? 1 : 2) * weights[k];
      // Each of the weights, which add up to about 1, is rounded by at most 2^-25 of itself.
      EXPECT_NEAR(sum, 1, std::ldexp(4, -25)) << words(stiffness, points);
    }
  }
}

TEST(EdgeSolve, LongRingsNeedFewWeights) {
  EXPECT_EQ(ring_weights({0, 0}, 5000).size(), 5u);  // itself, and four to be sure
  EXPECT_LT(ring_weights({1, 1}, 5000).size(), 60u);
  EXPECT_LE(ring_weights({1e6, 1e6}, 50).size(), 26u);  // never more than half the ring
}

TEST(EdgeSolve, OfALineIsTheInverseOfTheMatrix) {
  for (const Stiffness& stiffness : stiffnesses) {
    for (const std::int64_t points : {2, 3, 4, 5, 40, 101}) {
      for (const bool is_fixed : {false, true}) {
        Column r = pushes(points);
        if (is_fixed) r.front() = r.back() = 0;
        const Column moves = line_of(line_weights(stiffness, points, is_fixed), r);
        const Column back = product(matrix_of(stiffness, r.size(), true, is_fixed), moves);
        for (std::size_t i = 0; i < r.size(); ++i) {
          ASSERT_NEAR(back[i], r[i], tolerance_of(stiffness)) << words(stiffness, points) << i;
        }
        if (is_fixed) {
          EXPECT_EQ(moves.front(), 0);
          EXPECT_EQ(moves.back(), 0);
        }
      }
    }
  }
}

}  // namespace
}  // namespace meander::contour
