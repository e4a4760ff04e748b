// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <set>

#include "contour/detect/detect_testing.hpp"
#include "contour/objects/objects_testing.hpp"
#include "contour/objects/windows.hpp"
#include "device_testing.hpp"

/// How many of the objects of phantoms are found, and how well they are outlined.
namespace meander {
namespace {

using namespace testing;

std::vector<Region> regions_of(const SegmentResult& result) {
  std::vector<Region> regions;
  for (const Outline& outline : result.outlines) regions.push_back(region_of(outline));
  return regions;
}

/// No two outlines touch, and none lies in another: every pixel of one is its own.
void expect_apart(const SegmentResult& result) {
  std::vector<LabelledRegion> labelled;
  for (std::size_t i = 0; i < result.outlines.size(); ++i) {
    const Polygon& outline = result.outlines[i].polygon;
    EXPECT_TRUE(is_simple(outline)) << i;
    for (std::size_t k = 0; k < i; ++k) {
      EXPECT_FALSE(do_touch(outline, result.outlines[k].polygon)) << i << " " << k;
    }
    labelled.push_back({result.outlines[i].id, region_of(result.outlines[i])});
  }
  Image labels = Image::allocate({.shape = {4096, 4096, 1}, .type = PixelType::u16});
  fill_labels(labelled, labels, 0);
  std::vector<std::int64_t> pixels(result.outlines.size() + 1, 0);
  for (std::int64_t y = 0; y < 4096; ++y) {
    for (std::int64_t x = 0; x < 4096; ++x) ++pixels[labels.row<std::uint16_t>(y)[x]];
  }
  for (const Outline& outline : result.outlines) {
    EXPECT_EQ(pixels[static_cast<std::size_t>(outline.id)], outline.inside.pixels) << outline.id;
  }
}

/// 500 objects in 16 million pixels: all are to be found, none that is not there, with as much
/// overlap on average as curves have; two outlines never touch.
TEST(ObjectsQuality, FiveHundredBlobs) {
  for (const double snr : {1.0, 2.0}) {
    const Phantom scene({.kind = PhantomKind::blobs,
                         .size = {4096, 4096, 1},
                         .noise = {.family = NoiseFamily::gaussian},
                         .snr = snr,
                         .seed = 11,
                         .count = 500});
    const SegmentResult result = segment_objects(scene.slab(0, 4096), {});
    const Score score = score_of(regions_of(result), scene);
    EXPECT_EQ(score.found, 500) << snr;
    EXPECT_EQ(score.false_ones, 0) << snr;
    EXPECT_GE(score.mean_overlap, snr < 2 ? 0.985 : 0.994) << snr;
    expect_apart(result);
  }
}

TEST(ObjectsQuality, ShadingIsSeenAndDoesNotMatter) {
  for (const double snr : {1.0, 2.0}) {
    const Phantom scene({.kind = PhantomKind::blobs,
                         .size = {1024, 1024, 1},
                         .noise = {.family = NoiseFamily::gaussian},
                         .snr = snr,
                         .seed = 12,
                         .count = 30,
                         .shading = 0.5});
    const SegmentResult result = segment_objects(scene.slab(0, 1024), {});
    EXPECT_TRUE(result.figures.is_local);
    const Score score = score_of(regions_of(result), scene);
    EXPECT_EQ(score.found, 30) << snr;
    EXPECT_EQ(score.false_ones, 0) << snr;
    EXPECT_GE(score.mean_overlap, 0.95) << snr;
    // Grey levels are those of the image, which rise with the light, not of what was searched.
    EXPECT_LT(result.outlines.front().outside.mean, result.outlines.back().outside.mean) << snr;
  }
}

/// What is smaller than asked for is no outline, and no outline takes its place.
TEST(ObjectsQuality, SmallerOnesThanAskedForLeaveNone) {
  const Image image = phantom({.kind = PhantomKind::blobs,
                               .size = {512, 512, 1},
                               .noise = {.family = NoiseFamily::gaussian},
                               .snr = 2,
                               .seed = 5,
                               .count = 20});
  ObjectOptions options;
  options.min_area = 100000;
  EXPECT_TRUE(segment_objects(image, options).outlines.empty());
}

/// Thin arms belong to it, nearly as well as to the search that sees all of the image at once.
TEST(ObjectsQuality, AFaintStarIsOneObject) {
  const Phantom star({.kind = PhantomKind::star,
                      .size = {512, 512, 1},
                      .noise = {.family = NoiseFamily::gaussian},
                      .snr = 1,
                      .seed = 3});
  const Image image = star.slab(0, 512);
  const SegmentResult result = segment_objects(image, {});
  ASSERT_EQ(result.outlines.size(), 1U);
  const Image truth = star.truth_slab(0, 512);
  const auto overlap = [&](const Polygon& polygon) {
    Image mask = Image::allocate({.shape = image.shape(), .type = PixelType::u8});
    fill_mask(std::span(&polygon, 1), mask, 0);
    return *compare(mask, truth).iou;
  };
  EXPECT_GT(overlap(result.outlines[0].polygon),
            overlap(segment(image, {}).outlines[0].polygon) - 0.01);
}

/// Found all, and nothing else.
void expect_all(const PhantomOptions& options, std::size_t holes) {
  const Phantom scene(options);
  const SegmentResult result = segment_objects(scene.slab(0, options.size.y), {});
  const Score score = score_of(regions_of(result), scene);
  EXPECT_EQ(score.found, *options.count);
  EXPECT_EQ(score.false_ones, 0);
  EXPECT_GE(score.mean_overlap, 0.98);
  for (const Outline& outline : result.outlines) EXPECT_EQ(outline.holes.size(), holes);
}

/// An outline that runs from one to the next explains as much as one of each.
TEST(ObjectsQuality, AFewOfHighContrastAreNotOne) {
  PhantomOptions options{.kind = PhantomKind::blobs,
                         .size = {512, 512, 1},
                         .noise = {.family = NoiseFamily::gaussian},
                         .snr = 8,
                         .seed = 6,
                         .count = 5};
  expect_all(options, 0);
  options.noise = {.family = NoiseFamily::rayleigh};
  options.snr = 16;
  for (const std::uint64_t seed : {2, 3, 4}) {
    options.seed = seed;
    expect_all(options, 0);
  }
}

/// In blur one outline explains more than several, for it can take more of the halos.
TEST(ObjectsQuality, AFewBlurredAreNotOne) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Image sharp =
        phantom({.kind = PhantomKind::blobs, .size = {300, 300, 1}, .seed = seed, .count = 5});
    const Image blurred = smeared(smeared(smeared(sharp)));
    EXPECT_EQ(segment_objects(blurred, {}).outlines.size(), 5U) << seed;
  }
}

/// Found objects may leave no ground to tell them from.
TEST(ObjectsQuality, FoundOnesWithoutGroundAreNoError) {
  const Image image = phantom({.kind = PhantomKind::blobs,
                               .size = {512, 512, 1},
                               .noise = {.family = NoiseFamily::gaussian},
                               .snr = 6,
                               .seed = 2,
                               .count = 1,
                               .shading = 0.3});
  EXPECT_NO_THROW(segment_objects(image, {.background = Background::local}));
}

/// Where noise grows with the level, bright objects are full of dark pixels.
TEST(ObjectsQuality, BrightSpeckleDoesNotFallToPieces) {
  expect_all({.kind = PhantomKind::blobs,
              .size = {1024, 1024, 1},
              .noise = {.family = NoiseFamily::rayleigh},
              .snr = 8,
              .seed = 587,
              .count = 30},
             0);
  expect_all({.kind = PhantomKind::rings,
              .size = {1024, 512, 1},
              .noise = {.family = NoiseFamily::gamma},
              .snr = 8,
              .looks = 2,
              .seed = 2,
              .count = 5},
             1);
}

TEST(ObjectsQuality, RingsWithTheirHoles) {
  const Phantom scene({.kind = PhantomKind::rings,
                       .size = {1024, 1024, 1},
                       .noise = {.family = NoiseFamily::gaussian},
                       .snr = 2,
                       .seed = 13,
                       .count = 25});
  const SegmentResult result = segment_objects(scene.slab(0, 1024), {});
  const Score score = score_of(regions_of(result), scene);
  EXPECT_EQ(score.found, 25);
  EXPECT_EQ(score.false_ones, 0);
  EXPECT_GE(score.mean_overlap, 0.95);
  for (const Outline& outline : result.outlines) EXPECT_EQ(outline.holes.size(), 1U);
}

/// What is found does not depend on where it is computed.
TEST(ObjectsQuality, DevicesFindTheSame) {
  const Image image = phantom({.kind = PhantomKind::blobs,
                               .size = {300, 300, 1},
                               .noise = {.family = NoiseFamily::gaussian},
                               .snr = 2,
                               .seed = 14,
                               .count = 9});
  const SegmentResult expected = segment_objects(image, {});
  EXPECT_EQ(expected.outlines.size(), 9U);
  for (const Device& device : all_devices()) {
    const SegmentResult result = segment_objects(device.upload(image), {});
    ASSERT_EQ(result.outlines.size(), expected.outlines.size()) << device.name();
    for (std::size_t i = 0; i < result.outlines.size(); ++i) {
      EXPECT_EQ(region_of(result.outlines[i]), region_of(expected.outlines[i])) << device.name();
    }
  }
}

/// Stars: the light around the brightest, and small ones that are left out, are background to the
/// others, and must not hide them.
TEST(ObjectsQuality, FaintOnesBesideBrightOnes) {
  Picture picture{.width = 256, .height = 256, .sigma = 70};
  picture.background = [](std::int64_t x, std::int64_t y) {
    const auto from = [&](int cx, int cy) {
      return std::hypot(static_cast<double>(x - cx), static_cast<double>(y - cy));
    };
    double level = 7000;
    for (const auto& [cx, cy] : {std::pair{200, 60}, std::pair{60, 190}}) {
      level +=
          40000 * std::exp(-std::pow(from(cx, cy) / 3.5, 2)) + 4000 * std::exp(-from(cx, cy) / 5);
    }
    for (int i = 0; i < 9; ++i) level += from(40 + 50 * (i % 3), 30 + 40 * (i / 3)) < 3.5 ? 350 : 0;
    for (int i = 0; i < 9; ++i)
      level += from(53 + 50 * (i % 3), 30 + 40 * (i / 3)) < 1.2 ? 9000 : 0;
    return level;
  };
  const SegmentResult result = segment_objects(picture.image(), {});
  int faint = 0;
  for (const Outline& outline : result.outlines) {
    const contour::Box box = contour::box_around(outline.polygon);
    const auto x = static_cast<double>(box.low.x + box.high.x) / (2 * grid_steps_per_pixel);
    const auto y = static_cast<double>(box.low.y + box.high.y) / (2 * grid_steps_per_pixel);
    for (int i = 0; i < 9; ++i)
      faint += std::hypot(x - 40 - 50 * (i % 3), y - 30 - 40 * (i / 3)) < 3 ? 1 : 0;
  }
  EXPECT_GE(faint, 8);
}

/// Particles as an electron microscope shows them: discs of 60 pixels, darker than the ice by as
/// much as it scatters, and noise that neighbours share. A disc has 50 independent samples.
TEST(ObjectsQuality, DiscsInNoiseThatPixelsShare) {
  constexpr std::int64_t side = 1024;
  const Image white = phantom({.kind = PhantomKind::constant,
                               .size = {side, side, 1},
                               .noise = {.family = NoiseFamily::gaussian},
                               .seed = 5});
  const Image shared = smooth(convert(white, {.type = PixelType::f32}), {.sigma = {1.5, 1.5, 1}});
  double sum = 0, squares = 0;
  for (std::int64_t y = 0; y < side; ++y) {
    for (std::int64_t x = 0; x < side; ++x) {
      const auto level = static_cast<double>(shared.row<float>(y)[x]);
      sum += level, squares += level * level;
    }
  }
  const double mean = sum / (side * side),
               deviation = std::sqrt(squares / (side * side) - mean * mean);
  // In rows that are shifted, so that no two are nearer than 40 pixels.
  std::vector<std::pair<double, double>> centres;
  for (int row = 0; row < 10; ++row) {
    for (int column = 0; column < 9; ++column) {
      centres.emplace_back(60 + 100 * column + 37 * row % 60, 55 + 101 * row);
    }
  }
  Image image = Image::allocate({.shape = {side, side, 1}, .type = PixelType::u16});
  for (std::int64_t y = 0; y < side; ++y) {
    for (std::int64_t x = 0; x < side; ++x) {
      double level = (static_cast<double>(shared.row<float>(y)[x]) - mean) / deviation;
      for (const auto& [cx, cy] : centres) {
        level -= std::hypot(static_cast<double>(x) - cx, static_cast<double>(y) - cy) < 30 ? 1 : 0;
      }
      image.mutable_row<std::uint16_t>(y)[x] = static_cast<std::uint16_t>(2000 + 100 * level);
    }
  }
  const std::vector<LabelledRegion> found = objects_of(segment_objects(image, {}));
  Image labels = Image::allocate({.shape = {side, side, 1}, .type = PixelType::u16});
  fill_labels(found, labels, 0);
  std::set<std::uint16_t> held_by;
  for (const auto& [x, y] : centres) {
    held_by.insert(
        labels.row<std::uint16_t>(static_cast<std::int64_t>(y))[static_cast<std::int64_t>(x)]);
  }
  held_by.erase(0);
  const auto held = static_cast<double>(held_by.size());
  EXPECT_GE(held, 0.95 * static_cast<double>(centres.size()));
  EXPECT_LE(static_cast<double>(found.size()) - held, 0.05 * static_cast<double>(centres.size()));
}

}  // namespace
}  // namespace meander
