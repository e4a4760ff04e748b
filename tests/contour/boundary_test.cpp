// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/boundary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

/// Distances of boundaries, beside those of all pairs of pixels.
namespace meander {
namespace {

/// Row by row, each once.
BoundaryPixels in_order(BoundaryPixels pixels) {
  const auto place = [](const BoundaryPixel& p) { return std::pair(p.y, p.x); };
  std::sort(pixels.begin(), pixels.end(),
            [&](const BoundaryPixel& a, const BoundaryPixel& b) { return place(a) < place(b); });
  const auto end = std::unique(
      pixels.begin(), pixels.end(),
      [&](const BoundaryPixel& a, const BoundaryPixel& b) { return place(a) == place(b); });
  pixels.erase(end, pixels.end());
  return pixels;
}

BoundaryPixels circle(double x, double y, double radius) {
  BoundaryPixels pixels;
  const auto count = static_cast<int>(8 * radius + 1);
  for (int i = 0; i < count; ++i) {
    const double angle = 6.283185307179586 * i / count;
    pixels.push_back({static_cast<std::int32_t>(std::lround(x + radius * std::cos(angle))),
                      static_cast<std::int32_t>(std::lround(y + radius * std::sin(angle)))});
  }
  return in_order(pixels);
}

BoundaryPixels line(std::int32_t x, std::int32_t y, std::int32_t right, std::int32_t down,
                    std::int32_t length) {
  BoundaryPixels pixels;
  for (std::int32_t i = 0; i < length; ++i) pixels.push_back({x + i * right, y + i * down});
  return in_order(pixels);
}

BoundaryPixels together(BoundaryPixels a, const BoundaryPixels& b) {
  a.insert(a.end(), b.begin(), b.end());
  return in_order(a);
}

BoundaryPixels scattered(std::size_t count, std::int32_t side, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<std::int32_t> place(0, side - 1);
  BoundaryPixels pixels;
  while (pixels.size() < count) pixels.push_back({place(random), place(random)});
  return in_order(pixels);
}

/// Of all pairs; distances are added in the order of the pixels, those of `a` first.
BoundaryDistance distance_of_all_pairs(const BoundaryPixels& a, const BoundaryPixels& b) {
  std::vector<double> all;
  for (const auto& [from, to] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    for (const BoundaryPixel& p : *from) {
      std::int64_t least = std::numeric_limits<std::int64_t>::max();
      for (const BoundaryPixel& q : *to) {
        const std::int64_t x = std::int64_t{p.x} - q.x, y = std::int64_t{p.y} - q.y;
        least = std::min(least, x * x + y * y);
      }
      all.push_back(std::sqrt(static_cast<double>(least)));
    }
  }
  BoundaryDistance result;
  for (const double distance : all) result.mean += distance;
  result.mean /= static_cast<double>(all.size());
  std::sort(all.begin(), all.end());
  const double place = 0.95 * static_cast<double>(all.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  result.percentile_95 =
      std::lerp(all[below], all[std::min(below + 1, all.size() - 1)], place - std::floor(place));
  result.max = all.back();
  return result;
}

void expect_exact(const BoundaryPixels& a, const BoundaryPixels& b, const char* what) {
  const BoundaryDistance found = boundary_distance(a, b), expected = distance_of_all_pairs(a, b);
  EXPECT_EQ(found.mean, expected.mean) << what;
  EXPECT_EQ(found.percentile_95, expected.percentile_95) << what;
  EXPECT_EQ(found.max, expected.max) << what;
}

TEST(Boundary, DistancesAreThoseOfAllPairsToTheLastBit) {
  const BoundaryPixels disc = circle(60, 60, 40);
  expect_exact({{3, 4}}, {{0, 0}}, "two pixels");
  expect_exact({{0, 0}}, disc, "a pixel and a circle");
  expect_exact({{60, 60}}, disc, "a pixel in the middle of a circle");
  expect_exact(disc, disc, "the same");
  expect_exact(disc, circle(63, 58, 41), "moved");
  expect_exact(together(disc, circle(60, 60, 20)), disc, "a hole that the other has not");
  expect_exact(together(disc, line(100, 60, 1, 0, 300)), disc, "a spike along x");
  expect_exact(disc, together(disc, line(60, 100, 0, 1, 300)), "a spike along y");
  expect_exact(line(0, 0, 1, 1, 400), line(3, 0, 1, 1, 400), "fibres");
  expect_exact(line(0, 0, 1, 0, 300), line(0, 200, 1, 0, 300), "lines far apart");
  expect_exact(line(0, 0, 0, 1, 300), line(200, 0, 0, 1, 300), "columns far apart");
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const std::size_t count = 1 + 97 * seed % 400;
    expect_exact(scattered(count, 100, seed), scattered(300, 20 + 40 * seed, seed + 100),
                 "scattered");
  }
}

/// For every pixel of one there are 30000 rows to the nearest of the other, all with pixels.
TEST(Boundary, CostDoesNotGrowWithTheDistance) {
  const std::int32_t length = 100000, apart = 30000;
  const BoundaryDistance found =
      boundary_distance(line(0, 0, 0, 1, length), line(apart, 0, 0, 1, length));
  EXPECT_EQ(found.mean, apart);
  EXPECT_EQ(found.percentile_95, apart);
  EXPECT_EQ(found.max, apart);
}

TEST(Boundary, DistanceStopsOnRequest) {
  std::stop_source source;
  source.request_stop();
  const Control stopped{.stop = source.get_token(), .progress = {}};
  EXPECT_THROW(boundary_distance({{0, 0}}, {{1, 1}}, stopped), Cancelled);
}

}  // namespace
}  // namespace meander
