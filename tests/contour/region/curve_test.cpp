// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <functional>
#include <numbers>

#include "contour/region/segment_testing.hpp"
#include "meander/objects.hpp"
#include "meander/outline_text.hpp"

namespace meander {
namespace {

using testing::all_devices;

using IsInside = std::function<bool(double x, double y)>;

/// A contrast of 100 in noise of 100 / snr, from the phantom's generator.
Image picture(const Shape& shape, double snr, const IsInside& is_inside, std::uint64_t seed = 1) {
  const Image noise = phantom({.kind = PhantomKind::constant,
                               .size = shape,
                               .noise = {.family = NoiseFamily::gaussian},
                               .snr = 4,
                               .seed = seed});
  // Its own deviation.
  double sum = 0, squares = 0;
  for (const double value : testing::values_of(noise)) sum += value, squares += value * value;
  const auto pixels = static_cast<double>(shape.x * shape.y);
  const double mean = sum / pixels, sigma = std::sqrt(squares / pixels - mean * mean);
  Image image = Image::allocate({.shape = shape, .type = PixelType::u16});
  for (std::int64_t y = 0; y < shape.y; ++y) {
    for (std::int64_t x = 0; x < shape.x; ++x) {
      const double level = is_inside(static_cast<double>(x), static_cast<double>(y)) ? 2100 : 2000;
      const double here = (noise.row<std::uint16_t>(y)[x] - mean) / sigma * 100 / snr;
      image.mutable_row<std::uint16_t>(y)[x] =
          static_cast<std::uint16_t>(std::lround(level + here));
    }
  }
  return image;
}

double overlap(const Outline& outline, const Shape& shape, const IsInside& is_inside) {
  Image mask = testing::blank_mask(shape.x, shape.y);
  const Region region{outline.polygon, outline.holes};
  fill_mask(std::span(&region, 1), mask, 0);
  double both = 0, either = 0;
  for (std::int64_t y = 0; y < shape.y; ++y) {
    for (std::int64_t x = 0; x < shape.x; ++x) {
      const bool a = mask.row<std::uint8_t>(y)[x] > 0;
      const bool b = is_inside(static_cast<double>(x), static_cast<double>(y));
      both += a && b ? 1 : 0, either += a || b ? 1 : 0;
    }
  }
  return both / either;
}

std::int64_t corners_of(const Spline& spline) {
  return std::count_if(spline.nodes.begin(), spline.nodes.end(),
                       [](const SplineNode& node) { return node.is_corner; });
}

bool is_disc(double x, double y) { return std::hypot(x - 81.3, y - 78.6) < 50; }
bool is_square(double x, double y) { return std::max(std::abs(x - 80), std::abs(y - 77)) < 45; }
/// With two corners.
bool is_half_disc(double x, double y) { return std::hypot(x - 80, y - 105) < 60 && y < 105; }

Spline pentagon(bool is_corner) {
  Spline spline;
  for (int i = 0; i < 5; ++i) {
    const double angle = 2 * std::numbers::pi * i / 5;
    spline.nodes.push_back(
        {on_grid(50 + 40 * std::cos(angle), 50 + 40 * std::sin(angle)), is_corner});
  }
  return spline;
}

TEST(Spline, OfCornersIsAPolygon) {
  const Spline spline = pentagon(true);
  Polygon plain;
  for (const SplineNode& node : spline.nodes) plain.vertices.push_back(node.at);
  // Vertices between corners are rounded to the grid: half a step aside over the whole length.
  EXPECT_NEAR(flattened(spline).signed_area(), plain.signed_area(), plain.perimeter() / 512);
  const std::vector<std::size_t> nodes = vertices_of_nodes(spline);
  ASSERT_EQ(nodes.size(), 5U);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    EXPECT_EQ(flattened(spline).vertices[nodes[i]], spline.nodes[i].at);
  }
}

/// Of five nodes on a circle of 40 it is nearly a circle: r (2/3 + cos(72°) / 3) at the nodes.
TEST(Spline, OfSmoothNodesIsRound) {
  const Polygon round = flattened(pentagon(false));
  const double radius = 40 * (2.0 / 3 + std::cos(2 * std::numbers::pi / 5) / 3);
  EXPECT_NEAR(round.signed_area(), std::numbers::pi * radius * radius,
              0.02 * std::numbers::pi * radius * radius);
  EXPECT_TRUE(is_simple(round));
}

TEST(Spline, IsTheSameTheOtherWayRound) {
  Spline spline = pentagon(false);
  spline.nodes[2].is_corner = true;
  std::vector<GridPoint> there = flattened(spline).vertices;
  std::reverse(spline.nodes.begin(), spline.nodes.end());
  std::vector<GridPoint> back = flattened(spline).vertices;
  const auto before = [](GridPoint a, GridPoint b) { return a.x != b.x ? a.x < b.x : a.y < b.y; };
  std::sort(there.begin(), there.end(), before), std::sort(back.begin(), back.end(), before);
  EXPECT_EQ(there, back);
}

/// A circle is known to 1 / (SNR^2 / 2 * perimeter) of a pixel at best; a polygon of a dozen nodes
/// is .2 pixels off on average.
TEST(Curve, DiscIsRound) {
  const Shape shape{160, 160, 1};
  for (const double snr : {1.0, 2.0}) {
    const Image image = picture(shape, snr, is_disc);
    const Outline curve = segment(image, {}).outlines.at(0);
    const Outline polygon = segment(image, {.shape = OutlineShape::polygon}).outlines.at(0);
    ASSERT_EQ(curve.splines.size(), 1U);
    EXPECT_TRUE(polygon.splines.empty());
    EXPECT_LE(curve.splines[0].nodes.size(), 16U);
    EXPECT_EQ(corners_of(curve.splines[0]), 0);
    EXPECT_EQ(curve.polygon, flattened(curve.splines[0]));
    EXPECT_EQ(curve.confidence.size(), curve.splines[0].nodes.size());
    EXPECT_GT(overlap(curve, shape, is_disc), 0.99);
    EXPECT_GT(overlap(curve, shape, is_disc), overlap(polygon, shape, is_disc));
  }
}

TEST(Curve, SquareIsAPolygonUnlessACurveIsAskedFor) {
  const Shape shape{160, 160, 1};
  const Image image = picture(shape, 2, is_square);
  const Outline square = segment(image, {}).outlines.at(0);
  EXPECT_TRUE(square.splines.empty());
  EXPECT_LE(square.polygon.vertices.size(), 6U);
  const Outline curve = segment(image, {.shape = OutlineShape::curve}).outlines.at(0);
  ASSERT_EQ(curve.splines.size(), 1U);
  EXPECT_GT(overlap(curve, shape, is_square), 0.95);
}

TEST(Curve, CornersAreWhereTheyAre) {
  const Shape shape{160, 160, 1};
  const Image image = picture(shape, 4, is_half_disc);
  const Outline curve = segment(image, {}).outlines.at(0);
  ASSERT_EQ(curve.splines.size(), 1U);
  EXPECT_GT(overlap(curve, shape, is_half_disc), 0.99);
  EXPECT_GE(corners_of(curve.splines[0]), 1);
  for (const SplineNode& node : curve.splines[0].nodes) {
    if (!node.is_corner) continue;
    const auto [x, y] = in_pixels(node.at);
    EXPECT_LT(std::min(std::hypot(x - 20, y - 105), std::hypot(x - 140, y - 105)), 6);
  }
}

TEST(Curve, ClassicScheduleHasPolygons) {
  const Image image = picture({160, 160, 1}, 2, is_disc);
  EXPECT_TRUE(
      segment(image, {.schedule = SegmentSchedule::classic}).outlines.at(0).splines.empty());
  EXPECT_THROW(segment(image, {.schedule = SegmentSchedule::classic, .shape = OutlineShape::curve}),
               InvalidArgument);
}

/// What is small, thin, or at the border stays simple, within the image, and as good as a polygon.
TEST(Curve, HardShapesAreNoWorse) {
  const Shape shape{120, 100, 1};
  const std::vector<IsInside> shapes{
      [](double x, double y) { return std::max(std::abs(x - 60), std::abs(y - 50)) < 1.6; },
      [](double x, double y) { return std::abs(x - y) < 2.5 && x > 20 && x < 90; },
      [](double x, double y) { return std::hypot(x - 2, y - 50) < 24; },
      [](double x, double y) { return std::hypot(x - 119, y - 99) < 40; },
      [](double x, double y) {
        return std::hypot(x - 60, y - 50) < 44 && std::hypot(x - 60, y - 50) > 38;
      },
  };
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const Image image = picture(shape, 6, shapes[i]);
    const auto best = [&](OutlineShape kind) {
      ObjectOptions options;
      options.search.shape = kind;
      const SegmentResult found = segment_objects(image, options);
      double most = 0;
      for (const Outline& outline : found.outlines) {
        EXPECT_TRUE(is_simple(outline.polygon)) << i;
        for (const GridPoint p : outline.polygon.vertices) {
          EXPECT_TRUE(p.x >= -128 && p.y >= -128 && p.x <= 120 * 256 - 128 &&
                      p.y <= 100 * 256 - 128)
              << i;
        }
        most = std::max(most, overlap(outline, shape, shapes[i]));
      }
      return most;
    };
    EXPECT_GE(best(OutlineShape::automatic), best(OutlineShape::polygon) - 0.01) << i;
    EXPECT_GE(best(OutlineShape::curve), best(OutlineShape::polygon) - 0.1) << i;
  }
}

/// Its first curve leaves the image; nodes draw back from the border.
TEST(Curve, StaysInTheImage) {
  const IsInside cut = [](double x, double y) { return std::hypot(x - 4, y - 60) < 40; };
  const Image image = picture({120, 120, 1}, 3, cut);
  const Outline outline = segment(image, {.shape = OutlineShape::curve}).outlines.at(0);
  ASSERT_EQ(outline.splines.size(), 1U);
  for (const GridPoint p : outline.polygon.vertices) EXPECT_GE(p.x, -grid_steps_per_pixel / 2);
  EXPECT_GT(overlap(outline, image.shape(), cut), 0.9);
}

TEST(Curve, OfAHoleRunsTheOtherWay) {
  const IsInside ring = [](double x, double y) {
    const double r = std::hypot(x - 80, y - 80);
    return r < 60 && r > 30;
  };
  const Image image = picture({160, 160, 1}, 3, ring);
  const SegmentResult found = segment_objects(image, {});
  ASSERT_EQ(found.outlines.size(), 1U);
  const Outline& outline = found.outlines[0];
  ASSERT_EQ(outline.holes.size(), 1U);
  ASSERT_EQ(outline.splines.size(), 2U);
  EXPECT_EQ(outline.holes[0], flattened(outline.splines[1]));
  EXPECT_LT(outline.holes[0].signed_area(), 0);
  EXPECT_GT(overlap(outline, image.shape(), ring), 0.985);
}

TEST(Curve, IsTheSameOnEveryDevice) {
  const Image image = picture({160, 160, 1}, 1, is_disc);
  const std::vector<Spline> expected = segment_objects(image, {}).outlines.at(0).splines;
  ASSERT_FALSE(expected.empty());
  for (const Device& device : all_devices()) {
    const SegmentResult found = segment_objects(device.upload(image), {});
    EXPECT_EQ(found.outlines.at(0).splines, expected) << device.name();
  }
}

}  // namespace
}  // namespace meander
