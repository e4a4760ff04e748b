// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/objects/objects_testing.hpp"
#include "contour/objects/windows.hpp"

/// Many outlines in one image, begun where the tests say.
namespace meander {
namespace {

using namespace testing;

/// Three by three, close to each other, of several shapes and levels.
Picture crowd() {
  Picture picture{.width = 300, .height = 300};
  for (int i = 0; i < 9; ++i) {
    const double x = 55 + 90 * (i % 3), y = 60 + 88 * (i / 3);
    picture.objects.push_back({flower(x, y, 36, 0.05 + 0.02 * i, 2 + i % 3), 1200.0 + 40 * i});
  }
  return picture;
}

std::vector<Region> starts_in(const Picture& picture, double radius) {
  std::vector<Region> starts;
  for (const Painted& object : picture.objects) {
    double x = 0, y = 0;
    for (const GridPoint& p : object.region.outer.vertices) {
      x += static_cast<double>(p.x) / 256 / 48, y += static_cast<double>(p.y) / 256 / 48;
    }
    starts.push_back({box_outline(x - radius, y - radius, x + radius, y + radius), {}});
  }
  return starts;
}

void expect_truth(const SegmentResult& result, const Picture& picture, double least) {
  ASSERT_EQ(result.outlines.size(), picture.objects.size());
  for (std::size_t i = 0; i < result.outlines.size(); ++i) {
    EXPECT_EQ(result.outlines[i].id, static_cast<std::int64_t>(i) + 1);
    EXPECT_GT(intersection_over_union(region_of(result.outlines[i]), picture.objects[i].region,
                                      picture.width, picture.height),
              least)
        << i;
  }
}

TEST(Objects, EachStartEndsOnItsObjectAndNoneTouchesAnother) {
  const Picture picture = crowd();
  const SegmentResult result =
      segment_objects(picture.image(), gaussian(), {starts_in(picture, 12)});
  expect_truth(result, picture, 0.95);
  expect_side_by_side(result, {300, 300, 1});
}

/// Statistics, J and gain of every object from the pixels themselves: J divides what is the
/// object's or nobody's.
TEST(Objects, FiguresAreThoseOfThePixels) {
  const Picture picture = crowd();
  const Image image = picture.image();
  const std::vector<double> values = values_of(image);
  const SegmentResult result = segment_objects(image, gaussian(), {starts_in(picture, 12)});
  std::vector<int> owner(values.size(), 0);
  for (const Outline& outline : result.outlines) {
    const std::vector<int> pixels = pixels_of(region_of(outline), 300, 300);
    for (std::size_t i = 0; i < owner.size(); ++i) {
      if (pixels[i]) owner[i] = static_cast<int>(outline.id);
    }
  }
  double whole = 0;
  std::vector<double> outside;
  for (std::size_t i = 0; i < owner.size(); ++i) {
    if (owner[i] == 0) outside.push_back(values[i]);
  }
  const auto j = [](const std::vector<double>& some) {
    return plain_criterion(some, NoiseModel::gaussian, 1, 1);
  };
  for (const Outline& outline : result.outlines) {
    std::vector<double> inside, both = outside;
    for (std::size_t i = 0; i < owner.size(); ++i) {
      if (owner[i] != outline.id) continue;
      inside.push_back(values[i]);
      both.push_back(values[i]);
    }
    EXPECT_EQ(outline.inside.pixels, static_cast<std::int64_t>(inside.size()));
    EXPECT_EQ(outline.outside.pixels, static_cast<std::int64_t>(outside.size()));
    EXPECT_NEAR(outline.inside.mean, PlainMoments(inside).mean, 1e-6);
    EXPECT_NEAR(outline.outside.mean, PlainMoments(outside).mean, 1e-6);
    EXPECT_NEAR(outline.criterion, j(inside) + j(outside), 1e-4);
    EXPECT_NEAR(outline.gain, j(both) - j(inside) - j(outside), 1e-4);
    EXPECT_EQ(outline.area, outline.polygon.signed_area());
    EXPECT_EQ(outline.confidence.size(), nodes_of(outline).size());
    whole += j(inside);
  }
  EXPECT_NEAR(result.figures.criterion, whole + j(outside), 1e-4);
  EXPECT_GT(result.figures.evaluations, 1000);
}

/// The local background is what belongs to nobody in the window around the object, pixel by pixel,
/// whichever parts of others reach into it.
TEST(Objects, LocalBackgroundIsThatOfThePixelsAround) {
  const Picture picture = crowd();
  const Image image = picture.image();
  const std::vector<double> values = values_of(image);
  ObjectOptions options = gaussian();
  options.background = Background::local;
  const SegmentResult result = segment_objects(image, options, {starts_in(picture, 25)});
  ASSERT_EQ(result.outlines.size(), 9u);
  std::vector<int> is_owned(values.size(), 0);
  for (const Outline& outline : result.outlines) {
    const std::vector<int> pixels = pixels_of(region_of(outline), 300, 300);
    for (std::size_t i = 0; i < is_owned.size(); ++i) is_owned[i] |= pixels[i];
  }
  for (const Outline& outline : result.outlines) {
    const contour::Box window = contour::window_around(outline.polygon, {300, 300, 1});
    std::vector<double> outside;
    for (std::int64_t y = (window.low.y + 128) / 256; y < (window.high.y + 128) / 256; ++y) {
      for (std::int64_t x = (window.low.x + 128) / 256; x < (window.high.x + 128) / 256; ++x) {
        const auto i = static_cast<std::size_t>(300 * y + x);
        if (!is_owned[i]) outside.push_back(values[i]);
      }
    }
    EXPECT_EQ(outline.outside.pixels, static_cast<std::int64_t>(outside.size())) << outline.id;
    EXPECT_NEAR(outline.outside.mean, PlainMoments(outside).mean, 1e-6) << outline.id;
  }
}

/// Two that touch are found as one, and are two once they are divided.
TEST(Objects, StagesAreToldAsTheSearchGoesOn) {
  const Picture picture{
      .objects = {{disc(100, 128, 24), 1400}, {disc(144, 128, 24), 1400}, {disc(60, 40, 12), 1400}},
      .sigma = 60};
  std::vector<ObjectStage> stages;
  std::vector<std::vector<Region>> told;
  ObjectInputs inputs{.on_objects = [&](ObjectStage stage, const std::vector<Region>& regions) {
    stages.push_back(stage);
    told.push_back(regions);
  }};
  const SegmentResult result = segment_objects(picture.image(), gaussian(), inputs);
  ASSERT_EQ(stages, (std::vector{ObjectStage::begun, ObjectStage::outlined, ObjectStage::divided,
                                 ObjectStage::finished}));
  EXPECT_EQ(told[0].size(), told[1].size());
  EXPECT_LT(told[1].size(), told[2].size());
  std::vector<Region> regions;
  for (const Outline& outline : result.outlines) regions.push_back(region_of(outline));
  EXPECT_EQ(told[3], regions);
  stages.clear();
  inputs.starts = {disc(100, 128, 20)};
  segment_objects(picture.image(), gaussian(), inputs);
  EXPECT_EQ(stages.size(), 4u);
  EXPECT_EQ(told[4], inputs.starts);
  stages.clear();
  const Image empty = Picture{.width = 64, .height = 64}.image();
  segment_objects(empty, gaussian(), {.on_objects = inputs.on_objects});
  EXPECT_EQ(stages, std::vector{ObjectStage::finished});
}

TEST(Objects, AreTheSameForAnyNumberOfThreads) {
  const Picture picture = crowd();
  const Image image = picture.image();
  for (const Background background : {Background::global, Background::local}) {
    ObjectOptions options = gaussian();
    options.background = background;
    const SegmentResult expected = segment_objects(image, options, {starts_in(picture, 25)});
    for (const int count : {1, 2, 5}) {
      set_threads(count);
      expect_same(segment_objects(image, options, {starts_in(picture, 25)}), expected,
                  std::to_string(count) + " threads");
    }
    set_threads(0);
  }
}

/// Two that get into each other's way, for devices that are slow with little work.
TEST(Objects, AreTheSameOnEveryDevice) {
  Picture picture{.width = 96, .height = 64};
  picture.objects = {{disc(32, 32, 15), 1300}, {disc(63, 32, 14), 700}};
  const Image image = picture.image();
  const std::vector<Region> starts{disc(30, 31, 9), disc(66, 33, 8)};
  for (const Background background : {Background::global, Background::local}) {
    ObjectOptions options = gaussian();
    options.background = background;
    const SegmentResult expected = segment_objects(image, options, {starts});
    EXPECT_EQ(expected.outlines.size(), 2u);
    for (const Device& device : all_devices()) {
      expect_same(segment_objects(device.upload(image.clone()), options, {starts}), expected,
                  device.name());
    }
  }
}

/// Light that falls unevenly: the background is brighter at one side than objects at the other.
TEST(Objects, LocalBackgroundSeesThroughShading) {
  Picture picture{.width = 400, .height = 200, .sigma = 60};
  const auto light = [](double x) { return 0.5 + x / 400; };
  picture.background = [&](std::int64_t x, std::int64_t) {
    return 1000 * light(static_cast<double>(x));
  };
  for (int i = 0; i < 8; ++i) {
    const double x = 50 + 100 * (i % 4), y = i < 4 ? 55 : 145;
    picture.objects.push_back({disc(x, y, 26), 1250 * light(x)});
  }
  const Image image = picture.image();
  std::vector<Region> starts;
  for (int i = 0; i < 8; ++i) starts.push_back(disc(50 + 100 * (i % 4), i < 4 ? 55 : 145, 10));
  ObjectOptions options = gaussian();
  options.background = Background::local;
  const SegmentResult local = segment_objects(image, options, {starts});
  expect_truth(local, picture, 0.93);
  expect_side_by_side(local, image.shape());
  options.background = Background::global;
  double worst = 1;
  const SegmentResult global = segment_objects(image, options, {starts});
  for (const Outline& outline : global.outlines) {
    worst = std::min(
        worst, intersection_over_union(
                   region_of(outline),
                   picture.objects[static_cast<std::size_t>(outline.id - 1)].region, 400, 200));
  }
  EXPECT_TRUE(global.outlines.size() < 8 || worst < 0.8);
}

/// Two starts are on objects, the others in noise alone.
TEST(Objects, StartsThatAreNotWorthTheirDescriptionGo) {
  Picture picture{.width = 256, .height = 256};
  picture.objects = {{disc(70, 70, 25), 1150}, {disc(190, 180, 20), 850}};
  const std::vector<Region> starts{disc(190, 60, 20), disc(68, 72, 20), disc(60, 190, 24),
                                   disc(188, 182, 14), disc(128, 128, 16)};
  const SegmentResult result = segment_objects(picture.image(), gaussian(), {starts});
  ASSERT_EQ(result.outlines.size(), 2u);
  EXPECT_EQ(result.outlines[0].id, 2);
  EXPECT_EQ(result.outlines[1].id, 4);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_GT(
        intersection_over_union(region_of(result.outlines[i]), picture.objects[i].region, 256, 256),
        0.93);
  }
}

TEST(Objects, SmallOnesAndFaintOnesMayBeLeftOut) {
  Picture picture{.width = 300, .height = 120};
  picture.objects = {
      {disc(50, 60, 12), 1500}, {disc(140, 60, 25), 1200}, {disc(240, 60, 35), 1400}};
  const Image image = picture.image();
  const std::vector<Region> starts{disc(50, 60, 8), disc(140, 60, 15), disc(240, 60, 20)};
  ObjectOptions options = gaussian();
  EXPECT_EQ(segment_objects(image, options, {starts}).outlines.size(), 3u);
  options.min_area = 1000;
  const SegmentResult large = segment_objects(image, options, {starts});
  ASSERT_EQ(large.outlines.size(), 2u);
  EXPECT_EQ(large.outlines[0].id, 2);
  options.min_area = 0;
  options.max_objects = 1;
  const SegmentResult first = segment_objects(image, options, {starts});
  ASSERT_EQ(first.outlines.size(), 1u);
  EXPECT_EQ(first.outlines[0].id, 3);
}

/// A start of a few pixels grows beyond what it may see at first.
TEST(Objects, GrowBeyondTheirFirstWindows) {
  Picture picture{.width = 320, .height = 320};
  picture.objects = {{disc(165, 160, 110), 1300}};
  const SegmentResult result = segment_objects(picture.image(), gaussian(), {{disc(160, 160, 4)}});
  expect_truth(result, picture, 0.98);
}

TEST(Objects, OneObjectIsThatOfSegment) {
  const Image image = phantom(star_of(NoiseModel::gaussian, 300));
  ObjectOptions options = gaussian();
  const SegmentResult alone = segment(image, options.search);
  options.max_objects = 1;
  expect_same(segment_objects(image, options), alone, "one object");
}

TEST(Objects, NoiseIsChosenByWhatTheStartsHold) {
  PhantomOptions phantom_options = star_of(NoiseModel::gamma, 300);
  phantom_options.kind = PhantomKind::blobs;
  const Phantom blobs(phantom_options);
  std::vector<Region> starts;
  for (const Polygon& outline : blobs.outlines()) starts.push_back({outline, {}});
  const SegmentResult result = segment_objects(blobs.slab(0, 300), {}, {starts});
  EXPECT_EQ(result.figures.noise, NoiseModel::gamma);
  EXPECT_NEAR(result.figures.looks, 3, 0.3);
}

TEST(Objects, StopOnRequestAndTellHowFarTheyAre) {
  const Picture picture = crowd();
  const Image image = picture.image();
  double last = 0;
  int calls = 0;
  Control control;
  control.progress = [&](double fraction) {
    EXPECT_GE(fraction, last);
    last = fraction;
    ++calls;
  };
  segment_objects(image, gaussian(), {starts_in(picture, 12)}, control);
  EXPECT_EQ(last, 1);
  EXPECT_GT(calls, 3);
  std::stop_source source;
  source.request_stop();
  control = {.stop = source.get_token(), .progress = {}};
  EXPECT_THROW(segment_objects(image, gaussian(), {starts_in(picture, 12)}, control), Cancelled);
}

}  // namespace
}  // namespace meander
