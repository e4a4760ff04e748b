// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include "contour/likelihood/grey_levels.hpp"
#include "contour/likelihood/noise_choice.hpp"
#include "contour/region/segment_testing.hpp"

/// What pixels of every kind are taken for.
namespace meander::testing {
namespace {

using contour::grey_levels;

Image floats(std::int64_t x, std::int64_t y, float (*value)(std::int64_t, std::int64_t)) {
  Image image = Image::allocate({.shape = {x, y, 1}, .type = PixelType::f32});
  for (std::int64_t row = 0; row < y; ++row) {
    float* pixels = image.mutable_row<float>(row);
    for (std::int64_t i = 0; i < x; ++i) pixels[i] = value(i, row);
  }
  return image;
}

TEST(SegmentValues, WholeFloatsUpTo65535StayWhatTheyAre) {
  const auto counts = grey_levels(
      floats(50, 40, [](auto x, auto y) { return static_cast<float>(x * 1000 + y); }), {});
  EXPECT_EQ(counts.levels.scale, 1);
  EXPECT_EQ(counts.pixels.download().row<std::uint16_t>(7)[3], 3007);
  const auto beyond = grey_levels(
      floats(50, 40, [](auto x, auto y) { return static_cast<float>(x * 1500 + y); }), {});
  EXPECT_GT(beyond.levels.scale, 1);
  const auto negative =
      grey_levels(floats(50, 40, [](auto x, auto y) { return static_cast<float>(x - y); }), {});
  EXPECT_EQ(negative.levels.offset, -39);
}

/// A sample has every second row of four megapixels: fractions in the others are found by sums.
TEST(SegmentValues, FractionsBetweenTheSampledRowsAreFound) {
  const auto odd_rows = grey_levels(
      floats(2048, 2048, [](auto x, auto y) { return y % 2 == 1 && x < 700 ? 0.25f : 0.0f; }), {});
  EXPECT_NE(odd_rows.levels.scale, 1);
  EXPECT_NEAR(odd_rows.levels.offset +
                  odd_rows.levels.scale * odd_rows.pixels.download().row<std::uint16_t>(1)[0],
              0.25, 0.25 / 65535);
}

/// Strays on either side do not take the levels from the rest: values 0 to 1 keep thousands.
TEST(SegmentValues, StraysSaturate) {
  const auto with_strays = [](auto x, auto y) {
    if (x == 5 && y == 6) return -1e9f;
    if (x == 9 && y == 2) return 1e9f;
    return static_cast<float>((x * 37 + y * 101) % 256) / 255;
  };
  const auto found = grey_levels(floats(300, 200, with_strays), {.noise = NoiseModel::gaussian});
  EXPECT_LT(found.levels.scale, 1.0 / 5000);
  EXPECT_EQ(found.pixels.download().row<std::uint16_t>(6)[5], 0);
  EXPECT_EQ(found.pixels.download().row<std::uint16_t>(2)[9], 65535);
  EXPECT_LT(found.levels.offset, 0);
  EXPECT_GT(found.levels.offset, -10);
}

TEST(SegmentValues, CountsOfAScaledImageAreScaled) {
  const contour::RegionSums all{1000, 70000, 6000000}, inside{300, 30000, 3100000};
  const contour::Criterion plain({.noise = NoiseModel::poisson}, {}, all);
  const contour::Criterion scaled({.noise = NoiseModel::poisson}, {.scale = 0.25}, all);
  const double gain = plain.undivided() - plain.of(inside);
  EXPECT_GT(gain, 100);
  // Both are rounded to 2^-20.
  EXPECT_NEAR(scaled.undivided() - scaled.of(inside), gain / 4, 4e-6);
}

TEST(SegmentValues, OnlyCountsAreTriedAsPoisson) {
  contour::SideCounts sides{contour::Counts(65536, 0), contour::Counts(65536, 0)};
  sides.inside[40] = sides.inside[50] = sides.outside[20] = sides.outside[25] = 100;
  const auto has_poisson = [&](const contour::Levels& levels) {
    const auto found = contour::likelihoods(sides, levels, std::nullopt);
    return std::any_of(found.begin(), found.end(),
                       [](const auto& one) { return one.noise == NoiseModel::poisson; });
  };
  EXPECT_TRUE(has_poisson({}));
  EXPECT_FALSE(has_poisson({.scale = 0.5}));
}

/// Two values, one of them negative, in the pixels of a bernoulli phantom.
TEST(SegmentValues, TwoValuesOfI16) {
  const PhantomOptions options{
      .size = {300, 300, 1}, .type = PixelType::u8, .noise = {NoiseFamily::bernoulli}};
  const Image bytes = phantom(options);
  Image shorts = Image::allocate({.shape = bytes.shape(), .type = PixelType::i16});
  for (std::int64_t y = 0; y < 300; ++y) {
    for (std::int64_t x = 0; x < 300; ++x) {
      shorts.mutable_row<std::int16_t>(y)[x] = bytes.row<std::uint8_t>(y)[x] > 0 ? 7 : -5;
    }
  }
  const SegmentResult expected = segment(bytes, {.noise = NoiseModel::bernoulli});
  for (const NoiseModel noise : {NoiseModel::bernoulli, NoiseModel::automatic}) {
    const SegmentResult result = segment(shorts, {.noise = noise});
    EXPECT_EQ(result.figures.noise, NoiseModel::bernoulli);
    ASSERT_EQ(result.outlines.size(), 1u);
    EXPECT_EQ(result.outlines[0].polygon, expected.outlines.at(0).polygon);
  }
}

/// Counts of which most are 0, 1 or 2, where densities of other families are no probabilities.
TEST(SegmentValues, DimCountsAreCounts) {
  for (const auto& levels : {std::array{0.2, 0.5}, {0.1, 1.0}, {1.0, 2.0}, {2.0, 3.0}}) {
    const PhantomOptions options{
        .size = {512, 512, 1}, .noise = {NoiseFamily::poisson}, .levels = levels, .seed = 1};
    const SegmentResult result = segment(phantom(options), {});
    EXPECT_EQ(result.figures.noise, NoiseModel::poisson) << levels[0];
    EXPECT_GE(overlap(result, truth_of(options)), 0.985) << levels[0];
  }
}

TEST(SegmentValues, StartsAreCutOffAtTheImage) {
  const PhantomOptions options = star_of(NoiseModel::gaussian, 300);
  const Image image = phantom(options);
  for (const Polygon& start : {box_outline(-500, -400, 120, 150), circle_outline(20, 20, 200)}) {
    const SegmentResult result = segment(image, {.noise = NoiseModel::gaussian}, {.start = start});
    ASSERT_EQ(result.outlines.size(), 1u);
    for (const GridPoint& p : result.outlines[0].polygon.vertices) {
      EXPECT_TRUE(p.x >= -128 && p.y >= -128 && p.x <= 300 * 256 - 128 && p.y <= 300 * 256 - 128);
    }
    // Which of the two regions is the inside is left open: from the corner it may be the ground.
    EXPECT_GT(result.outlines[0].gain, 1000);
    EXPECT_LE(result.outlines[0].area, 300 * 300);
  }
  // A comb of two teeth that reach in from outside is two parts.
  const Polygon comb{{{-9000, 2560},
                      {2560, 2560},
                      {2560, 5120},
                      {-5000, 5120},
                      {-5000, 7680},
                      {2560, 7680},
                      {2560, 10240},
                      {-9000, 10240}}};
  ASSERT_TRUE(is_simple(comb));
  EXPECT_THROW(segment(image, {}, {.start = comb}), InvalidArgument);
}

/// Whatever the blocks: their centres may lie beyond the border.
TEST(SegmentValues, AStartThatHoldsTheWholeImageIsRefused) {
  for (const int side : {256, 300, 304}) {
    const Image image = phantom(star_of(NoiseModel::gaussian, side));
    const Polygon whole = box_outline(-0.5, -0.5, side - 0.5, side - 0.5);
    EXPECT_THROW(segment(image, {}, {.start = whole}), InvalidArgument) << side;
  }
}

/// The published search never asks what nodes cost.
TEST(SegmentValues, ClassicKeepsItsOutlineHoweverManyNodes) {
  const PhantomOptions options{.size = {200, 200, 1},
                               .noise = {NoiseFamily::gamma},
                               .levels = std::array{1000.0, 1400.0},
                               .looks = 3,
                               .seed = 5};
  const SegmentResult result = segment(phantom(options), {.noise = NoiseModel::gamma,
                                                          .looks = 3,
                                                          .schedule = SegmentSchedule::classic,
                                                          .min_segment = 4});
  ASSERT_EQ(result.outlines.size(), 1u);
  EXPECT_GT(result.outlines[0].polygon.vertices.size(), 40u);
}

}  // namespace
}  // namespace meander::testing
