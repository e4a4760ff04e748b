// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/region/curve_snake.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace meander::contour {
namespace {

/// By how much the criterion has to fall, at least, for a step to count.
constexpr double worth_moving = 0.5;

}  // namespace

CurveSnake::CurveSnake(const SumLevels& image, const Criterion& criterion,
                       const Surroundings& surroundings, const std::vector<bool>& rings,
                       Spline spline, std::int64_t& evaluations)
    : image_(&image),
      criterion_(&criterion),
      surroundings_(&surroundings),
      rings_(&rings),
      evaluations_(&evaluations) {
  become(std::move(spline));
}

void CurveSnake::draw_back() {
  constexpr int most_steps = 12;
  constexpr double pixels = -0.5;
  for (int i = 0; i < most_steps; ++i) {
    std::vector<std::size_t> blocked = blocked_nodes();
    if (blocked.empty()) return;
    std::sort(blocked.begin(), blocked.end());
    blocked.erase(std::unique(blocked.begin(), blocked.end()), blocked.end());
    const std::vector<Parameter> outwards = across();
    Spline next = spline_;
    for (const std::size_t node : blocked) {
      next.nodes[node].at = rounded(moved(outwards[node], pixels));
    }
    become(std::move(next));
  }
}

double CurveSnake::node_cost() {
  if (!node_cost_) {
    const auto count = static_cast<double>(spline_.nodes.size());
    constexpr double fewest_places = 3;
    const double places = polygon().perimeter() / count * mean_rise(slopes(across(), 1), 1);
    node_cost_ = rounded_criterion(std::log(std::max(places, fewest_places)));
  }
  return *node_cost_;
}

bool CurveSnake::add_corner(const Polygon& corners) {
  std::vector<engine::ContourEdge> edges;
  std::vector<std::size_t> ends;
  std::vector<Spline> others;
  std::vector<RegionSums> sums;
  for (std::size_t i = 0; i < spline_.nodes.size(); ++i) {
    if (spline_.nodes[i].is_corner) continue;
    const Point from = in_grid_steps(spline_.nodes[i].at);
    const auto away = [&](GridPoint p) { return length_of(in_grid_steps(p) - from); };
    const GridPoint to =
        *std::min_element(corners.vertices.begin(), corners.vertices.end(),
                          [&](GridPoint p, GridPoint q) { return away(p) < away(q); });
    others.push_back(spline_);
    others.back().nodes[i] = {to, true};
    sums.push_back(without_pieces_of(i));
    const Controls controls(others.back());
    for (std::size_t k = 0; k < controls.pieces_of(i); ++k) {
      controls.append((controls.first_piece_of(i) + k) % controls.size(), edges);
    }
    ends.push_back(edges.size());
  }
  const std::vector<RegionSums> parts = sums_along(edges, others.size());
  for (std::size_t i = 0, next = 0; i < sums.size(); ++i) {
    for (; next < ends[i]; ++next) sums[i] += parts[next];
  }
  double least = value_ - node_cost();
  std::size_t best = others.size();
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (!criterion_->is_divided_by(sums[i]) || !(criterion_->of(sums[i]) < least)) continue;
    least = criterion_->of(sums[i]);
    best = i;
  }
  if (best == others.size()) return false;
  become(std::move(others[best]));
  return true;
}

void CurveSnake::become(Spline spline) {
  spline_ = std::move(spline);
  controls_ = Controls(spline_);
  edges_.clear();
  ends_.clear();
  for (std::size_t i = 0; i < controls_.size(); ++i) {
    controls_.append(i, edges_);
    ends_.push_back(edges_.size());
  }
  sums_ = sums_along(edges_, 1);
  inside_ = {};
  for (const RegionSums& sums : sums_) inside_ += sums;
  value_ = criterion_->of(inside_);
  node_cost_.reset();
}

std::vector<Parameter> CurveSnake::parameters(bool is_all) const {
  std::vector<Parameter> found;
  const std::size_t n = spline_.nodes.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Point chord = in_grid_steps(spline_.nodes[(i + 1) % n].at) -
                        in_grid_steps(spline_.nodes[(i + n - 1) % n].at);
    const double length = length_of(chord);
    const Point along = length > 0 ? 1 / length * chord : Point{1, 0};
    found.push_back({i, {along.y, -along.x}});
    if (is_all || spline_.nodes[i].is_corner) found.push_back({i, along});
  }
  return found;
}

RegionSums CurveSnake::without_pieces_of(std::size_t node) const {
  RegionSums rest = inside_;
  for (std::size_t k = 0; k < controls_.pieces_of(node); ++k) {
    const std::size_t piece = (controls_.first_piece_of(node) + k) % controls_.size();
    for (std::size_t e = piece > 0 ? ends_[piece - 1] : 0; e < ends_[piece]; ++e) rest -= sums_[e];
  }
  return rest;
}

std::vector<Slope> CurveSnake::slopes(const std::vector<Parameter>& parameters,
                                      double width) const {
  const std::size_t n = edges_.size();
  if (n == 0) return std::vector<Slope>(parameters.size());
  std::vector<Point> normals;  // At each vertex.
  for (std::size_t i = 0; i < n; ++i) {
    const Point along = in_grid_steps(edges_[i].to) - in_grid_steps(edges_[(i + n - 1) % n].from);
    const double length = length_of(along);
    normals.push_back(length > 0 ? 1 / length * Point{along.y, -along.x} : Point{});
  }
  std::vector<engine::ContourEdge> sides, far;  // Across the curve at each vertex, and beside it.
  for (const double by : {width, -width}) {
    for (std::size_t i = 0; i < n; ++i) {
      const Point to = in_grid_steps(edges_[i].from) + by * grid_steps_per_pixel * normals[i];
      sides.push_back({edges_[i].from, rounded(to)});
    }
    const engine::ContourEdge* side = &sides[sides.size() - n];
    for (std::size_t i = 0; i < n; ++i) far.push_back({side[i].to, side[(i + 1) % n].to});
  }
  sides.insert(sides.end(), far.begin(), far.end());
  const std::vector<RegionSums> sums = sums_along(sides, 2 * parameters.size());
  std::vector<std::size_t> first(spline_.nodes.size() + 1, parameters.size());  // Of each node.
  for (std::size_t p = parameters.size(); p-- > 0;) first[parameters[p].node] = p;

  std::vector<std::array<double, 2>> rises(parameters.size());
  for (std::size_t piece = 0, edge = 0; piece < ends_.size(); ++piece) {
    const auto count = static_cast<double>(ends_[piece] - edge);
    for (double k = 0.5; edge < ends_[piece]; ++edge, ++k) {
      const std::size_t next = (edge + 1) % n;
      std::array<double, 2> rise{};
      for (std::size_t side = 0; side < 2; ++side) {
        const RegionSums inside = inside_ - sums_[edge] + sums[side * n + edge] +
                                  sums[(2 + side) * n + edge] - sums[side * n + next];
        if (criterion_->is_divided_by(inside)) rise[side] = criterion_->of(inside) - value_;
      }
      const std::array<double, 4> basis = spline_basis(k / count);
      const Point along = in_grid_steps(edges_[edge].to) - in_grid_steps(edges_[edge].from);
      const Point across{along.y, -along.x};
      // At a corner a strip is narrower.
      const double strip = dot(normals[edge] + normals[next], across) / 2;
      for (std::size_t c = 0; c < basis.size(); ++c) {
        const std::size_t node = controls_.node(piece + c);
        for (std::size_t p = first[node]; p < first[node + 1]; ++p) {
          const double share =
              strip > 0 ? basis[c] * dot(parameters[p].direction, across) / strip : 0;
          const std::size_t outer = share > 0 ? 0 : 1;
          rises[p][0] += std::abs(share) * rise[outer];
          rises[p][1] += std::abs(share) * rise[1 - outer];
        }
      }
    }
  }
  std::vector<Slope> found;
  for (const auto& [a, b] : rises) {
    found.push_back({(a - b) / (2 * width), (a + b) / (width * width), std::min(a, b)});
  }
  return found;
}

std::vector<double> CurveSnake::newton_step(const std::vector<Parameter>& parameters,
                                            const std::vector<Slope>& slopes, double width) const {
  const std::size_t n = parameters.size();
  double mean = 0;
  for (const Slope& slope : slopes) mean += std::max(slope.second, 0.0) / static_cast<double>(n);
  if (!(mean > 0)) return std::vector<double>(n, 0);
  // Parameters of nodes up to three apart.
  const bool has_two = n > spline_.nodes.size();
  const std::size_t reach = std::min<std::size_t>(has_two ? 7 : 3, (n - 1) / 2);
  const auto product = [&](std::size_t p, std::size_t q) {
    return controls_.inner_product(parameters[p].node, parameters[q].node) *
           dot(parameters[p].direction, parameters[q].direction);
  };
  std::vector<double> root(n), band(n * (2 * reach + 1));
  for (std::size_t p = 0; p < n; ++p) {
    root[p] = std::sqrt(std::max(slopes[p].second, mean) / product(p, p));
  }
  for (std::size_t p = 0; p < n; ++p) {
    for (std::size_t k = 0; k <= 2 * reach; ++k) {
      const std::size_t q = (p + n - reach + k) % n;
      band[p * (2 * reach + 1) + k] = root[p] * root[q] * product(p, q);
    }
  }
  const auto times_band = [&](const std::vector<double>& x) {
    std::vector<double> y(n, 0);
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t k = 0; k <= 2 * reach; ++k) {
        y[p] += band[p * (2 * reach + 1) + k] * x[(p + n - reach + k) % n];
      }
    }
    return y;
  };
  const auto inner = [&](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t p = 0; p < n; ++p) sum += a[p] * b[p];
    return sum;
  };
  // Conjugate gradients; a few are enough, for the basis is well conditioned.
  constexpr int iterations = 8;
  std::vector<double> x(n, 0), rest(n);
  for (std::size_t p = 0; p < n; ++p) rest[p] = -slopes[p].first;
  std::vector<double> direction = rest;
  double squares = inner(rest, rest);
  for (int i = 0; i < iterations && squares > 0; ++i) {
    const std::vector<double> image = times_band(direction);
    const double along = inner(direction, image);
    if (!(along > 0)) break;
    const double factor = squares / along;
    for (std::size_t p = 0; p < n; ++p) {
      x[p] += factor * direction[p];
      rest[p] -= factor * image[p];
    }
    const double next = inner(rest, rest);
    for (std::size_t p = 0; p < n; ++p) direction[p] = rest[p] + next / squares * direction[p];
    squares = next;
  }
  for (double& by : x) by = std::clamp(by, -width, width);
  return x;
}

void CurveSnake::walk(double width, bool is_thorough, bool may_rise, const Control& control) {
  const int most_steps = is_thorough ? 6 : 2;
  for (int i = 0; i < most_steps; ++i) {
    control.step(0);
    const std::vector<Parameter> all = parameters(is_thorough);
    if (!step(all, newton_step(all, slopes(all, width), width), may_rise)) return;
  }
}

bool CurveSnake::step(const std::vector<Parameter>& parameters, std::vector<double> by,
                      bool may_rise) {
  constexpr int attempts = 2;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    std::vector<Point> places;
    for (const SplineNode& node : spline_.nodes) places.push_back(in_grid_steps(node.at));
    for (std::size_t p = 0; p < by.size(); ++p) {
      Point& place = places[parameters[p].node];
      place = place + by[p] * grid_steps_per_pixel * parameters[p].direction;
    }
    Spline to = spline_;
    for (std::size_t i = 0; i < places.size(); ++i) to.nodes[i].at = rounded(places[i]);
    if (to == spline_) return false;
    CurveSnake next = *this;
    next.become(std::move(to));
    const bool is_better = may_rise || next.value_ < value_ - worth_moving;
    if (is_better && criterion_->is_divided_by(next.inside_)) {
      const std::vector<std::size_t> blocked = next.blocked_nodes();
      if (blocked.empty() && next.is_in_place()) {
        *this = std::move(next);
        return true;
      }
      for (std::size_t p = 0; p < by.size(); ++p) {
        const bool is_blocked =
            std::find(blocked.begin(), blocked.end(), parameters[p].node) != blocked.end();
        if (is_blocked) by[p] = 0;
      }
      if (!blocked.empty()) continue;
    }
    for (double& pixels : by) pixels /= 2;
  }
  return false;
}

std::vector<std::size_t> CurveSnake::blocked_nodes() const {
  const Box& limits = surroundings_->limits;
  const auto is_free = [&](const engine::ContourEdge& edge) {
    return edge.from.x >= limits.low.x && edge.from.y >= limits.low.y &&
           edge.from.x <= limits.high.x && edge.from.y <= limits.high.y &&
           (surroundings_->obstacles == nullptr || !surroundings_->obstacles->touches(edge));
  };
  std::vector<std::size_t> found;
  std::size_t edge = 0;
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    bool is_blocked = false;
    for (; edge < ends_[i]; ++edge) is_blocked = is_blocked || !is_free(edges_[edge]);
    for (std::size_t c = 0; c < 4 && is_blocked; ++c) found.push_back(controls_.node(i + c));
  }
  return found;
}

}  // namespace meander::contour
