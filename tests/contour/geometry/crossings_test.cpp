// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/geometry/crossings.hpp"

#include <gtest/gtest.h>

#include <array>

#include "contour/geometry/polygon_testing.hpp"

namespace meander::contour {
namespace {

using phantoms::Purpose;
using phantoms::UniformSequence;
using testing::winding_number;

constexpr std::int64_t width = 23, height = 17;

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

std::vector<int> summed_crossings(const Polygon& polygon, const RowBand& band) {
  std::vector<Crossing> crossings;
  add_crossings(polygon, 1, band, crossings);
  std::vector<int> sums(static_cast<std::size_t>(width * height), 0);
  for (const Crossing& c : crossings) {
    for (std::int64_t x = c.column; x < width; ++x)
      sums.at(static_cast<std::size_t>(c.row * width + x)) += c.change;
  }
  return sums;
}

TEST(Crossings, SumToTheWindingNumber) {
  UniformSequence random(1, 0, Purpose::geometry);
  for (int round = 0; round < 400; ++round) {
    const std::int64_t step = std::array{256, 128, 1}[static_cast<std::size_t>(round % 3)];
    const Polygon polygon = random_polygon(random, 3 + static_cast<std::size_t>(round % 9), step);
    const std::vector<int> sums = summed_crossings(polygon, {width, 0, height});
    for (std::int64_t i = 0; i < width * height; ++i) {
      ASSERT_EQ(sums[static_cast<std::size_t>(i)], winding_number(polygon, i % width, i / width))
          << round;
    }
  }
}

TEST(Crossings, LargeCoordinatesAreExact) {
  // A long edge through (999,990; 999,990) exactly, on the pixel, and 1/256 to its right.
  const std::int64_t far = 999999 * 256;
  const std::int64_t near = 999990 * 256;
  for (const std::int64_t shift : {0, 1}) {
    const Polygon polygon{{{shift, 0}, {shift + far, 0}, {shift + far, far}}};
    std::vector<Crossing> crossings;
    add_crossings(polygon, 1, {1000000, near / 256, near / 256 + 1}, crossings);
    ASSERT_EQ(crossings.size(), 2u);
    EXPECT_EQ(std::min(crossings[0].column, crossings[1].column), 999990 + shift);
  }
}

TEST(Crossings, NeighboursShareNoPixelAndLeaveNoneOut) {
  UniformSequence random(2, 0, Purpose::geometry);
  for (int round = 0; round < 100; ++round) {
    const GridPoint a{512, 256}, c{19 * 256, 15 * 256};
    const GridPoint b{16 * 256, static_cast<std::int64_t>(1024 * random.next())};
    const GridPoint d{static_cast<std::int64_t>(600 * random.next()), 14 * 256};
    const RowBand band{width, 0, height};
    const auto whole = summed_crossings({{a, b, c, d}}, band);
    const auto first = summed_crossings({{a, b, c}}, band);
    const auto second = summed_crossings({{a, c, d}}, band);
    for (std::size_t i = 0; i < whole.size(); ++i) ASSERT_EQ(first[i] + second[i], whole[i]);
  }
}

}  // namespace
}  // namespace meander::contour
