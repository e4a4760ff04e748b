// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "engine/snake.hpp"
#include "engine/view.hpp"

/// What engine/snake.hpp says, once as dense matrices in double and once point by point in float:
/// nothing of rules/snake.h.
namespace meander {

using engine::ContourEnds;
using engine::MovingContour;

using Column = std::vector<double>;
using Matrix = std::vector<Column>;  // rows

inline std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// s[i] of a ring.
inline double bend_of(const Column& x, std::int64_t i) {
  const auto n = static_cast<std::int64_t>(x.size());
  const auto from_to_next = [&](std::int64_t j) {
    return x[at((j + 1 + n) % n)] - x[at((j + n) % n)];
  };
  return from_to_next(i) - from_to_next(i - 1);
}

/// M of a contour, column by column from what it does to a single point out of line.
inline Matrix matrix_of(const MovingContour& c) {
  const bool is_open = c.ends != ContourEnds::closed;
  const std::int64_t n = c.points;
  Matrix m(at(n), Column(at(n)));
  for (std::int64_t column = 0; column < n; ++column) {
    Column unit(at(n));
    unit[at(column)] = 1;
    Column twisted(at(n));
    for (std::int64_t i = 0; i < n; ++i) {
      const bool is_end = is_open && (i == 0 || i == n - 1);
      twisted[at(i)] = is_end ? 0 : bend_of(unit, i);
    }
    const auto bend_there = [&](std::int64_t i) {
      return is_open && (i < 0 || i >= n) ? 0.0 : twisted[at((i + n) % n)];
    };
    for (std::int64_t i = 0; i < n; ++i) {
      m[at(i)][at(column)] =
          unit[at(i)] - c.tension * bend_there(i) +
          c.rigidity * (bend_there(i - 1) - 2 * bend_there(i) + bend_there(i + 1));
    }
  }
  if (c.ends == ContourEnds::fixed) {
    for (const std::int64_t end : {std::int64_t{0}, n - 1}) {
      m[at(end)].assign(at(n), 0);
      m[at(end)][at(end)] = 1;
    }
  }
  return m;
}

/// Gaussian elimination with the largest pivot.
inline Column solved(Matrix m, Column b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i) {
      if (std::abs(m[i][k]) > std::abs(m[pivot][k])) pivot = i;
    }
    std::swap(m[k], m[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = m[i][k] / m[k][k];
      for (std::size_t j = k; j < n; ++j) m[i][j] -= factor * m[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= m[k][j] * b[j];
    b[k] /= m[k][k];
  }
  return b;
}

/// The first column of the inverse; of an even ring half of what the opposite point gets.
inline std::vector<float> ring_weights(const MovingContour& c) {
  Column unit(at(c.points));
  unit[0] = 1;
  const Column column = solved(matrix_of(c), unit);
  std::vector<float> weights;
  for (std::int64_t k = 0; k <= c.taps; ++k) {
    weights.push_back(static_cast<float>(2 * k == c.points ? column[at(k)] / 2 : column[at(k)]));
  }
  return weights;
}

/// L and U of the whole matrix, without pivoting.
inline std::vector<float> band_weights(const MovingContour& c) {
  Matrix m = matrix_of(c);
  const std::size_t n = m.size();
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = k + 1; i < n; ++i) {
      m[i][k] /= m[k][k];
      for (std::size_t j = k + 1; j < n; ++j) m[i][j] -= m[i][k] * m[k][j];
    }
  }
  std::vector<float> weights;
  for (std::size_t i = 0; i < n; ++i) {
    for (const double number : {i > 1 ? m[i][i - 2] : 0, i > 0 ? m[i][i - 1] : 0, 1 / m[i][i],
                                i + 1 < n ? m[i][i + 1] : 0, i + 2 < n ? m[i][i + 2] : 0}) {
      weights.push_back(static_cast<float>(number));
    }
  }
  return weights;
}

inline std::vector<float> weights_of(const MovingContour& c) {
  return c.ends == ContourEnds::closed ? ring_weights(c) : band_weights(c);
}

/// A contour in float, every number rounded where engine/snake.hpp has it.
class PlainSnake {
 public:
  PlainSnake(const MovingContour& contour, const float* weights, std::vector<float> x,
             std::vector<float> y)
      : c_(contour), weights_(weights), x_(std::move(x)), y_(std::move(y)) {}

  void step(const engine::View& force) {
    std::vector<float> change_x, change_y;
    for (std::int64_t i = 0; i < c_.points; ++i) {
      const bool is_end = is_open() && (i == 0 || i == c_.points - 1);
      const float out_x = is_end ? 0 : c_.normal * (y_[around(i + 1)] - y_[around(i - 1)]);
      const float out_y = is_end ? 0 : c_.normal * (x_[around(i - 1)] - x_[around(i + 1)]);
      const float squares = out_x * out_x + out_y * out_y;
      const float push = c_.balloon * (1.5f - 0.5f * std::min(squares, 2.0f));
      const bool rests = is_end && c_.ends == ContourEnds::fixed;
      change_x.push_back(rests ? 0 : change(x_, i, force_at(force, 0, i), push * out_x));
      change_y.push_back(rests ? 0 : change(y_, i, force_at(force, 1, i), push * out_y));
    }
    is_open() ? add_band(change_x, x_) : add_ring(change_x, x_);
    is_open() ? add_band(change_y, y_) : add_ring(change_y, y_);
  }
  const std::vector<float>& x() const { return x_; }
  const std::vector<float>& y() const { return y_; }

 private:
  bool is_open() const { return c_.ends != ContourEnds::closed; }
  std::size_t around(std::int64_t i) const { return at((i + 2 * c_.points) % c_.points); }

  float from_to_next(const std::vector<float>& p, std::int64_t i) const {
    return p[around(i + 1)] - p[around(i)];
  }
  float bend(const std::vector<float>& p, std::int64_t i) const {
    if (is_open() && (i <= 0 || i >= c_.points - 1)) return 0;
    return from_to_next(p, i) - from_to_next(p, i - 1);
  }
  float change(const std::vector<float>& p, std::int64_t i, float force, float push) const {
    const float pull = c_.step * force + push;
    const float stretch = c_.tension * bend(p, i);
    const float twist =
        c_.rigidity * ((bend(p, i - 1) - bend(p, i)) + (bend(p, i + 1) - bend(p, i)));
    return pull + (stretch - twist);
  }

  float force_at(const engine::View& force, int component, std::int64_t i) const {
    const auto pixel = [&](std::int64_t x, std::int64_t y) {
      x = std::clamp<std::int64_t>(x, 0, force.shape.x - 1);
      y = std::clamp<std::int64_t>(y, 0, force.shape.y - 1);
      return reinterpret_cast<const float*>(force.host_row(component * force.shape.y + y))[x];
    };
    const auto mix = [](float a, float b, float part) { return a + part * (b - a); };
    const float floor_x = std::floor(x_[at(i)]), floor_y = std::floor(y_[at(i)]);
    const std::int64_t x = static_cast<std::int64_t>(floor_x) + c_.origin_x;
    const std::int64_t y = static_cast<std::int64_t>(floor_y) + c_.origin_y;
    const float part_x = x_[at(i)] - floor_x, part_y = y_[at(i)] - floor_y;
    return mix(mix(pixel(x, y), pixel(x + 1, y), part_x),
               mix(pixel(x, y + 1), pixel(x + 1, y + 1), part_x), part_y);
  }

  void add_ring(const std::vector<float>& r, std::vector<float>& p) const {
    for (std::int64_t i = 0; i < c_.points; ++i) {
      float sum = weights_[0] * r[at(i)];
      for (std::int64_t k = 1; k <= c_.taps; ++k) {
        sum += weights_[k] * (r[around(i - k)] + r[around(i + k)]);
      }
      p[at(i)] += sum;
    }
  }
  void add_band(std::vector<float> r, std::vector<float>& p) const {
    const std::int64_t n = c_.points;
    const auto value = [&](std::int64_t i) { return i < 0 || i >= n ? 0 : r[at(i)]; };
    for (std::int64_t i = 0; i < n; ++i) {
      const float* w = weights_ + 5 * i;
      r[at(i)] = (r[at(i)] - w[1] * value(i - 1)) - w[0] * value(i - 2);
    }
    for (std::int64_t i = n - 1; i >= 0; --i) {
      const float* w = weights_ + 5 * i;
      r[at(i)] = ((r[at(i)] - w[3] * value(i + 1)) - w[4] * value(i + 2)) * w[2];
      p[at(i)] += r[at(i)];
    }
  }

  const MovingContour c_;
  const float* weights_;
  std::vector<float> x_, y_;
};

}  // namespace meander
