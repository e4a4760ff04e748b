// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "contour/geometry/polygon_testing.hpp"

/// is_simple beside every pair of edges, intersected by solving for where they meet.
namespace meander {
namespace {

using phantoms::Purpose;
using phantoms::UniformSequence;
using testing::drawn_below;

std::int64_t cross(const GridPoint& a, const GridPoint& b) { return a.x * b.y - a.y * b.x; }
std::int64_t dot(const GridPoint& a, const GridPoint& b) { return a.x * b.x + a.y * b.y; }
GridPoint operator-(const GridPoint& a, const GridPoint& b) { return {a.x - b.x, a.y - b.y}; }

/// Whether the fraction part / whole lies in 0 … 1.
bool within(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? part >= 0 && part <= whole : part <= 0 && part >= whole;
}

bool on_segment(const GridPoint& p, const GridPoint& a, const GridPoint& b) {
  return cross(b - a, p - a) == 0 && dot(p - a, p - b) <= 0;
}

bool have_common_point(const GridPoint& a, const GridPoint& b, const GridPoint& c,
                       const GridPoint& d) {
  const std::int64_t whole = cross(b - a, d - c);
  if (whole != 0) return within(cross(c - a, d - c), whole) && within(cross(c - a, b - a), whole);
  return on_segment(a, c, d) || on_segment(b, c, d) || on_segment(c, a, b) || on_segment(d, a, b);
}

bool plainly_simple(const Polygon& polygon) {
  const auto& v = polygon.vertices;
  const std::size_t n = v.size();
  if (n < 3) return false;
  for (std::size_t i = 0; i < n; ++i) {
    const GridPoint a = v[i], b = v[(i + 1) % n], c = v[(i + 2) % n];
    if (a == b) return false;
    if (cross(a - b, c - b) == 0 && dot(a - b, c - b) > 0) return false;  // folds back
    for (std::size_t k = i + 2; k < n; ++k) {
      if ((k + 1) % n == i) continue;
      if (have_common_point(a, b, v[k], v[(k + 1) % n])) return false;
    }
  }
  return true;
}

Polygon scattered(UniformSequence& random, std::int64_t count, std::int64_t unit,
                  std::int64_t places) {
  Polygon polygon;
  for (std::int64_t i = 0; i < count; ++i) {
    polygon.vertices.push_back(
        {unit * (drawn_below(places, random) - 2), unit * (drawn_below(places, random) - 2)});
  }
  return polygon;
}

/// Round a centre with growing angle, at `least` to 1 times the radius: simple, but where rounding
/// makes vertices meet.
Polygon round_shape(UniformSequence& random, std::int64_t count, double radius,
                    double least = 0.3) {
  Polygon polygon;
  for (std::int64_t i = 0; i < count; ++i) {
    const double angle = 2 * std::numbers::pi * (static_cast<double>(i) + 0.8 * random.next()) /
                         static_cast<double>(count);
    const double r = radius * (least + (1 - least) * random.next());
    polygon.vertices.push_back(
        {std::llround(r * std::cos(angle)), std::llround(r * std::sin(angle))});
  }
  return polygon;
}

/// One small harm, or none: a vertex twice, on an edge, beyond an edge; a spike; a point within a
/// straight line, which is no harm.
void harm(Polygon& polygon, std::int64_t kind, UniformSequence& random) {
  auto& v = polygon.vertices;
  const auto count = static_cast<std::int64_t>(v.size());
  const std::int64_t i = drawn_below(count, random), k = drawn_below(count, random);
  const GridPoint a = v[static_cast<std::size_t>(k)],
                  b = v[static_cast<std::size_t>((k + 1) % count)];
  const auto even = [](std::int64_t c) { return c - c % 2; };
  if (kind == 0) v.insert(v.begin() + i, v[static_cast<std::size_t>(i)]);
  if (kind == 1) v[static_cast<std::size_t>(i)] = a;
  if (kind == 2) {
    for (GridPoint& p : v) p = {even(p.x), even(p.y)};
    v.insert(v.begin() + k + 1, {(even(a.x) + even(b.x)) / 2, (even(a.y) + even(b.y)) / 2});
  }
  if (kind == 3) v[static_cast<std::size_t>(i)] = {(a.x + b.x) / 2, (a.y + b.y) / 2};
  if (kind == 4)
    v.insert(v.begin() + k + 1, {2 * b.x - a.x, 2 * b.y - a.y});  // overshoots, returns
  if (kind == 5) std::swap(v[static_cast<std::size_t>(i)], v[static_cast<std::size_t>(k)]);
}

struct Tally {
  int simple = 0, others = 0;
  void check(const Polygon& polygon) {
    const bool expected = plainly_simple(polygon);
    ++(expected ? simple : others);
    ASSERT_EQ(is_simple(polygon), expected) << outlines_as_csv(std::span(&polygon, 1));
  }
};

TEST(Simple, FewVerticesOnFewPlaces) {
  UniformSequence random(21, 0, Purpose::geometry);
  Tally tally;
  for (int round = 0; round < 6000 && !HasFatalFailure(); ++round) {
    const std::int64_t unit = std::array{1, 128, 100000}[static_cast<std::size_t>(round % 3)];
    tally.check(scattered(random, drawn_below(8, random), unit, 3 + drawn_below(6, random)));
  }
  EXPECT_GT(tally.simple, 300);
  EXPECT_GT(tally.others, 3000);
}

TEST(Simple, RoundShapesWithOneHarm) {
  UniformSequence random(22, 0, Purpose::geometry);
  Tally tally;
  for (int round = 0; round < 4000 && !HasFatalFailure(); ++round) {
    const double radius = std::array{6.0, 300.0, 40000.0}[static_cast<std::size_t>(round % 3)];
    Polygon polygon = round_shape(random, 3 + drawn_below(60, random), radius);
    harm(polygon, round / 3 % 8, random);
    if (round % 2 == 1) std::reverse(polygon.vertices.begin(), polygon.vertices.end());
    tally.check(polygon);
  }
  EXPECT_GT(tally.simple, 700);
  EXPECT_GT(tally.others, 700);
}

TEST(Simple, KnownShapes) {
  EXPECT_FALSE(is_simple({}));
  EXPECT_FALSE(is_simple({{{0, 0}}}));
  EXPECT_FALSE(is_simple({{{0, 0}, {256, 0}}}));
  EXPECT_TRUE(is_simple({{{0, 0}, {256, 0}, {0, 256}}}));
  EXPECT_FALSE(is_simple({{{0, 0}, {256, 0}, {512, 0}}}));          // flat
  EXPECT_FALSE(is_simple({{{0, 0}, {0, 0}, {256, 0}, {0, 256}}}));  // a vertex twice
  EXPECT_FALSE(is_simple({{{0, 0}, {256, 256}, {256, 0}, {0, 256}}}));
  // Two squares that touch in a vertex; a vertex that touches an edge; edges that lie in a line.
  EXPECT_FALSE(is_simple({{{0, 0}, {2, 0}, {2, 2}, {4, 2}, {4, 4}, {2, 4}, {2, 2}, {0, 2}}}));
  EXPECT_FALSE(is_simple({{{0, 0}, {8, 0}, {8, 8}, {4, 0}, {0, 8}}}));
  EXPECT_FALSE(is_simple({{{0, 0}, {8, 0}, {8, 4}, {6, 4}, {6, 0}, {2, 0}, {2, 4}, {0, 4}}}));
  EXPECT_TRUE(is_simple({{{0, 0}, {4, 0}, {8, 0}, {8, 8}, {0, 8}}}));  // in a straight line
}

TEST(Simple, FarAndLargeCoordinatesAreExact) {
  const std::int64_t far = std::int64_t{1} << 28;
  EXPECT_TRUE(is_simple({{{-far, -far}, {far, -far}, {far, far}, {-far, far}}}));
  // A vertex on the diagonal of the whole range, and one step beside it.
  const Polygon on{{{-far, -far}, {far, far}, {-far, far}, {-1, -1}}};
  const Polygon beside{{{-far, -far}, {far, far}, {-far, far}, {-1, 0}}};
  EXPECT_FALSE(is_simple(on));
  EXPECT_TRUE(is_simple(beside));
}

/// 10^5 vertices: pairs would be 5·10^9, which no test has the time for.
TEST(Simple, ManyVertices) {
  UniformSequence random(23, 0, Purpose::geometry);
  constexpr std::int64_t count = 100000;
  Polygon jagged = round_shape(random, count, 3e7, 0.99);
  EXPECT_TRUE(is_simple(jagged));
  std::swap(jagged.vertices[50000], jagged.vertices[50001]);
  EXPECT_FALSE(is_simple(jagged));

  Polygon comb;  // long teeth side by side
  for (std::int64_t i = 0; i < count / 2; ++i) {
    comb.vertices.push_back({256 * i, i % 2 == 0 ? 0 : 100000});
  }
  comb.vertices.push_back({256 * (count / 2), -256});
  comb.vertices.push_back({-256, -256});
  EXPECT_TRUE(is_simple(comb));
  comb.vertices[20000].y = -256;  // touches the back
  EXPECT_FALSE(is_simple(comb));

  Polygon crumbs = round_shape(random, 3000, 2000);  // all within a few pixels, one vertex far
  crumbs.vertices.front() = {200000000, 0};
  EXPECT_EQ(is_simple(crumbs), plainly_simple(crumbs));
}

}  // namespace
}  // namespace meander
