// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/geometry/polyline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace meander::contour {
namespace {

/// On either side of where a point of equal share of the length lies.
constexpr std::int64_t edges_looked_at = 4;

double distance(const Point& a, const Point& b) { return std::hypot(b.x - a.x, b.y - a.y); }

/// Of a point from the line between two others, squared.
double squared_distance(const Point& p, const Point& a, const Point& b) {
  const double x = b.x - a.x, y = b.y - a.y, squared = x * x + y * y;
  const double part = squared > 0 ? ((p.x - a.x) * x + (p.y - a.y) * y) / squared : 0;
  const double at = std::clamp(part, 0.0, 1.0);
  const double to_x = p.x - (a.x + at * x), to_y = p.y - (a.y + at * y);
  return to_x * to_x + to_y * to_y;
}

Point between(const Point& a, const Point& b, double part) {
  return {a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)};
}

}  // namespace

double Polyline::length() const {
  double sum = 0;
  for (std::size_t i = 0; i < edges(); ++i) sum += distance(points[i], next(i));
  return sum;
}

namespace {

/// Twice the area, and six times its moments, counted from the first point, so that places far from
/// the origin lose no digits.
struct Moments {
  double area = 0, x = 0, y = 0;
};
Moments moments_of(const Polyline& line) {
  Moments sum;
  const Point origin = line.points.front();
  for (std::size_t i = 0; i < line.points.size(); ++i) {
    const Point &p = line.points[i], &q = line.next(i);
    const Point a{p.x - origin.x, p.y - origin.y}, b{q.x - origin.x, q.y - origin.y};
    const double twice = a.x * b.y - b.x * a.y;
    sum.area += twice;
    sum.x += twice * (a.x + b.x);
    sum.y += twice * (a.y + b.y);
  }
  return sum;
}

}  // namespace

double Polyline::area() const { return points.empty() ? 0 : moments_of(*this).area / 2; }

Point Polyline::middle() const {
  const Moments sum = moments_of(*this);
  return {points.front().x + sum.x / (3 * sum.area), points.front().y + sum.y / (3 * sum.area)};
}

Polyline polyline_of(const Curve& curve) {
  Polyline line{.is_open = curve.is_open};
  for (const GridPoint& p : curve.points) line.points.push_back(in_pixels(p));
  return line;
}

Curve on_grid(const Polyline& line) {
  Curve curve{.is_open = line.is_open};
  for (const Point& p : line.points) curve.points.push_back(meander::on_grid(p.x, p.y));
  return curve;
}

std::size_t count_for(const Polyline& line, double spacing, std::size_t least) {
  const auto edges = static_cast<std::size_t>(std::llround(line.length() / spacing));
  return std::max(edges + (line.is_open ? 1 : 0), least);
}

Polyline resampled(const Polyline& line, std::size_t count, double offset) {
  const double length = line.length();
  const double apart = length / static_cast<double>(count - (line.is_open ? 1 : 0));
  Polyline out{.points = {}, .is_open = line.is_open};
  std::size_t edge = 0;
  double begin = 0, size = distance(line.points[0], line.next(0));
  const double first = line.is_open ? 0 : std::fmod(std::fmod(offset, length) + length, length);
  for (std::size_t k = 0; k < count; ++k) {
    const double at = first + apart * static_cast<double>(k);
    while (begin + size < at && (edge + 1 < line.edges() || !line.is_open)) {
      begin += size;
      edge = (edge + 1) % line.points.size();
      size = distance(line.points[edge], line.next(edge));
    }
    const double part = size > 0 ? std::clamp((at - begin) / size, 0.0, 1.0) : 0;
    out.points.push_back(between(line.points[edge], line.next(edge), part));
  }
  if (line.is_open) out.points.back() = line.points.back();
  return out;
}

double mean_slide(const Polyline& from, const Polyline& to) {
  double sum = 0;
  for (std::size_t i = 0; i < from.points.size(); ++i) {
    const Point &a = from.previous(i), &b = from.next(i), &p = from.points[i], &q = to.points[i];
    const double along = distance(a, b);
    if (along > 0) sum += ((q.x - p.x) * (b.x - a.x) + (q.y - p.y) * (b.y - a.y)) / along;
  }
  return sum / static_cast<double>(from.points.size());
}

double largest_move(const Polyline& from, const Polyline& to) {
  const auto count = static_cast<std::int64_t>(from.points.size());
  const auto edges = static_cast<std::int64_t>(from.edges());
  double largest = 0;
  for (std::size_t i = 0; i < to.points.size(); ++i) {
    const auto middle = static_cast<std::int64_t>(i * from.points.size() / to.points.size());
    double nearest = std::numeric_limits<double>::infinity();
    for (std::int64_t k = middle - edges_looked_at; k <= middle + edges_looked_at; ++k) {
      if (from.is_open && (k < 0 || k >= edges)) continue;
      const auto edge = static_cast<std::size_t>((k % count + count) % count);
      nearest =
          std::min(nearest, squared_distance(to.points[i], from.points[edge], from.next(edge)));
    }
    largest = std::max(largest, nearest);
  }
  return std::sqrt(largest);
}

}  // namespace meander::contour

namespace meander {

double Curve::length() const { return contour::polyline_of(*this).length(); }

}  // namespace meander
