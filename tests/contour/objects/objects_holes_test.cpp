// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/objects/objects_testing.hpp"

/// Objects with holes, which are outlines of their own inside.
namespace meander {
namespace {

using namespace testing;

double match(const Outline& outline, const Painted& truth, const Picture& picture) {
  return intersection_over_union(region_of(outline), truth.region, picture.width, picture.height);
}

TEST(Holes, BothRingsEndOnTheirEdges) {
  Picture picture{.width = 300, .height = 160};
  picture.objects = {{annulus(80, 80, 60, 30), 1250}, {annulus(220, 80, 55, 24), 800}};
  const std::vector<Region> starts{annulus(83, 78, 50, 22), annulus(217, 82, 62, 16)};
  for (const Background background : {Background::global, Background::local}) {
    ObjectOptions options = gaussian();
    options.background = background;
    const SegmentResult result = segment_objects(picture.image(), options, {starts});
    ASSERT_EQ(result.outlines.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
      const Outline& outline = result.outlines[i];
      ASSERT_EQ(outline.holes.size(), 1u);
      EXPECT_GT(match(outline, picture.objects[i], picture), 0.97) << i;
      EXPECT_EQ(outline.area, outline.polygon.signed_area() + outline.holes[0].signed_area());
      EXPECT_EQ(outline.perimeter, outline.polygon.perimeter() + outline.holes[0].perimeter());
      const std::vector<int> pixels = pixels_of(region_of(outline), picture.width, picture.height);
      EXPECT_EQ(outline.inside.pixels, std::count(pixels.begin(), pixels.end(), 1));
    }
    expect_side_by_side(result, {300, 160, 1});
  }
}

/// What a start says is a hole, and is none, is filled.
TEST(Holes, ThatDoNotShortenTheDescriptionAreFilled) {
  Picture picture{.width = 200, .height = 200};
  picture.objects = {{disc(100, 100, 60), 1300}};
  const SegmentResult result =
      segment_objects(picture.image(), gaussian(), {{annulus(100, 100, 50, 20)}});
  ASSERT_EQ(result.outlines.size(), 1u);
  EXPECT_TRUE(result.outlines[0].holes.empty());
  EXPECT_GT(match(result.outlines[0], picture.objects[0], picture), 0.97);
}

TEST(Holes, SeveralInOneObject) {
  Picture picture{.width = 240, .height = 160};
  Region button = {box_outline(30, 30, 210, 130), {}};
  button.holes = {backwards(circle_outline(80, 80, 22)), backwards(circle_outline(160, 80, 26))};
  picture.objects = {{button, 1300}};
  Region start = {box_outline(40, 38, 200, 122), {}};
  start.holes = {backwards(circle_outline(78, 82, 14)), backwards(circle_outline(163, 79, 15)),
                 backwards(circle_outline(118, 80, 6))};
  const SegmentResult result = segment_objects(picture.image(), gaussian(), {{start}});
  ASSERT_EQ(result.outlines.size(), 1u);
  EXPECT_EQ(result.outlines[0].holes.size(), 2u);
  EXPECT_GT(match(result.outlines[0], picture.objects[0], picture), 0.97);
  expect_side_by_side(result, {240, 160, 1});
}

/// An object in the hole of another: neither swallows the other.
TEST(Holes, MayHoldOtherObjects) {
  Picture picture{.width = 200, .height = 200};
  picture.objects = {{annulus(100, 100, 80, 50), 1250}, {disc(102, 98, 20), 1400}};
  const std::vector<Region> starts{annulus(100, 100, 70, 40), disc(100, 100, 12)};
  const SegmentResult result = segment_objects(picture.image(), gaussian(), {starts});
  ASSERT_EQ(result.outlines.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_GT(match(result.outlines[i], picture.objects[i], picture), 0.95) << i;
  }
  expect_side_by_side(result, {200, 200, 1});
}

/// What another object leaves of a hole is not worth an outline, but filled it would lie over that
/// object.
TEST(Holes, ThatAreTakenStay) {
  Picture picture{.width = 200, .height = 200};
  picture.objects = {{disc(100, 100, 80), 1300}, {disc(100, 100, 20), 1340}};
  const std::vector<Region> starts{annulus(100, 100, 78, 21), disc(100, 100, 19)};
  const SegmentResult result = segment_objects(picture.image(), gaussian(), {starts, true});
  ASSERT_EQ(result.outlines.size(), 2u);
  EXPECT_EQ(result.outlines[0].holes.size(), 1u);
  expect_side_by_side(result, {200, 200, 1});
}

TEST(Holes, AreTheSameForAnyNumberOfThreadsAndOnTheReference) {
  Picture picture{.width = 160, .height = 96};
  picture.objects = {{annulus(48, 48, 36, 16), 1300}, {annulus(120, 48, 30, 12), 700}};
  const Image image = picture.image();
  const std::vector<Region> starts{annulus(46, 48, 30, 10), annulus(121, 47, 26, 8)};
  const SegmentResult expected = segment_objects(image, gaussian(), {starts});
  for (const int count : {1, 5}) {
    set_threads(count);
    expect_same(segment_objects(image, gaussian(), {starts}), expected, std::to_string(count));
  }
  set_threads(0);
  const Device reference = Device::open("reference");
  expect_same(segment_objects(reference.upload(image.clone()), gaussian(), {starts}), expected,
              "reference");
}

}  // namespace
}  // namespace meander
