// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cmath>
#include <numeric>

#include "contour/geometry/spline_parts.hpp"
#include "meander/segment.hpp"

namespace meander {
namespace contour {
namespace {

using Bezier = std::array<Point, 4>;

/// Of a uniform cubic B-spline.
Bezier bezier_of(const std::array<Point, 4>& p) {
  constexpr double sixth = 1.0 / 6, third = 1.0 / 3;
  return {sixth * (p[0] + 4 * p[1] + p[2]), third * (2 * p[1] + p[2]), third * (p[1] + 2 * p[2]),
          sixth * (p[1] + 4 * p[2] + p[3])};
}

void append_flattened(const Bezier& b, std::vector<engine::ContourEdge>& edges) {
  constexpr double most_error = grid_steps_per_pixel / 20.0;
  // A chord is away from a curve by an eighth of its second derivative times the square of a step.
  const double bend =
      6 * std::max(length_of(b[0] - 2 * b[1] + b[2]), length_of(b[1] - 2 * b[2] + b[3]));
  constexpr double most_parts = 256;
  const double parts = std::clamp(std::ceil(std::sqrt(bend / (8 * most_error))), 1.0, most_parts);
  GridPoint last = rounded(b[0]);
  const auto go_to = [&](GridPoint point) {
    if (point == last) return;
    edges.push_back({last, point});
    last = point;
  };
  // From either end the same points.
  for (double i = 1; i < parts; ++i) {
    const double t = i / parts, s = (parts - i) / parts, product = 3 * (s * t);
    go_to(rounded(((s * s * s) * b[0] + (t * t * t) * b[3]) +
                  ((product * s) * b[1] + (product * t) * b[2])));
  }
  go_to(rounded(b[3]));
}

}  // namespace

Point in_grid_steps(GridPoint point) {
  return {static_cast<double>(point.x), static_cast<double>(point.y)};
}

double length_of(Point a) { return std::sqrt(a.x * a.x + a.y * a.y); }

GridPoint rounded(Point a) {
  return {static_cast<std::int64_t>(std::floor(a.x + 0.5)),
          static_cast<std::int64_t>(std::floor(a.y + 0.5))};
}

std::array<double, 4> spline_basis(double t) {
  const double s = 1 - t;
  const auto middle = [](double a) { return (3 * a * a * a - 6 * a * a + 4) / 6; };
  return {s * s * s / 6, middle(t), middle(s), t * t * t / 6};
}

Controls::Controls(const Spline& spline) {
  for (std::size_t i = 0; i < spline.nodes.size(); ++i) {
    first_.push_back(points_.size());
    const std::size_t times = spline.nodes[i].is_corner ? 3 : 1;
    points_.insert(points_.end(), times, in_grid_steps(spline.nodes[i].at));
    nodes_.insert(nodes_.end(), times, i);
  }
  first_.push_back(points_.size());
}

std::array<Point, 4> Controls::bezier(std::size_t i) const {
  std::array<Point, 4> points;
  for (std::size_t k = 0; k < 4; ++k) points[k] = points_[(i + k) % size()];
  return bezier_of(points);
}

void Controls::append(std::size_t i, std::vector<engine::ContourEdge>& edges) const {
  append_flattened(bezier(i), edges);
}

double Controls::inner_product(std::size_t a, std::size_t b) const {
  // Of two basis functions of a uniform cubic spline, so many control points apart.
  constexpr std::array<double, 4> products{151.0 / 315, 397.0 / 1680, 1.0 / 42, 1.0 / 5040};
  double sum = 0;
  for (std::size_t i = first_[a]; i < first_[a + 1]; ++i) {
    for (std::size_t k = first_[b]; k < first_[b + 1]; ++k) {
      const std::size_t away = i > k ? i - k : k - i, apart = std::min(away, size() - away);
      if (apart < 4) sum += products[apart];
    }
  }
  return sum;
}

Spline spline_through(const Polygon& ring, std::size_t nodes, double phase) {
  const std::size_t n = ring.vertices.size();
  // Where a curve bends there are more vertices.
  const double length = ring.perimeter() * grid_steps_per_pixel;
  std::vector<double> until{0};
  for (std::size_t i = 0; i < n; ++i) {
    const double edge =
        length_of(in_grid_steps(ring.vertices[(i + 1) % n]) - in_grid_steps(ring.vertices[i]));
    until.push_back(until.back() + edge / length + 2 / static_cast<double>(n));
  }
  std::vector<Point> places;
  std::size_t edge = 0;
  for (std::size_t k = 0; k < nodes; ++k) {
    const double place =
        until.back() * (static_cast<double>(k) + phase) / static_cast<double>(nodes);
    while (edge + 1 < n && until[edge + 1] <= place) ++edge;
    const double part = (place - until[edge]) / std::max(until[edge + 1] - until[edge], 1e-12);
    const Point a = in_grid_steps(ring.vertices[edge]),
                b = in_grid_steps(ring.vertices[(edge + 1) % n]);
    places.push_back(a + part * (b - a));
  }
  // Each node is moved by what the curve misses its place by.
  std::vector<Point> controls = places;
  constexpr int iterations = 10;
  for (int i = 0; i < iterations; ++i) {
    std::vector<Point> next = controls;
    for (std::size_t k = 0; k < nodes; ++k) {
      std::array<Point, 4> near;
      for (std::size_t m = 0; m < 4; ++m) near[m] = controls[(k + nodes - 1 + m) % nodes];
      next[k] = next[k] + (places[k] - bezier_of(near)[0]);
    }
    controls.swap(next);
  }
  Spline spline;
  for (const Point& control : controls) spline.nodes.push_back({rounded(control), false});
  return spline;
}

std::vector<std::size_t> Controls::first_edges(std::vector<engine::ContourEdge>& edges) const {
  std::vector<std::size_t> first;
  for (std::size_t i = 0; i < size(); ++i) {
    first.push_back(edges.size());
    append(i, edges);
  }
  return first;
}

}  // namespace contour

Polygon flattened(const Spline& spline) {
  std::vector<engine::ContourEdge> edges;
  contour::Controls(spline).first_edges(edges);
  Polygon polygon;
  for (const engine::ContourEdge& edge : edges) polygon.vertices.push_back(edge.from);
  return polygon;
}

std::vector<std::size_t> vertices_of_nodes(const Spline& spline) {
  const contour::Controls controls(spline);
  std::vector<engine::ContourEdge> edges;
  const std::vector<std::size_t> first = controls.first_edges(edges);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < spline.nodes.size(); ++i) {
    // A cubic begins beside its second control point; of a corner's three the middle one counts.
    const std::size_t piece = controls.first_piece_of(i) + (spline.nodes[i].is_corner ? 3 : 2);
    found.push_back(first[piece % controls.size()] % edges.size());
  }
  return found;
}

const Spline* spline_of(const Outline& outline, std::size_t ring) {
  const bool is_curve = ring < outline.splines.size() && !outline.splines[ring].nodes.empty();
  return is_curve ? &outline.splines[ring] : nullptr;
}

std::vector<std::size_t> nodes_of(const Outline& outline, std::size_t ring) {
  if (const Spline* spline = spline_of(outline, ring)) return vertices_of_nodes(*spline);
  const Polygon& polygon = ring == 0 ? outline.polygon : outline.holes.at(ring - 1);
  std::vector<std::size_t> all(polygon.vertices.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

}  // namespace meander
