// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "phantom/raster.hpp"

#include <gtest/gtest.h>

#include "meander/error.hpp"
#include "phantom/philox.hpp"

namespace meander::phantoms {
namespace {

constexpr std::int64_t width = 23, height = 17;

/// Winding number of the polygon about the pixel, counted in quadrants around the point (x + d, y +
/// d^2) for a vanishing d: it shares neither the row sweep nor the division with the code under
/// test.
int winding_number(const Polygon& polygon, std::int64_t px, std::int64_t py) {
  const auto quadrant = [&](const GridPoint& p) {
    const bool right = p.x > 256 * px, below = p.y > 256 * py;
    return below ? (right ? 0 : 1) : (right ? 3 : 2);
  };
  int quarters = 0;
  for (std::size_t i = 0; i < polygon.vertices.size(); ++i) {
    const GridPoint a = polygon.vertices[i];
    const GridPoint b = polygon.vertices[(i + 1) % polygon.vertices.size()];
    const int turn = (quadrant(b) - quadrant(a) + 4) % 4;
    if (turn != 2) {
      quarters += turn == 3 ? -1 : turn;
      continue;
    }
    const std::int64_t cross =
        (a.x - 256 * px) * (b.y - 256 * py) - (a.y - 256 * py) * (b.x - 256 * px);
    const bool positive = cross != 0 ? cross > 0 : (a.y != b.y ? a.y > b.y : b.x > a.x);
    quarters += positive ? 2 : -2;
  }
  return quarters / 4;
}

/// Corners on `step` sub-pixels, some of them outside the image; steps of 256 and 128 put many of
/// them, and many edges, exactly on pixel centres.
Polygon random_polygon(UniformSequence& random, std::size_t corners, std::int64_t step) {
  Polygon polygon;
  const auto coordinate = [&](std::int64_t length) {
    const double pixels = static_cast<double>(length + 8) * random.next() - 4;
    return static_cast<std::int64_t>(pixels * 256) / step * step;
  };
  for (std::size_t i = 0; i < corners; ++i)
    polygon.vertices.push_back({coordinate(width), coordinate(height)});
  return polygon;
}

std::vector<int> summed_crossings(const Polygon& polygon, const Band& band) {
  std::vector<Crossing> crossings;
  add_crossings(polygon, 1, band, crossings);
  std::vector<int> sums(static_cast<std::size_t>(width * height), 0);
  for (const Crossing& c : crossings) {
    for (std::int64_t x = c.column; x < width; ++x)
      sums.at(static_cast<std::size_t>(c.row * width + x)) += c.change;
  }
  return sums;
}

TEST(Raster, CrossingsSumToTheWindingNumber) {
  UniformSequence random(1, 0, Purpose::geometry);
  for (int round = 0; round < 400; ++round) {
    const std::int64_t step = std::array{256, 128, 1}[static_cast<std::size_t>(round % 3)];
    const Polygon polygon = random_polygon(random, 3 + static_cast<std::size_t>(round % 9), step);
    const std::vector<int> sums = summed_crossings(polygon, {width, 0, 0, height});
    for (std::int64_t i = 0; i < width * height; ++i) {
      ASSERT_EQ(sums[static_cast<std::size_t>(i)], winding_number(polygon, i % width, i / width))
          << round;
    }
  }
}

TEST(Raster, LargeCoordinatesAreExact) {
  // A long edge through (999,990; 999,990) exactly, on the pixel, and 1/256 to its right.
  const std::int64_t far = 999999 * 256;
  const std::int64_t near = 999990 * 256;
  for (const std::int64_t shift : {0, 1}) {
    const Polygon polygon{{{shift, 0}, {shift + far, 0}, {shift + far, far}}};
    std::vector<Crossing> crossings;
    add_crossings(polygon, 1, {1000000, 0, near / 256, near / 256 + 1}, crossings);
    ASSERT_EQ(crossings.size(), 2u);
    EXPECT_EQ(std::min(crossings[0].column, crossings[1].column), 999990 + shift);
  }
}

TEST(Raster, NeighboursShareNoPixelAndLeaveNoneOut) {
  UniformSequence random(2, 0, Purpose::geometry);
  for (int round = 0; round < 100; ++round) {
    const GridPoint a{512, 256}, c{19 * 256, 15 * 256};
    const GridPoint b{16 * 256, static_cast<std::int64_t>(1024 * random.next())};
    const GridPoint d{static_cast<std::int64_t>(600 * random.next()), 14 * 256};
    const Band band{width, 0, 0, height};
    const auto whole = summed_crossings({{a, b, c, d}}, band);
    const auto first = summed_crossings({{a, b, c}}, band);
    const auto second = summed_crossings({{a, c, d}}, band);
    for (std::size_t i = 0; i < whole.size(); ++i) ASSERT_EQ(first[i] + second[i], whole[i]);
  }
}

TEST(Raster, RegionsAddAndBandsFit) {
  const Polygon outer{{{256, 256}, {256 * 12, 256}, {256 * 12, 256 * 12}, {256, 256 * 12}}};
  const Polygon inner{
      {{256 * 4, 256 * 4}, {256 * 8, 256 * 4}, {256 * 8, 256 * 8}, {256 * 4, 256 * 8}}};
  const std::vector<Region> regions{{outer, 10}, {inner, -7}};
  std::vector<std::uint8_t> tenths(width * height, 99);
  for (std::int64_t y = 0; y < height; y += 3) {
    const Band band{width, 0, y, std::min(y + 3, height)};
    rasterise(regions, band, tenths.data() + y * width);
  }
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      const bool in_outer = x >= 1 && x < 12 && y >= 1 && y < 12;
      const bool in_inner = x >= 4 && x < 8 && y >= 4 && y < 8;
      ASSERT_EQ(tenths[static_cast<std::size_t>(y * width + x)], in_inner   ? 3
                                                                 : in_outer ? 10
                                                                            : 0)
          << x << " " << y;
    }
  }
}

TEST(Raster, SumsOutsideTheScaleAreAFault) {
  const Polygon square{{{0, 0}, {1024, 0}, {1024, 1024}, {0, 1024}}};
  std::vector<std::uint8_t> tenths(width * height);
  const Band band{width, 0, 0, height};
  const std::vector<Region> negative{{square, -1}}, excessive{{square, 10}, {square, 1}};
  EXPECT_THROW(rasterise(negative, band, tenths.data()), LogicError);
  EXPECT_THROW(rasterise(excessive, band, tenths.data()), LogicError);
}

}  // namespace
}  // namespace meander::phantoms
