// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/region/segment_testing.hpp"

/// How well outlines fit the truth, over ten seeds each, at 1024².
namespace meander {
namespace {

using namespace testing;

constexpr std::uint64_t seeds = 10;
constexpr std::int64_t side = 1024;

void expect_overlap(PhantomOptions options, NoiseModel noise, double least) {
  const Image truth = truth_of(options);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    options.seed = seed;
    const SegmentResult result = segment(phantom(options), {.noise = noise});
    EXPECT_GE(overlap(result, truth), least) << "seed " << seed;
    for (const Outline& outline : result.outlines) EXPECT_TRUE(is_simple(outline.polygon));
  }
}

PhantomOptions star_with(double snr) {
  return {.kind = PhantomKind::star,
          .size = {side, side, 1},
          .noise = {NoiseFamily::gaussian},
          .snr = snr};
}

TEST(SegmentQuality, MeansAtSnr2) { expect_overlap(star_with(2), NoiseModel::gaussian, 0.997); }
TEST(SegmentQuality, MeansAtSnr1) { expect_overlap(star_with(1), NoiseModel::gaussian, 0.995); }
TEST(SegmentQuality, MeansAtSnrHalf) {
  expect_overlap(star_with(0.5), NoiseModel::gaussian, 0.988);
}
TEST(SegmentQuality, MeansAtSnrQuarter) {
  expect_overlap(star_with(0.25), NoiseModel::gaussian, 0.97);
}

TEST(SegmentQuality, EqualMeansAndOtherVariance) {
  expect_overlap(
      {.kind = PhantomKind::star, .size = {side, side, 1}, .noise = {NoiseFamily::variance, 1.5}},
      NoiseModel::gaussian, 0.99);
}

TEST(SegmentQuality, SpeckleOfRatio13) {
  expect_overlap({.kind = PhantomKind::star,
                  .size = {side, side, 1},
                  .noise = {NoiseFamily::gamma},
                  .levels = {{2000, 2600}}},
                 NoiseModel::gamma, 0.975);
}

/// Targets of 0.13 % of the area, painted into an image of nothing but noise away from the middle.
void expect_small_target(const Image& shape, double contrast, double floor) {
  const std::int64_t left = 611, top = 283;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    PhantomOptions noise{.kind = PhantomKind::constant,
                         .size = {side, side, 1},
                         .noise = {NoiseFamily::gaussian},
                         .seed = seed};
    Image image = phantom(noise);
    Image truth = blank_mask(side, side);
    double area = 0;
    for (std::int64_t y = 0; y < shape.shape().y; ++y) {
      for (std::int64_t x = 0; x < shape.shape().x; ++x) {
        if (shape.row<std::uint8_t>(y)[x] == 0) continue;
        image.mutable_row<std::uint16_t>(top + y)[left + x] += static_cast<std::uint16_t>(contrast);
        truth.mutable_row<std::uint8_t>(top + y)[left + x] = 255;
        ++area;
      }
    }
    EXPECT_NEAR(area / (side * side), 0.0013, 0.00005);
    const SegmentResult result = segment(image, {.noise = NoiseModel::gaussian});
    EXPECT_GE(overlap(result, truth), floor) << "seed " << seed;
  }
}

/// The noise has a sigma of 3000. A star needs 14 nodes, which 1363 pixels can pay for at an SNR of
/// 2; a disc is content with 7 and is found at 1.
TEST(SegmentQuality, SmallStarAtSnr2) {
  expect_small_target(truth_of({.kind = PhantomKind::star, .size = {80, 80, 1}}), 6000, 0.85);
}

TEST(SegmentQuality, SmallDiscAtSnr1) {
  Image disc = blank_mask(44, 44);
  const Polygon outline = circle_outline(21.5, 21.5, 20.83);
  fill_mask(std::span(&outline, 1), disc, 0);
  expect_small_target(disc, 3000, 0.85);
}

/// Nothing there: no outline, whatever the noise.
TEST(SegmentQuality, NoiseAloneHasNoOutline) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Image image = phantom({.kind = PhantomKind::constant,
                                 .size = {side, side, 1},
                                 .noise = {NoiseFamily::gaussian},
                                 .seed = seed});
    EXPECT_TRUE(segment(image, {.noise = NoiseModel::gaussian}).outlines.empty()) << seed;
  }
}

TEST(SegmentQuality, AutoChoosesTheFamilyOfTheNoise) {
  for (const NoiseModel noise : every_family) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      const PhantomOptions options = star_of(noise, 512, seed);
      const SegmentResult result = segment(phantom(options), {});
      EXPECT_EQ(result.figures.noise, noise) << name_of(noise) << " seed " << seed;
      EXPECT_GE(overlap(result, truth_of(options)), 0.98) << name_of(noise) << " seed " << seed;
    }
  }
  // One look, whose noise is as strong as the signal, and equal means.
  PhantomOptions speckle = star_of(NoiseModel::gamma, 512);
  speckle.looks = 1;
  EXPECT_EQ(segment(phantom(speckle), {}).figures.noise, NoiseModel::gamma);
  const PhantomOptions variance{
      .kind = PhantomKind::star, .size = {512, 512, 1}, .noise = {NoiseFamily::variance, 1.5}};
  EXPECT_EQ(segment(phantom(variance), {}).figures.noise, NoiseModel::gaussian);
}

/// The published schedule finds the same object.
TEST(SegmentQuality, ClassicScheduleFindsTheStar) {
  PhantomOptions options = star_with(2);
  options.size = {512, 512, 1};
  const SegmentResult result = segment(
      phantom(options), {.noise = NoiseModel::gaussian, .schedule = SegmentSchedule::classic});
  EXPECT_GE(overlap(result, truth_of(options)), 0.98);
}

}  // namespace
}  // namespace meander
