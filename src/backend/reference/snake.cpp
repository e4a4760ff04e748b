// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <cmath>
#include <utility>
#include <vector>

#include "backend/reference/engines.hpp"

namespace meander::reference {
namespace {

using engine::ContourEnds;
using engine::MovingContour;
using engine::View;
using real = double;
using wide = std::int64_t;
using std::floor;
#define SNAKE inline
#include "rules/snake.h"
#undef SNAKE

using Numbers = std::vector<double>;

struct Places {
  Numbers x, y;
};

double pixel_of(const View& force, int component, wide x, wide y) {
  return reinterpret_cast<const float*>(force.host_row(component * force.shape.y + y))[x];
}

double force_at(const View& force, int component, const snake_cell& x, const snake_cell& y) {
  return snake_force(pixel_of(force, component, x.low, y.low),
                     pixel_of(force, component, x.high, y.low),
                     pixel_of(force, component, x.low, y.high),
                     pixel_of(force, component, x.high, y.high), x.part, y.part);
}

/// One contour with the weights of its solve.
class Contour {
 public:
  Contour(const MovingContour& contour, const float* weights)
      : c_(contour), weights_(weights), is_open_(contour.ends != ContourEnds::closed) {}

  void step(const View& force, Places& places) const {
    const wide n = c_.points;
    Places changes{Numbers(at(n)), Numbers(at(n))};
    for (wide i = 0; i < n; ++i) {
      const bool is_end = is_open_ && (i == 0 || i == n - 1);
      if (is_end && c_.ends == ContourEnds::fixed) continue;
      const snake_cell x = snake_cell_of(places.x[at(i)], c_.origin_x, force.shape.x);
      const snake_cell y = snake_cell_of(places.y[at(i)], c_.origin_y, force.shape.y);
      const double out_x = is_end ? 0 : c_.normal * (places.y[next(i)] - places.y[previous(i)]);
      const double out_y = is_end ? 0 : c_.normal * (places.x[previous(i)] - places.x[next(i)]);
      const double push = c_.balloon * snake_unit(out_x, out_y);
      changes.x[at(i)] = change(places.x, i, c_.step * force_at(force, 0, x, y) + push * out_x);
      changes.y[at(i)] = change(places.y, i, c_.step * force_at(force, 1, x, y) + push * out_y);
    }
    add(solved(changes.x), places.x);
    add(solved(changes.y), places.y);
  }

 private:
  static std::size_t at(wide i) { return static_cast<std::size_t>(i); }
  std::size_t next(wide i) const { return at((i + 1) % c_.points); }
  std::size_t previous(wide i) const { return at((i + c_.points - 1) % c_.points); }

  /// From point i to the next one.
  double difference(const Numbers& p, wide i) const {
    const wide from = (i + c_.points) % c_.points;
    return p[next(from)] - p[at(from)];
  }
  double bend(const Numbers& p, wide i) const {
    if (is_open_ && (i <= 0 || i >= c_.points - 1)) return 0;
    return difference(p, i) - difference(p, i - 1);
  }
  double change(const Numbers& p, wide i, double pull) const {
    return snake_change(pull, bend(p, i - 1), bend(p, i), bend(p, i + 1), c_.tension, c_.rigidity);
  }

  Numbers solved(const Numbers& r) const { return is_open_ ? band(r) : ring(r); }

  Numbers ring(const Numbers& r) const {
    const wide n = c_.points;
    Numbers out(at(n));
    for (wide i = 0; i < n; ++i) {
      double sum = weights_[0] * r[at(i)];
      for (wide k = 1; k <= c_.taps; ++k) {
        sum += weights_[k] * (r[at((i - k + n) % n)] + r[at((i + k) % n)]);
      }
      out[at(i)] = sum;
    }
    return out;
  }

  Numbers band(const Numbers& r) const {
    const wide n = c_.points;
    Numbers out = r;
    const auto value = [&](wide i) { return i < 0 || i >= n ? 0.0 : out[at(i)]; };
    for (wide i = 0; i < n; ++i) {
      const float* w = weights_ + engine::weights_of_open_point * i;
      out[at(i)] = (out[at(i)] - w[1] * value(i - 1)) - w[0] * value(i - 2);
    }
    for (wide i = n - 1; i >= 0; --i) {
      const float* w = weights_ + engine::weights_of_open_point * i;
      out[at(i)] = ((out[at(i)] - w[3] * value(i + 1)) - w[4] * value(i + 2)) * w[2];
    }
    return out;
  }

  static void add(const Numbers& changes, Numbers& places) {
    for (std::size_t i = 0; i < places.size(); ++i) places[i] += changes[i];
  }

  const MovingContour& c_;
  const float* weights_;
  bool is_open_;
};

}  // namespace

void move_contours(const View& force, const engine::MovingBatch& batch) {
  for (const MovingContour& c : batch.contours) {
    const auto x =
        batch.x.subspan(static_cast<std::size_t>(c.first), static_cast<std::size_t>(c.points));
    const auto y =
        batch.y.subspan(static_cast<std::size_t>(c.first), static_cast<std::size_t>(c.points));
    Places places{{x.begin(), x.end()}, {y.begin(), y.end()}};
    const Contour contour(c, batch.weights.data() + c.first_weight);
    for (std::int64_t step = 0; step < batch.steps; ++step) contour.step(force, places);
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<float>(places.x[i]);
      y[i] = static_cast<float>(places.y[i]);
    }
  }
}

}  // namespace meander::reference
