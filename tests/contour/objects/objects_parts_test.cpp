// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/objects/objects_testing.hpp"
#include "contour/objects/pinches.hpp"
#include "contour/objects/split_merge.hpp"
#include "core/image_state.hpp"

/// Outlines that become two where they pinch, and two that become one where they touch.
namespace meander {
namespace {

using namespace testing;

TEST(Bays, AreCountedWhereAnOutlineLeavesItsHull) {
  EXPECT_EQ(contour::bays_of(box_outline(0, 0, 20, 10)), 0);
  EXPECT_EQ(contour::bays_of(circle_outline(50, 50, 30)), 0);
  // Petals: as many bays between them.
  for (const int petals : {2, 3, 5}) {
    EXPECT_EQ(contour::bays_of(flower(50, 50, 30, 0.4, petals).outer), petals);
  }
  // A dent of half a pixel is none, one of two pixels is.
  Polygon dent = box_outline(0, 0, 20, 10);
  dent.vertices.insert(dent.vertices.begin() + 1, on_grid(10, 0.5));
  EXPECT_EQ(contour::bays_of(dent), 0);
  dent.vertices[1] = on_grid(10, 2);
  EXPECT_EQ(contour::bays_of(dent), 1);
}

/// Two squares joined by a neck 4 pixels wide.
TEST(Cuts, RunAcrossTheNeck) {
  Polygon outline;
  for (const auto& [x, y] : {std::pair{0, 0},
                             {30, 0},
                             {30, 13},
                             {40, 13},
                             {40, 0},
                             {70, 0},
                             {70, 30},
                             {40, 30},
                             {40, 17},
                             {30, 17},
                             {30, 30},
                             {0, 30}}) {
    outline.vertices.push_back(on_grid(x, y));
  }
  const std::vector<contour::Halves> cuts = contour::cuts_of(outline, 3);
  ASSERT_FALSE(cuts.empty());
  for (const contour::Halves& halves : cuts) {
    EXPECT_TRUE(is_simple(halves.first) && is_simple(halves.second));
    EXPECT_FALSE(do_touch(halves.first, halves.second));
    EXPECT_GT(std::min(halves.first.signed_area(), halves.second.signed_area()), 880);
    EXPECT_LT(halves.first.signed_area() + halves.second.signed_area(), outline.signed_area());
  }
  EXPECT_TRUE(contour::cuts_of(box_outline(0, 0, 70, 30), 3).empty());
}

/// A snake that was held back by another may have left such things: out and back along an edge,
/// with a barb at the end.
TEST(Spikes, AreCutWhereTheyLeaveAnEdge) {
  const auto ring = [](const std::vector<std::pair<double, double>>& nodes) {
    Polygon polygon;
    for (const auto& [x, y] : nodes) polygon.vertices.push_back(on_grid(x, y));
    return polygon;
  };
  const Polygon barb =
      ring({{10, 10}, {40, 10}, {40, 40}, {39, 70}, {40.2, 71}, {38.2, 71}, {39.3, 40}, {10, 40}});
  for (std::size_t turn = 0; turn < barb.vertices.size(); ++turn) {
    Polygon turned = barb;
    std::rotate(turned.vertices.begin(),
                turned.vertices.begin() + static_cast<std::ptrdiff_t>(turn), turned.vertices.end());
    const Polygon cut = contour::without_spikes(turned);
    EXPECT_NEAR(std::abs(cut.signed_area()), 900, 30) << turn;
    EXPECT_LT(cut.vertices.size(), 7U) << turn;
    EXPECT_TRUE(is_simple(cut)) << turn;
  }
  // Steps of pixels, and an arm of two pixels, are none.
  const Polygon steps = ring({{0, 0}, {5, 0}, {5, 1}, {6, 1}, {6, 2}, {7, 2}, {7, 20}, {0, 20}});
  EXPECT_EQ(contour::without_spikes(steps).vertices.size(), steps.vertices.size());
  const Polygon arm =
      ring({{0, 0}, {10, 0}, {10, 5}, {40, 5}, {40, 7}, {10, 7}, {10, 20}, {0, 20}});
  EXPECT_EQ(contour::without_spikes(arm).vertices.size(), arm.vertices.size());
}

TEST(Joining, HoldsBothAndWhatLiesBetween) {
  const Polygon a = box_outline(10, 10, 30, 40), b = box_outline(31.5, 15, 50, 35);
  EXPECT_TRUE(contour::are_close(a, b, 2));
  EXPECT_FALSE(contour::are_close(a, b, 1));
  const std::vector<Polygon> both = contour::joined(a, b, {100, 100, 1});
  ASSERT_EQ(both.size(), 1u);
  EXPECT_TRUE(is_simple(both[0]));
  EXPECT_NEAR(both[0].signed_area(), 20 * 30 + 20 * 20, 40);
  const Polygon far = box_outline(60, 15, 80, 45);
  EXPECT_EQ(contour::joined(a, far, {100, 100, 1}).size(), 2u);
}

/// Two discs that run into each other, of one level or of two.
Picture two_discs(double first, double second) {
  Picture picture{.width = 200, .height = 120, .sigma = 60};
  picture.objects = {{disc(70, 60, 32), first}, {disc(126, 60, 32), second}};
  return picture;
}

double match(const Outline& outline, const Region& truth, const Picture& picture) {
  return intersection_over_union(region_of(outline), truth, picture.width, picture.height);
}

/// Which of the two pieces of a square, cut in two at x, are objects afterwards.
std::vector<std::size_t> after_merging(double cut) {
  Picture picture{.width = 200, .height = 120, .sigma = 200};
  picture.objects = {{{box_outline(59.5, 19.5, 139.5, 99.5), {}}, 1300}};
  const Image image = picture.image();
  const ObjectOptions options;
  const contour::SumLevels sums(image.state().backend, image.state().view, options.search);
  const contour::Scene scene{.image = &sums, .options = &options, .levels = {}, .family = {}};
  contour::ObjectField field(scene, {{box_outline(59.5, 19.5, cut - 0.5, 99.5), {}},
                                     {box_outline(cut + 0.5, 19.5, 139.5, 99.5), {}}});
  field.lay_windows({true, true});
  contour::merge_objects(field, {});
  std::vector<std::size_t> pieces;
  for (std::size_t i = 0; i < field.size(); ++i) pieces.push_back(field.object(i).start);
  return pieces;
}

TEST(Merging, TheLargerPieceStays) {
  using Pieces = std::vector<std::size_t>;
  EXPECT_EQ(after_merging(135.5), Pieces{0});
  EXPECT_EQ(after_merging(63.5), Pieces{1});
}

TEST(Splitting, DividesDiscsThatTouch) {
  const Picture picture = two_discs(1200, 1200);
  const Image image = picture.image();
  const std::vector<Region> start{{box_outline(50, 45, 146, 75), {}}};
  ObjectOptions options = gaussian();
  EXPECT_EQ(segment_objects(image, options, {start}).outlines.size(), 1u);
  EXPECT_EQ(segment_objects(image, options, {start, true}).outlines.size(), 1u);
  options.split = true;
  const SegmentResult result = segment_objects(image, options, {start});
  ASSERT_EQ(result.outlines.size(), 2u);
  EXPECT_EQ(result.outlines[0].id, 1);
  EXPECT_EQ(result.outlines[1].id, 2);
  expect_side_by_side(result, image.shape());
  const bool is_first_left = result.outlines[0].polygon.vertices[0].x < 98 * 256;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::size_t truth = is_first_left ? i : 1 - i;
    EXPECT_GT(match(result.outlines[i], picture.objects[truth].region, picture), 0.93) << i;
  }
}

/// What does not pinch stays one, whatever its bays.
TEST(Splitting, LeavesOtherShapesAlone) {
  ObjectOptions options = gaussian();
  options.split = true;
  for (const Region& shape : {disc(100, 60, 40), flower(100, 60, 40, 0.25, 3),
                              flower(100, 60, 42, 0.2, 5), annulus(100, 60, 45, 18)}) {
    Picture picture{.width = 200, .height = 120, .sigma = 60};
    picture.objects = {{shape, 1200}};
    const SegmentResult result = segment_objects(picture.image(), options, {{shape}});
    ASSERT_EQ(result.outlines.size(), 1u);
    EXPECT_GT(match(result.outlines[0], shape, picture), 0.95);
  }
}

TEST(Merging, JoinsTheHalvesOfOneObject) {
  Picture picture{.width = 200, .height = 120, .sigma = 60};
  picture.objects = {{disc(100, 60, 40), 1200}};
  const Image image = picture.image();
  const std::vector<Region> starts{{box_outline(70, 40, 96, 80), {}},
                                   {box_outline(104, 40, 130, 80), {}}};
  ObjectOptions options = gaussian();
  EXPECT_EQ(segment_objects(image, options, {starts}).outlines.size(), 2u);
  options.split = options.merge = true;
  const SegmentResult result = segment_objects(image, options, {starts});
  ASSERT_EQ(result.outlines.size(), 1u);
  EXPECT_EQ(result.outlines[0].id, 1);
  EXPECT_GT(match(result.outlines[0], picture.objects[0].region, picture), 0.97);
}

TEST(Merging, KeepsObjectsOfTheirOwnApart) {
  const std::vector<Region> starts{disc(66, 60, 22), disc(130, 60, 22)};
  ObjectOptions options = gaussian();
  options.merge = true;
  for (const double second : {1200.0, 1500.0}) {
    const Picture picture = two_discs(1200, second);
    const SegmentResult result = segment_objects(picture.image(), options, {starts});
    EXPECT_EQ(result.outlines.size(), 2u) << second;
    expect_side_by_side(result, {200, 120, 1});
  }
}

/// Halves of a ring that would close around a disc.
TEST(Merging, LeavesOutWhatWouldCoverAThird) {
  Picture picture{.width = 200, .height = 200, .sigma = 60};
  picture.objects = {{annulus(100, 100, 70, 14), 1200}, {disc(100, 100, 9), 1500}};
  const auto half_ring = [](double from) {
    Polygon ring;
    for (const auto& [radius, sign] : {std::pair{66.0, 1}, std::pair{18.0, -1}}) {
      for (int i = 0; i <= 12; ++i) {
        const double angle = from + (sign > 0 ? i : 12 - i) * std::numbers::pi / 12.5;
        ring.vertices.push_back(
            on_grid(100 + radius * std::cos(angle), 100 + radius * std::sin(angle)));
      }
    }
    return Region{ring, {}};
  };
  const std::vector<Region> starts{half_ring(0.06), half_ring(0.06 + std::numbers::pi),
                                   disc(100, 100, 7)};
  ObjectOptions options = gaussian();
  options.merge = true;
  const SegmentResult result = segment_objects(picture.image(), options, {starts});
  EXPECT_GE(result.outlines.size(), 2u);
  expect_side_by_side(result, {200, 200, 1});
}

/// Discs of one level that only just touch: the outline that moves first takes a flake of the other
/// and has to give it back.
TEST(Borders, LieWhereObjectsMeet) {
  for (const double overlap : {8.0, 4.0, 0.0}) {
    Picture picture{.width = 200, .height = 120, .sigma = 60};
    picture.objects = {{disc(70, 60, 32), 1200}, {disc(134 - overlap, 60, 32), 1200}};
    const std::vector<Region> starts{disc(66, 60, 22), disc(138 - overlap, 60, 22)};
    const SegmentResult result = segment_objects(picture.image(), gaussian(), {starts});
    ASSERT_EQ(result.outlines.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_GT(match(result.outlines[i], picture.objects[i].region, picture), 0.95) << overlap;
    }
    expect_side_by_side(result, {200, 120, 1});
  }
}

TEST(Parts, AreTheSameForAnyNumberOfThreads) {
  ObjectOptions options = gaussian();
  options.split = options.merge = true;
  const Image image = two_discs(1200, 1250).image();
  const std::vector<Region> start{{box_outline(50, 45, 146, 75), {}}};
  set_threads(1);
  const SegmentResult expected = segment_objects(image, options, {start});
  set_threads(5);
  expect_same(segment_objects(image, options, {start}), expected, "5 threads");
  set_threads(0);
  EXPECT_EQ(expected.outlines.size(), 2u);
}

}  // namespace
}  // namespace meander
