// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "contour/detect/detect.hpp"
#include "contour/detect/detect_testing.hpp"
#include "contour/detect/noise_level.hpp"
#include "contour/objects/objects_testing.hpp"

/// Finding objects: what is background, what is noise, and what is neither.
namespace meander {
namespace {

using namespace testing;

std::vector<Region> detected(const Image& image) {
  std::vector<Region> regions;
  for (contour::FoundObject& object : contour::detect(image, {}, {}).objects) {
    regions.push_back(std::move(object.region));
  }
  return regions;
}

constexpr std::int64_t side = 256;

/// Noise of standard deviation 100 about 0, smoothed by a Gaussian of one cell so many times.
std::vector<float> noise_cells(int times) {
  const Image image = phantom({.kind = PhantomKind::constant,
                               .size = {side, side, 1},
                               .noise = {.family = NoiseFamily::gaussian},
                               .seed = 3});
  std::vector<float> cells;
  for (std::int64_t y = 0; y < side; ++y) {
    for (std::int64_t x = 0; x < side; ++x) {
      cells.push_back((static_cast<float>(image.row<std::uint16_t>(y)[x]) - 20000) / 30);
    }
  }
  for (int i = 0; i < times; ++i) cells = contour::smoothed(cells, side, side);
  return cells;
}

/// Against the definition, in double.
TEST(Scales, SmoothingIsAGaussianOfOneCell) {
  const std::vector<float> cells = noise_cells(0);
  const std::vector<float> smooth = contour::smoothed(cells, side, side);
  double sum = 0;
  for (int i = -4; i <= 4; ++i) sum += std::exp(-i * i / 2.0);
  const auto mirrored = [](std::int64_t i) {
    return i < 0 ? -1 - i : i >= side ? 2 * side - 1 - i : i;
  };
  for (const auto& [x, y] : {std::pair<int, int>{0, 0}, {255, 3}, {100, 100}, {2, 254}}) {
    double expected = 0;
    for (int j = -4; j <= 4; ++j) {
      for (int i = -4; i <= 4; ++i) {
        const double weight = std::exp(-(i * i + j * j) / 2.0) / (sum * sum);
        const std::int64_t cell = mirrored(y + j) * side + mirrored(x + i);
        expected += weight * static_cast<double>(cells[static_cast<std::size_t>(cell)]);
      }
    }
    // 81 products of numbers up to 400, each rounded to 24 bits: less than 81 * 400 * 2^-24.
    EXPECT_NEAR(smooth[static_cast<std::size_t>(y * side + x)], expected, 2e-3);
  }
}

/// The standard error of a median of 130,000 differences, of which neighbours share a number, is
/// below 1 %; that of the correlation, which grows steeply with its ratio, below 10 %.
TEST(Scales, NoiseAndItsCorrelation) {
  EXPECT_NEAR(contour::white_noise(noise_cells(0), side, side), 100, 2);
  EXPECT_NEAR(contour::pixel_noise(noise_cells(0), side, side).correlation, 1, 0.1);
  EXPECT_NEAR(contour::pixel_noise(noise_cells(0), side, side).deviation, 100, 2);
  // Smoothed by one cell n times: by sqrt(n) cells.
  for (const int times : {1, 2}) {
    const contour::PixelNoise noise = contour::pixel_noise(noise_cells(times), side, side);
    const double shared = 4 * std::numbers::pi * times;
    EXPECT_NEAR(noise.correlation, shared, 2.5 * times);
    EXPECT_NEAR(noise.deviation, 100 / std::sqrt(shared), 0.1 * 100 / std::sqrt(shared));
  }
  // What is smoother still is structure; a slope is none.
  EXPECT_NEAR(contour::pixel_noise(noise_cells(16), side, side).correlation, 43, 2);
  std::vector<float> slope = noise_cells(0);
  for (std::size_t i = 0; i < slope.size(); ++i) slope[i] += 300 * static_cast<float>(i % side);
  EXPECT_NEAR(contour::white_noise(slope, side, side), 100, 2);
  EXPECT_NEAR(contour::pixel_noise(slope, side, side).correlation, 1, 0.1);
  contour::ScaleImage image{
      .block = 1, .columns = side, .rows = side, .cells = noise_cells(0), .smooth = noise_cells(1)};
  for (const float sign : {1.0F, -1.0F}) {
    EXPECT_NEAR(contour::smooth_noise(image, sign), 100 / std::sqrt(4 * std::numbers::pi), 1);
  }
  // Bright objects on a quarter of it do not count, whichever the side.
  for (std::size_t i = 0; i < image.smooth.size() / 4; ++i) image.smooth[i] += 500;
  EXPECT_NEAR(contour::smooth_noise(image, 1), 100 / std::sqrt(4 * std::numbers::pi), 2);
}

TEST(Scales, HalvingTakesMeansOfFour) {
  const std::vector<float> cells{1, 2, 9, 3, 6, 9, 9, 9, 9};
  EXPECT_EQ(contour::halved(cells, 3, 3), std::vector<float>{3});
}

TEST(Background, TheModeIsNotMovedByObjects) {
  std::vector<float> values{7};
  for (int i = 0; i < 600; ++i) values.push_back(static_cast<float>(100 + 4 * std::sin(i * 1.7)));
  for (int i = 0; i < 400; ++i) values.push_back(static_cast<float>(200 + i));
  EXPECT_NEAR(contour::half_sample_mode(values), 100, 5);
  EXPECT_EQ(contour::half_sample_mode({3, 1}), 2);
}

/// A plane and a bowl under noise, objects on a sixth of the image. The mode of a tile of 4096
/// cells, of which twelve share their noise, is known to some tenths of the noise, and the plane
/// beyond the outermost middles to twice that. A bowl of 3000 leaves 3000 / 16 / 8 in the middle of
/// the sides of four tiles, and as much again where medians flatten its corners.
TEST(Background, FollowsSlopesAndBowlsUnderObjects) {
  const std::vector<float> noise = noise_cells(1);
  const double sigma = 100 / std::sqrt(4 * std::numbers::pi);
  for (const double bend : {0.0, 3000.0}) {
    const auto level = [&](std::int64_t x, std::int64_t y) {
      const double u = static_cast<double>(x) / side - 0.4, v = static_cast<double>(y) / side - 0.5;
      return 2000 * u - 800 * v - bend * (u * u + v * v);
    };
    std::vector<float> image = noise;
    for (std::int64_t y = 0; y < side; ++y) {
      for (std::int64_t x = 0; x < side; ++x) {
        const bool is_object = x % 64 < 26 && y % 64 < 26;
        image[static_cast<std::size_t>(y * side + x)] +=
            static_cast<float>(level(x, y) + (is_object ? 900 : 0));
      }
    }
    const contour::BackgroundSurface surface(image, side, side, sigma, 4);
    std::vector<float> levels(side);
    double worst = 0;
    for (std::int64_t y = 0; y < side; ++y) {
      surface.find_row(y, 0, 1, side, side, levels);
      for (std::int64_t x = 0; x < side; ++x) {
        worst = std::max(worst, std::abs(static_cast<double>(levels[static_cast<std::size_t>(x)]) -
                                         level(x, y)));
      }
    }
    EXPECT_LT(worst, 1.25 * sigma + 2 * bend / 16 / 4) << bend;
  }
}

/// From the lowest of 64 tiles to the highest, of which each has some 300 independent cells: the
/// half-sample mode alone scatters by 300^(-1/3) of the noise and more, a range of 1.9; the mean of
/// what lies within the noise of it, twice less certain than a mean of all, a range of 1.2.
TEST(Background, OfNoiseIsEven) {
  const double sigma = 100 / std::sqrt(4 * std::numbers::pi);
  const contour::BackgroundSurface surface(noise_cells(1), side, side, sigma, 8);
  EXPECT_LT(surface.range(), 1.5 * sigma);
}

/// Waves that no surface of second order has.
TEST(Background, FollowsWavesByItsTiles) {
  std::vector<float> image = noise_cells(1);
  const auto level = [](std::size_t x) {
    return 600 * std::sin(2 * std::numbers::pi * static_cast<double>(x) / side);
  };
  for (std::size_t i = 0; i < image.size(); ++i) {
    image[i] += static_cast<float>(level(i % static_cast<std::size_t>(side)));
  }
  const double sigma = 100 / std::sqrt(4 * std::numbers::pi);
  const contour::BackgroundSurface surface(image, side, side, sigma, 8);
  std::vector<float> levels(side);
  surface.find_row(side / 2, 0, 1, side, side, levels);
  double worst = 0;
  for (std::size_t x = 32; x < levels.size() - 32; ++x) {
    worst = std::max(worst, std::abs(static_cast<double>(levels[x]) - level(x)));
  }
  // Medians of three tiles take 1 - cos(pi / 4) of an eighth of a wave off its crests; the surface
  // of second order alone is off by more than half of the wave.
  EXPECT_LT(worst, 0.3 * 600 + sigma);
}

/// Two hills that meet at half of their height: each keeps its rim below the saddle.
TEST(ComponentTree, HillsThatTouchKeepTheirRims) {
  contour::ScaleImage image{.block = 1, .columns = 80, .rows = 40, .cells = {}, .smooth = {}};
  const auto hill = [](double x, double y) {
    const double r = std::sqrt(x * x + y * y) / 12;
    return r < 1 ? 100 * std::min(1.0, 2 * (1 - r)) : 0.0;
  };
  for (int y = 0; y < 40; ++y) {
    for (int x = 0; x < 80; ++x) {
      const double level = std::max(hill(x - 32, y - 20), hill(x - 50, y - 20));
      image.cells.push_back(static_cast<float>(level));
    }
  }
  image.smooth = contour::smoothed(image.cells, 80, 40);
  const contour::ScaleNoise noise{1, {4}};
  const contour::FindingConstants constants;
  const contour::ObjectCost cost{std::log(3200.0)};
  const auto best = [&](float sign) {
    return contour::best_components({image, sign, noise, constants, cost, 4});
  };
  const auto found = best(1);
  ASSERT_EQ(found.size(), 2U);
  for (const contour::Candidate& object : found) {
    // Above the saddle it is a disc of radius 9, 254 cells; half of its mean is at a radius of 10.
    EXPECT_NEAR(static_cast<double>(object.cells.size()), 284, 40);
    EXPECT_GT(object.fit, 0.9);
  }
  EXPECT_TRUE(best(-1).empty());
}

/// An unevenness of its own size explains it: 452 cells of 10 save 452 * 100 / (2 * 60^2) = 6.3,
/// less than the 8.1 that it takes to say where it is.
TEST(ComponentTree, NoiseOfItsOwnScaleExplainsAnObject) {
  contour::ScaleImage image{.block = 1, .columns = 64, .rows = 50, .cells = {}, .smooth = {}};
  for (int y = 0; y < 50; ++y) {
    for (int x = 0; x < 64; ++x) {
      image.cells.push_back(std::hypot(x - 32.0, y - 25.0) <= 12 ? 10.0F : 0.0F);
    }
  }
  image.smooth = contour::smoothed(image.cells, 64, 50);
  const contour::FindingConstants constants;
  const contour::ObjectCost cost{std::log(3200.0)};
  const auto found = [&](const contour::ScaleNoise& noise) {
    return contour::best_components({image, 1, noise, constants, cost, 4}).size();
  };
  EXPECT_EQ(found({1, {4, 4, 4}}), 1U);
  EXPECT_EQ(found({1, {4, 60, 60}}), 0U);
}

TEST(Detect, NothingInNoise) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    const Image image = phantom({.kind = PhantomKind::constant,
                                 .size = {700, 500, 1},
                                 .noise = {.family = NoiseFamily::gaussian},
                                 .seed = seed});
    EXPECT_TRUE(detected(image).empty()) << seed;
    EXPECT_TRUE(detected(smeared(image)).empty()) << seed << " smeared";
    // Nine pixels share it.
    EXPECT_GT(contour::detect(smeared(image), {}, {}).noise.correlation, 4) << seed;
  }
}

/// Smoothed by 2 pixels: cells of one pixel and of two share their noise. Judged by what scatters
/// from cell to cell, 1600 of its hills would be objects; a few of the highest are, to be left out
/// when they are outlined.
TEST(Detect, HardlyAnythingInSmoothNoise) {
  std::size_t found = 0;
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    const Image noise = phantom({.kind = PhantomKind::constant,
                                 .size = {700, 500, 1},
                                 .noise = {.family = NoiseFamily::gaussian},
                                 .seed = seed});
    found +=
        detected(convert(smooth(noise, {.sigma = {2, 2, 1}}), {.type = PixelType::u16})).size();
  }
  EXPECT_LE(found, 8U);
}

/// What is smooth because a lens or a filter made it so may hold small objects: these have 113
/// pixels, and more than 20 pixels share their noise.
TEST(Detect, SmallOnesInASmoothImage) {
  Picture picture{.width = 200, .height = 200, .sigma = 30};
  picture.background = [](std::int64_t x, std::int64_t y) {
    double level = 500;
    for (int i = 0; i < 9; ++i) {
      const int cx = 40 + 60 * (i % 3), cy = 40 + 60 * (i / 3);
      const double r = std::hypot(static_cast<double>(x - cx), static_cast<double>(y - cy));
      level += 400 * std::erfc((r - 6) / 2);
    }
    return level;
  };
  const Image image =
      convert(smooth(picture.image(), {.sigma = {2, 2, 1}}), {.type = PixelType::u16});
  EXPECT_GT(contour::detect(image, {}, {}).noise.correlation, 20);
  EXPECT_EQ(segment_objects(image, {}).outlines.size(), 9U);
}

TEST(Detect, FindsEachBlobOnceAtManyContrasts) {
  for (const double snr : {1.0, 2.0, 6.0, 12.0}) {
    const Phantom scene({.kind = PhantomKind::blobs,
                         .size = {1024, 1024, 1},
                         .noise = {.family = NoiseFamily::gaussian},
                         .snr = snr,
                         .seed = 5,
                         .count = 30});
    const Score score = score_of(detected(scene.slab(0, 1024)), scene);
    EXPECT_EQ(score.found, 30) << snr;
    EXPECT_EQ(score.false_ones, 0) << snr;
  }
}

/// Between objects close together there are more edges than noise.
TEST(Detect, FindsEachOfManyCloseTogether) {
  for (const std::int64_t count : {600, 2500}) {
    for (const double snr : {2.0, 6.0}) {
      if (count > 600 && snr < 6) continue;  // Some 20 pixels across, 10 apart: SNR 2 is too faint.
      const Phantom scene({.kind = PhantomKind::blobs,
                           .size = {1024, 1024, 1},
                           .noise = {.family = NoiseFamily::gaussian},
                           .snr = snr,
                           .seed = 9,
                           .count = count});
      const Score score = score_of(detected(scene.slab(0, 1024)), scene);
      // Two that nearly touch may be one until they are outlined.
      EXPECT_GE(score.found, count - count / 1000) << snr;
      EXPECT_LE(score.false_ones, count / 1000) << snr;
    }
  }
}

std::vector<Region> outlined(const Image& image) {
  std::vector<Region> regions;
  for (const Outline& outline : segment_objects(image, {}).outlines) {
    regions.push_back(region_of(outline));
  }
  return regions;
}

/// Crowds leave little of the background to measure: in small images, without noise, in whatever
/// unit grey levels are.
TEST(Detect, CrowdsInSmallImagesAndWithoutNoise) {
  PhantomOptions options{.kind = PhantomKind::blobs,
                         .size = {256, 256, 1},
                         .noise = {NoiseFamily::gaussian},
                         .snr = 4,
                         .seed = 5,
                         .count = 156};
  const auto expect_all = [&](const Image& image, const char* what) {
    const Phantom scene(options);
    const Score score = score_of(outlined(image), scene);
    EXPECT_EQ(score.found, *options.count) << what;
    EXPECT_EQ(score.false_ones, 0) << what;
  };
  expect_all(phantom(options), "small");
  options.size = {512, 512, 1};
  options.count = 600;
  options.noise = {};
  options.snr.reset();
  expect_all(phantom(options), "without noise");
  options.noise = {NoiseFamily::poisson};
  options.levels = {3, 20};
  Image counts = phantom(options);
  expect_all(counts, "counts");
  for (std::int64_t y = 0; y < 512; ++y) {
    std::uint16_t* row = counts.mutable_row<std::uint16_t>(y);
    std::transform(row, row + 512, row, [](std::uint16_t v) { return std::uint16_t(v * 256); });
  }
  expect_all(counts, "counts of 256");
}

/// With the background's surface taken off, or the image divided once, nothing would become
/// something.
TEST(Detect, NothingInNoiseAndShadingWhateverTheBackground) {
  for (const double shading : {0.0, 0.3, 0.8}) {
    for (const std::uint64_t seed : {2, 5, 9}) {
      const Image image = phantom({.kind = PhantomKind::constant,
                                   .size = {1024, 1024, 1},
                                   .noise = {NoiseFamily::gaussian},
                                   .seed = seed,
                                   .shading = shading});
      for (const Background background : {Background::automatic, Background::local}) {
        ObjectOptions options;
        options.background = background;
        const SegmentResult result = segment_objects(image, options);
        EXPECT_TRUE(result.outlines.empty()) << shading << " seed " << seed;
        // Without shading and objects the image was divided as a whole.
        EXPECT_EQ(result.figures.is_local, shading > 0) << shading << " seed " << seed;
      }
    }
  }
}

/// Of one look, half of all pixels of speckle are below .7 of the mean, and some at 15 times it.
TEST(Detect, FindsEachInSpeckleAndNothingWithout) {
  for (const double looks : {1.0, 3.0}) {
    PhantomOptions options{.kind = PhantomKind::blobs,
                           .size = {1024, 1024, 1},
                           .noise = {NoiseFamily::gamma},
                           .looks = looks,
                           .seed = 10,
                           .count = 30};
    for (const double target : {500.0, 2000.0, 4000.0}) {
      options.levels = {1000, target};
      const Phantom scene(options);
      const Score score = score_of(outlined(scene.slab(0, 1024)), scene);
      EXPECT_EQ(score.found, 30) << looks << " looks, " << target;
      EXPECT_EQ(score.false_ones, 0) << looks << " looks, " << target;
      EXPECT_GT(score.mean_overlap, 0.93) << looks << " looks, " << target;
    }
    options.kind = PhantomKind::constant;
    options.count.reset();
    EXPECT_TRUE(outlined(phantom(options)).empty()) << looks << " looks";
  }
}

/// Their dark pixels are theirs.
TEST(Detect, BrightSpeckleHasNoHoles) {
  const Phantom scene({.kind = PhantomKind::blobs,
                       .size = {512, 512, 1},
                       .noise = {.family = NoiseFamily::rayleigh},
                       .snr = 8,
                       .seed = 1,
                       .count = 7});
  const std::vector<Region> regions = detected(scene.slab(0, 512));
  EXPECT_EQ(regions.size(), 7U);
  for (const Region& region : regions) EXPECT_TRUE(region.holes.empty());
}

/// An object of texture at the border: half of it is one object; of a smaller part neither that nor
/// its pieces are objects, though each of them would be one.
TEST(Detect, WhatTheBorderCutsIsWholeOrNone) {
  for (const auto& [centre, objects] : {std::pair{2, 1U}, std::pair{-22, 0U}}) {
    Picture picture{.width = 200, .height = 200, .sigma = 20};
    picture.background = [centre = centre](std::int64_t x, std::int64_t y) {
      const double r = std::hypot(static_cast<double>(x - 100), static_cast<double>(y - centre));
      const double stripe = std::cos(static_cast<double>(x - 100) / 6);
      return r < 40 ? 1000 + 300 * stripe * stripe : 500;
    };
    EXPECT_EQ(detected(picture.image()).size(), objects) << centre;
  }
}

/// Discs on more than half of the image: what is left between them reaches all of its borders, and
/// is no object though it is the rarer level.
TEST(Detect, WhatReachesThreeBordersIsNoObject) {
  Picture picture{.width = 300, .height = 300, .sigma = 10};
  picture.background = [](std::int64_t x, std::int64_t y) {
    const auto from = [](std::int64_t i) { return static_cast<double>(i % 50 - 25); };
    return std::hypot(from(x), from(y)) < 22.5 ? 800.0 : 600.0;
  };
  const std::vector<Region> found = detected(picture.image());
  for (const Region& region : found) EXPECT_LT(region.outer.signed_area(), 3000);
}

TEST(Detect, FindsDarkOnesAndShadedOnes) {
  PhantomOptions options{.kind = PhantomKind::blobs,
                         .size = {1024, 1024, 1},
                         .noise = {.family = NoiseFamily::gaussian},
                         .snr = 2,
                         .levels = std::array<double, 2>{26000, 20000},
                         .seed = 6,
                         .count = 30};
  const Phantom dark(options);
  Score score = score_of(detected(dark.slab(0, 1024)), dark);
  EXPECT_EQ(score.found, 30);
  EXPECT_EQ(score.false_ones, 0);
  options.levels.reset();
  options.shading = 0.5;
  const Phantom shaded(options);
  score = score_of(detected(shaded.slab(0, 1024)), shaded);
  EXPECT_EQ(score.found, 30);
  EXPECT_EQ(score.false_ones, 0);
}

TEST(Detect, RingsHaveHoles) {
  const Phantom scene({.kind = PhantomKind::rings,
                       .size = {1024, 1024, 1},
                       .noise = {.family = NoiseFamily::gaussian},
                       .snr = 2,
                       .seed = 7,
                       .count = 16});
  const std::vector<Region> found = detected(scene.slab(0, 1024));
  ASSERT_EQ(found.size(), 16U);
  for (const Region& region : found) EXPECT_EQ(region.holes.size(), 1U);
}

/// Two values, most of whose differences are 0: noise all the same, and no thousand objects.
TEST(Detect, NoiseOfTwoValuesIsNoise) {
  const Image image = phantom({.kind = PhantomKind::constant,
                               .size = {400, 300, 1},
                               .type = PixelType::u8,
                               .noise = {.family = NoiseFamily::bernoulli},
                               .levels = std::array<double, 2>{0.3, 0.6},
                               .seed = 8});
  EXPECT_TRUE(detected(image).empty());
}

/// A few pixels are no object unless they are asked for.
TEST(Detect, SmallOnesAreLeftOut) {
  Image image = Image::allocate({.shape = {200, 200, 1}, .type = PixelType::u8});
  for (std::int64_t y = 0; y < 200; ++y) {
    for (std::int64_t x = 0; x < 200; ++x) {
      const bool is_small = x >= 30 && x < 32 && y >= 40 && y < 42;
      const bool is_large = x >= 100 && x < 150 && y >= 100 && y < 150;
      image.mutable_row<std::uint8_t>(y)[x] =
          static_cast<std::uint8_t>((is_small || is_large ? 200 : 100) + (x * 7 + y * 13) % 5);
    }
  }
  ObjectOptions options;
  EXPECT_EQ(segment_objects(image, options).outlines.size(), 1U);
  options.min_area = 2;
  EXPECT_EQ(segment_objects(image, options).outlines.size(), 2U);
}

}  // namespace
}  // namespace meander
