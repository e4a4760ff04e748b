// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "meander/error.hpp"
#include "meander/outline.hpp"

namespace meander {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(OutlineShapes, PointsAreRoundedToTheGrid) {
  EXPECT_EQ(on_grid(1.5, -2), (GridPoint{384, -512}));
  EXPECT_EQ(on_grid(1.0 / 512, -1.0 / 512), (GridPoint{1, 0}));  // halves go up
  EXPECT_EQ(on_grid(0.49 / 256, -0.51 / 256), (GridPoint{0, -1}));
  EXPECT_EQ(on_grid(1048576, -1048576), (GridPoint{1 << 28, -(1 << 28)}));
  for (const double wrong : {nan, infinity, -infinity, 1048576.01, -1048577.0}) {
    EXPECT_THROW(on_grid(wrong, 0), InvalidArgument) << wrong;
    EXPECT_THROW(on_grid(0, wrong), InvalidArgument) << wrong;
  }
}

TEST(OutlineShapes, BoxOfAnyTwoOppositeCorners) {
  const Polygon expected{{{-128, 256}, {640, 256}, {640, 1025}, {-128, 1025}}};
  const double y = 1025.0 / 256;
  EXPECT_EQ(box_outline(-0.5, 1, 2.5, y), expected);
  EXPECT_EQ(box_outline(2.5, y, -0.5, 1), expected);
  EXPECT_EQ(box_outline(2.5, 1, -0.5, y), expected);
  EXPECT_EQ(box_outline(-0.5, y, 2.5, 1), expected);
  EXPECT_GT(expected.signed_area(), 0);
}

TEST(OutlineShapes, EmptyOrWildBoxesAreRefused) {
  EXPECT_THROW(box_outline(1, 1, 1, 2), InvalidArgument);
  EXPECT_THROW(box_outline(1, 2, 3, 2.001), InvalidArgument);  // empty once rounded
  EXPECT_THROW(box_outline(nan, 1, 3, 2), InvalidArgument);
  EXPECT_THROW(box_outline(0, 1, infinity, 2), InvalidArgument);
  EXPECT_THROW(box_outline(0, 1, 5, -2e6), InvalidArgument);
  try {
    box_outline(1, 2, 3, 2);
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(error.what(),
                 "a box from 1,2 to 3,2 is empty, expected corners that differ in x and y");
  }
}

TEST(OutlineShapes, CircleIsConvexSymmetricAndOfTheRightSize) {
  for (const double radius : {0.0625, 0.5, 1.0, 3.0, 6.4, 17.3, 100.0, 5000.0}) {
    const Polygon circle = circle_outline(20.25, -7, radius);
    const std::size_t count = circle.vertices.size();
    ASSERT_GE(count, 8u) << radius;
    ASSERT_LE(count, 64u) << radius;
    for (std::size_t i = 0; i < count; ++i) {
      const GridPoint a = circle.vertices[i], b = circle.vertices[(i + 1) % count],
                      c = circle.vertices[(i + 2) % count];
      const double x = static_cast<double>(a.x) / 256 - 20.25,
                   y = static_cast<double>(a.y) / 256 + 7;
      EXPECT_NEAR(std::hypot(x, y), radius, 0.708 / 256) << radius;
      EXPECT_GT((b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x), 0) << radius;
      const GridPoint turned = circle.vertices[(i + count / 4) % count];
      EXPECT_EQ(turned, (GridPoint{5184 - (a.y + 1792), -1792 + (a.x - 5184)})) << radius;
    }
    const auto n = static_cast<double>(count);
    const double pi = std::acos(-1.0);
    EXPECT_NEAR(circle.signed_area(), n / 2 * radius * radius * std::sin(2 * pi / n),
                2 * pi * radius / 256)
        << radius;
  }
  EXPECT_EQ(circle_outline(0, 0, 1000).vertices.size(), 64u);
  EXPECT_EQ(circle_outline(0, 0, 4).vertices.size(), 8u);
}

TEST(OutlineShapes, WildCirclesAreRefused) {
  for (const double radius : {nan, infinity, 0.0, -3.0, 0.06, 2e6}) {
    EXPECT_THROW(circle_outline(0, 0, radius), InvalidArgument) << radius;
  }
  EXPECT_THROW(circle_outline(nan, 0, 3), InvalidArgument);
  EXPECT_THROW(circle_outline(1048575, 0, 3), InvalidArgument);
}

}  // namespace
}  // namespace meander
