// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/find.hpp"

#include <gtest/gtest.h>

#include "contour/track/track_testing.hpp"
#include "control_testing.hpp"
#include "meander/phantom.hpp"

namespace meander {
namespace {

using testing::frame_of;

const Shape shape{200, 120, 1};

/// Two bright discs.
Image two_discs() { return frame_of(shape, {{60, 60, 25}, {140, 60, 18}}, 3, 10); }
Image nothing() { return frame_of(shape, {}, 4, 10); }
Region around(double x, double y, double radius) { return {circle_outline(x, y, radius), {}}; }
Curve curve_around(double x, double y, double radius) {
  return {.points = circle_outline(x, y, radius).vertices};
}

TEST(FindOptions, AreSaidByName) {
  const FindOptions options{
      .model = SegmentModel::region_and_edge,
      .region = {.search = {.noise = NoiseModel::gaussian, .shape = OutlineShape::polygon},
                 .min_area = 20},
      .edge = {.sigma = 2, .snake = {.alpha = 0.2, .open = OpenEnds::fixed}}};
  EXPECT_EQ(options.region.search.noise, NoiseModel::gaussian);
  EXPECT_EQ(options.region.min_area, 20);
  EXPECT_EQ(options.edge.snake.open, OpenEnds::fixed);
  EXPECT_THROW(validate(ObjectOptions{.search = {.min_segment = 1}}), InvalidArgument);
  EXPECT_THROW(validate(EdgeOptions{.snake = {.alpha = -1}}), InvalidArgument);
  EXPECT_NO_THROW(validate(options.region));
  EXPECT_NO_THROW(validate(options.edge));
}

TEST(Find, RegionsMoveOntoEdges) {
  const Image image = two_discs();
  const FindResult found = find_outlines(image, {.model = SegmentModel::region_and_edge});
  const SegmentResult region = segment_objects(image, {});
  ASSERT_EQ(region.outlines.size(), 2u);
  std::vector<Curve> starts;
  for (const Outline& outline : region.outlines) {
    starts.push_back({.points = outline.polygon.vertices});
  }
  const EdgeResult edge = segment_edges(image, {}, {.starts = starts});
  EXPECT_EQ(curves_of(*found.region), starts);
  EXPECT_EQ(found.starts, starts);
  EXPECT_EQ(curves_of(found), curves_of(edge));
  EXPECT_NE(curves_of(found), starts);
  EXPECT_TRUE(found.left_out.empty());
}

TEST(Find, WhereNoRegionIsThereIsNoCurve) {
  bool moved = false;
  const FindResult found = find_outlines(nothing(), {.model = SegmentModel::region_and_edge},
                                         {.on_state = [&](const SnakeState&) { moved = true; }});
  EXPECT_TRUE(found.region->outlines.empty());
  ASSERT_TRUE(found.edge);
  EXPECT_TRUE(found.edge->outlines.empty());
  EXPECT_TRUE(found.starts.empty());
  EXPECT_FALSE(moved);
}

TEST(Find, AModelIsUsedAlone) {
  const Image image = two_discs();
  const FindResult region = find_outlines(image, {});
  EXPECT_EQ(region.region->outlines.size(), 2u);
  EXPECT_FALSE(region.edge);
  const std::vector<Curve> starts{curve_around(60, 60, 30)};
  const FindResult edge =
      find_outlines(image, {.model = SegmentModel::edge}, {.curves = starts, .keep_stages = true});
  EXPECT_FALSE(edge.region);
  EXPECT_EQ(edge.starts, starts);
  EXPECT_FALSE(edge.edge->stages.smoothed.empty());
}

TEST(Find, OneStartIsFollowedAnywhere) {
  const Image image = two_discs();
  FindInputs inputs{.regions = {.starts = {around(60, 60, 12)}}};
  const SegmentResult alone =
      segment(image, {}, {.start = inputs.regions.starts.front().outer, .on_change = {}});
  const FindResult free = find_outlines(image, {}, inputs);
  EXPECT_EQ(free.region->outlines.front().polygon, alone.outlines.front().polygon);
  EXPECT_EQ(free.region->figures.evaluations, alone.figures.evaluations);
  const auto expect_bounded = [&](const ObjectOptions& options) {
    const FindResult found = find_outlines(image, {.region = options}, inputs);
    const SegmentResult expected = segment_objects(image, options, inputs.regions);
    EXPECT_EQ(found.region->figures.evaluations, expected.figures.evaluations);
    EXPECT_NE(found.region->figures.evaluations, alone.figures.evaluations);
  };
  expect_bounded({.polarity = Polarity::bright});
  expect_bounded({.within = 30});
  inputs.regions.has_shapes = true;
  expect_bounded({});
}

TEST(Find, OneOutlineIsWatchedWhereItWasAskedFor) {
  const Image image = two_discs();
  std::int64_t changes = 0;
  FindInputs inputs{.on_change = [&](const SegmentState& state) { changes = state.iteration; }};
  EXPECT_EQ(find_outlines(image, {}, inputs).region->outlines.size(), 1u);
  EXPECT_GT(changes, 0);
  inputs.regions.starts = {around(60, 60, 20), around(140, 60, 20)};
  EXPECT_THROW(find_outlines(image, {}, inputs), InvalidArgument);
}

TEST(Find, WhereACurveBeganIsKnownWithoutAStart) {
  std::vector<Curve> told;
  const auto keep_first = [&](const SnakeState& state) {
    if (told.empty()) told.push_back(state.curve);
  };
  const Image image = two_discs();
  const FindOptions options{.model = SegmentModel::edge};
  const FindResult found = find_outlines(image, options, {.on_state = keep_first});
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(found.starts, told);
  EXPECT_EQ(find_outlines(image, options).starts, told);
}

TEST(Find, StartsWithoutShapesAreRough) {
  const Image image = two_discs();
  FindInputs inputs{.curves = {curve_around(60, 60, 34)}};
  for (const bool has_shapes : {false, true}) {
    inputs.are_rough = !has_shapes;
    const EdgeResult expected =
        segment_edges(image, {}, {.starts = inputs.curves, .are_rough = !has_shapes});
    const FindResult found = find_outlines(image, {.model = SegmentModel::edge}, inputs);
    EXPECT_EQ(found.edge->outlines.front().steps, expected.outlines.front().steps) << has_shapes;
    EXPECT_EQ(curves_of(found), curves_of(expected)) << has_shapes;
  }
}

TEST(Find, WhatBoundsLeaveOutIsCounted) {
  using LeftOut = std::map<ObjectBound, std::size_t>;
  const Image image = two_discs();
  const FindResult dark = find_outlines(image, {.region = {.polarity = Polarity::dark}});
  EXPECT_TRUE(dark.region->outlines.empty());
  EXPECT_EQ(dark.left_out, (LeftOut{{ObjectBound::polarity, 2}}));
  EXPECT_EQ(find_outlines(image, {.region = {.min_area = 1500}}).left_out, LeftOut());
  EXPECT_EQ(find_outlines(image, {.region = {.min_area = 5000}}).left_out,
            (LeftOut{{ObjectBound::min_area, 2}}));
  EXPECT_EQ(find_outlines(nothing(), {.region = {.polarity = Polarity::dark}}).left_out, LeftOut());
  FindInputs elsewhere;
  elsewhere.regions.mask = Image::allocate({.shape = shape, .type = PixelType::u8});
  for (std::int64_t y = 0; y < shape.y; ++y) {
    std::fill_n(elsewhere.regions.mask.mutable_row<std::uint8_t>(y), shape.x, y < 4 ? 1 : 0);
  }
  EXPECT_EQ(find_outlines(image, {}, elsewhere).left_out, (LeftOut{{ObjectBound::mask, 2}}));
}

TEST(Find, RefusesStartsOfTheOtherModelAndOptionsAtOnce) {
  bool has_begun = false;
  FindInputs inputs{.on_region = [&](const SegmentResult&) { has_begun = true; }};
  FindOptions options{.model = SegmentModel::region_and_edge, .edge = {.mu = std::nan("")}};
  EXPECT_THROW(find_outlines(two_discs(), options, inputs), InvalidArgument);
  EXPECT_FALSE(has_begun);
  inputs.curves = {curve_around(60, 60, 30)};
  EXPECT_THROW(find_outlines(two_discs(), {}, inputs), InvalidArgument);
  inputs = {.regions = {.starts = {around(60, 60, 12)}}};
  EXPECT_THROW(find_outlines(two_discs(), {.model = SegmentModel::edge}, inputs), InvalidArgument);
}

/// Noise makes the search for a scale of edges begin again.
TEST(Find, ProgressNeverFalls) {
  std::vector<double> progress;
  find_outlines(frame_of(shape, {{60, 60, 25}}, 3, 60), {.model = SegmentModel::region_and_edge},
                {}, {.stop = {}, .progress = [&](double part) { progress.push_back(part); }});
  EXPECT_TRUE(std::is_sorted(progress.begin(), progress.end()));
  EXPECT_EQ(progress.back(), 1);
}

TEST(Find, HearsItsControl) {
  const Image image = two_discs();
  for (const SegmentModel model :
       {SegmentModel::region, SegmentModel::edge, SegmentModel::region_and_edge}) {
    testing::expect_hears(
        [&](const Control& control) { find_outlines(image, {.model = model}, {}, control); });
  }
  testing::expect_hears([&](const Control& control) { find_objects(image, {}, control); });
  testing::expect_hears([&](const Control& control) { segment(image, {}, {}, control); });
  // Its search begins again on the way.
  const Image disc = phantom({.kind = PhantomKind::disc,
                              .size = {96, 96, 1},
                              .noise = {.family = NoiseFamily::gaussian},
                              .snr = 2});
  testing::expect_hears([&](const Control& control) { segment(disc, {}, {}, control); });
  const std::vector<Outline> outlines = segment_objects(image, {}).outlines;
  testing::expect_hears(
      [&](const Control& control) { bounds_against(outlines, {}, {}, shape, control); });
  testing::expect_hears([&](const Control& control) { segment_edges(image, {}, {}, control); });
}

TEST(Find, RegionsAreToldBeforeEdges) {
  std::string order;
  FindInputs inputs;
  inputs.on_region = [&](const SegmentResult& found) {
    EXPECT_EQ(found.outlines.size(), 2u);
    order += 'r';
  };
  inputs.on_state = [&](const SnakeState&) {
    if (order.back() != 'e') order += 'e';
  };
  std::vector<double> progress;
  find_outlines(two_discs(), {.model = SegmentModel::region_and_edge}, inputs,
                {.stop = {}, .progress = [&](double part) { progress.push_back(part); }});
  EXPECT_EQ(order, "re");
  EXPECT_TRUE(std::is_sorted(progress.begin(), progress.end()));
  EXPECT_EQ(progress.back(), 1);
}

TEST(Find, OpenAndVanishedCurvesCoverNothing) {
  EdgeResult edge;
  edge.outlines.resize(3);
  edge.outlines[0].curve = {.points = {{0, 0}, {256, 0}, {512, 256}}, .is_open = true};
  edge.outlines[1].curve = {.points = {{0, 0}, {256, 0}}};
  edge.outlines[1].end = SnakeEnd::vanished;
  edge.outlines[2].curve = {.points = {{0, 0}, {256, 0}, {0, 256}}};
  const std::vector<LabelledRegion> objects = objects_of(edge);
  EXPECT_EQ(objects_of(FindResult{.edge = edge}), objects);
  EXPECT_EQ(curves_of(edge).size(), 3u);
  EXPECT_EQ(curves_of(FindResult{.edge = edge}), curves_of(edge));
  ASSERT_EQ(objects.size(), 1u);
  EXPECT_EQ(objects[0].label, 3);
  EXPECT_EQ(objects[0].region.outer.vertices, edge.outlines[2].curve.points);
  EXPECT_EQ(unsettled_of(edge), std::vector<std::size_t>{1});
  edge.outlines[2].end = SnakeEnd::steps;
  EXPECT_EQ(unsettled_of(edge), (std::vector<std::size_t>{1, 2}));
  EXPECT_TRUE(has_lost_edges(edge.outlines[1]));
  EXPECT_FALSE(has_lost_edges(edge.outlines[2]));
}

/// A spot that holds no curve.
TEST(Find, ACurveThatVanishedCoversNothing) {
  Image image = Image::allocate({.shape = {64, 64, 1}, .type = PixelType::u8});
  for (std::int64_t y = 0; y < 64; ++y) {
    std::fill_n(image.mutable_row<std::uint8_t>(y), 64, 0);
    if (y == 30 || y == 31) std::fill_n(&image.mutable_row<std::uint8_t>(y)[31], 2, 99);
  }
  const FindResult found =
      find_outlines(image, {.model = SegmentModel::edge, .edge = {.sigma = 1}},
                    {.curves = {curve_around(31, 30, 8)}, .keep_stages = true});
  ASSERT_EQ(found.edge->outlines.size(), 1u);
  EXPECT_EQ(found.edge->outlines.front().end, SnakeEnd::vanished);
  EXPECT_EQ(found.edge->outlines.front().on_edges, 0);
  EXPECT_TRUE(curves_of(found).front().points.empty());
  EXPECT_TRUE(objects_of(found).empty());
}

/// Eight points of this distance are more than the smaller disc has around it.
TEST(Find, RegionsMayBeShorterThanGivenStarts) {
  const Image image = two_discs();
  FindOptions options{.model = SegmentModel::region_and_edge,
                      .edge = {.snake = {.point_spacing = 16}}};
  const FindResult found = find_outlines(image, options);
  EXPECT_EQ(found.edge->outlines.size(), 2u);
  options.model = SegmentModel::edge;
  EXPECT_THROW(find_outlines(image, options, {.curves = found.starts}), InvalidArgument);
}

TEST(Find, AGivenFieldIsMovedIn) {
  const Image image = two_discs();
  const EdgeResult elsewhere =
      segment_edges(frame_of(shape, {{60, 60, 35}}, 3, 10), {},
                    {.starts = {curve_around(60, 60, 30)}, .keep_stages = true});
  const FindInputs inputs{.curves = {curve_around(60, 60, 30)}, .field = elsewhere.stages.field};
  const FindResult found = find_outlines(image, {.model = SegmentModel::edge}, inputs);
  EXPECT_NEAR(found.edge->outlines.front().area, elsewhere.outlines.front().area, 1);
}

TEST(Find, ObjectsHaveTheirNumbers) {
  SegmentResult region;
  region.outlines.push_back(
      {.id = 7, .polygon = circle_outline(20, 20, 9), .holes = {circle_outline(20, 20, 3)}});
  const std::vector<LabelledRegion> objects = objects_of(region);
  EXPECT_EQ(objects_of(FindResult{.region = region}), objects);
  EXPECT_EQ(curves_of(region).front().points, region.outlines[0].polygon.vertices);
  EXPECT_EQ(curves_of(FindResult{.region = region}), curves_of(region));
  ASSERT_EQ(objects.size(), 1u);
  EXPECT_EQ(objects[0].label, 7);
  EXPECT_EQ(objects[0].region.holes.size(), 1u);
}

}  // namespace
}  // namespace meander
