// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <cmath>

#include "phantom/pixels.hpp"

namespace meander {
namespace {

PhantomOptions shaded(NoiseFamily family, double shading) {
  PhantomOptions options{.kind = PhantomKind::constant, .size = {200, 100, 1}, .shading = shading};
  options.type = PixelType::f64;
  options.noise.family = family;
  options.seed = 5;
  return options;
}

TEST(Shading, GrowsLinearlyFromCornerToCorner) {
  PhantomOptions options = shaded(NoiseFamily::none, 0.5);
  options.levels = {1000.0, 2000.0};
  const Image image = phantom(options);
  for (std::int64_t y = 0; y < 100; ++y) {
    for (std::int64_t x = 0; x < 200; ++x) {
      const double along = static_cast<double>(x) / 199 + static_cast<double>(y) / 99;  // 0 to 2
      ASSERT_NEAR(image.row<double>(y)[x], 1000 * (0.5 + along / 2), 1e-9);
    }
  }
  EXPECT_EQ(image.row<double>(0)[0], 500);
}

TEST(Shading, ActsOnTheTargetAndOnEverySlice) {
  PhantomOptions options = shaded(NoiseFamily::none, 0.25);
  options.kind = PhantomKind::step;
  options.size = {4, 3, 2};
  options.levels = {100.0, 200.0};
  const auto found = numbers_of(phantom(options));
  for (const std::size_t slice : {0, 12}) {
    EXPECT_DOUBLE_EQ(found[slice], 75);
    EXPECT_DOUBLE_EQ(found[slice + 3], 200);
    EXPECT_DOUBLE_EQ(found[slice + 11], 250);
  }
  options.size = {1, 5, 1};
  options.kind = PhantomKind::constant;
  EXPECT_EQ(numbers_of(phantom(options)), (std::vector<double>{75, 87.5, 100, 112.5, 125}));
  options.size = {1, 1, 1};
  EXPECT_EQ(numbers_of(phantom(options)), std::vector<double>{100});
}

/// Blocks of 20 x 20 pixels at two corners. The factor there is that of the block's middle, as it
/// is linear: 0.5 + (9.5 / 199 + 9.5 / 99) / 2 at the upper left, that less than 1.5 at the lower
/// right. The mean of n = 400 pixels of sigma s is s / 20 off, five times that is never seen; the
/// factor's slope within the block adds less than 6 % to s. The variance of n pixels is off by
/// sqrt(2 / n) of itself for a normal, by sqrt(8 / n) for gamma of one look (kurtosis 9), 0.14:
/// five times that.
TEST(Shading, MeanFollowsAndSigmaAsTheFamilySays) {
  const double upper = 0.5 + (9.5 / 199 + 9.5 / 99) / 2;
  for (const NoiseFamily family : {NoiseFamily::gaussian, NoiseFamily::gamma, NoiseFamily::poisson,
                                   NoiseFamily::rayleigh, NoiseFamily::bernoulli}) {
    PhantomOptions options = shaded(family, 0.5);
    if (family == NoiseFamily::bernoulli) options.levels = {0.2, 0.4};
    const Phantom generator(options);
    const auto numbers = numbers_of(generator.slab(0, 100));
    const auto& levels = generator.levels();
    for (const bool lower_right : {false, true}) {
      const double factor = lower_right ? 2 - upper : upper;
      const double mean = levels.background * factor;
      double sigma = levels.sigma_background;
      if (family == NoiseFamily::gamma || family == NoiseFamily::rayleigh) sigma *= factor;
      if (family == NoiseFamily::poisson) sigma = std::sqrt(mean);
      if (family == NoiseFamily::bernoulli) sigma = std::sqrt(mean * (1 - mean));
      std::vector<double> block(numbers.size());
      for (std::size_t i = 0; i < 400; ++i) {
        const std::size_t x = i % 20 + (lower_right ? 180 : 0), y = i / 20 + (lower_right ? 80 : 0);
        block[y * 200 + x] = 1;
      }
      const Moments found(numbers, block, 1);
      EXPECT_NEAR(found.mean, mean, 5 * 1.06 * sigma / 20);
      EXPECT_NEAR(found.variance / (sigma * sigma), 1, 0.7 + 0.13);
    }
  }
}

TEST(Shading, LevelsThatLeaveTheRangeAreRefused) {
  PhantomOptions options = shaded(NoiseFamily::none, 0.5);
  options.type = PixelType::u8;
  options.levels = {100.0, 200.0};
  EXPECT_EQ(refusal_of(options),
            "shading is 0.5 and takes the level 200 to 300, expected 0 to 255 for noise none in u8 "
            "pixels");
  options.shading = 0.25;
  EXPECT_EQ(refusal_of(options), "not refused");
  options = shaded(NoiseFamily::bernoulli, 0.5);
  EXPECT_NE(refusal_of(options), "not refused");  // 0.7 of its default becomes 1.05
}

TEST(Shading, SlabsEqualTheWhole) {
  PhantomOptions options = shaded(NoiseFamily::poisson, 0.3);
  options.size = {47, 33, 3};
  const Phantom generator(options);
  auto slices = numbers_of(generator.slab(0, 1));
  for (const std::int64_t z : {1, 2}) {
    const auto next = numbers_of(generator.slab(z, z + 1));
    slices.insert(slices.end(), next.begin(), next.end());
  }
  EXPECT_EQ(slices, numbers_of(generator.slab(0, 3)));
}

}  // namespace
}  // namespace meander
