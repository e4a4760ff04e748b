// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <cmath>

#include "contour/detect.hpp"
#include "contour/detect_testing.hpp"

/// Finding objects: what is background, what is noise, and what is neither.
namespace meander {
namespace {

using namespace testing;

TEST(Detect, NoiseOfAGridIsThatOfItsCells) {
  const Image image = phantom({.kind = PhantomKind::constant,
                               .size = {512, 512, 1},
                               .noise = {.family = NoiseFamily::gaussian},
                               .seed = 3});
  for (const contour::CellGrid& grid : contour::cell_grids(image, {})) {
    if (grid.size() < 4096) continue;
    // The median of n differences is off by 1.17/sqrt(n) of the noise (a normal number's density at
    // its quartile), one in three times by more: four times that for the largest of four distances.
    // At least 2^15 cells are looked at where there are so many.
    const double expected = 3000 / static_cast<double>(grid.block);
    const auto cells = static_cast<double>(std::min<std::int64_t>(grid.size(), 1 << 15));
    EXPECT_NEAR(contour::noise_of(grid), expected, 4 * 1.17 / std::sqrt(cells) * expected)
        << grid.block;
  }
}

TEST(Detect, NoiseIsAtLeastThatOfRounding) {
  Image image = Image::allocate({.shape = {64, 64, 1}, .type = PixelType::u8});
  for (std::int64_t y = 0; y < 64; ++y) std::fill_n(image.mutable_row<std::uint8_t>(y), 64, 7);
  for (const contour::CellGrid& grid : contour::cell_grids(image, {})) {
    const double expected = std::sqrt(1.0 / 12) / static_cast<double>(grid.block);
    EXPECT_DOUBLE_EQ(contour::noise_of(grid), expected);
    EXPECT_DOUBLE_EQ(contour::noise_beside(grid), expected);
  }
}

TEST(Detect, MostFrequentValueIsNotMovedByOthers) {
  std::vector<float> values;
  for (int i = 0; i < 600; ++i) values.push_back(100 + static_cast<float>(i % 7) - 3);
  for (int i = 0; i < 500; ++i) values.push_back(300 + static_cast<float>(i));
  // 100 to within what seven values beside each other differ by.
  EXPECT_NEAR(contour::most_frequent(values, 4), 100, 1);
}

TEST(Detect, BackdropFollowsASlopeUpToTheBorder) {
  Image image = Image::allocate({.shape = {256, 192, 1}, .type = PixelType::u16});
  for (std::int64_t y = 0; y < 192; ++y) {
    for (std::int64_t x = 0; x < 256; ++x) {
      image.mutable_row<std::uint16_t>(y)[x] = static_cast<std::uint16_t>(5000 + 8 * x + 4 * y);
    }
  }
  const auto grids = contour::cell_grids(image, {});
  const contour::CellGrid& grid = grids[2];
  contour::Backdrop backdrop(grid, 50);
  for (int i = 0; i < 4; ++i) backdrop = backdrop.refined(grid, 50);
  const contour::Backdrop::Rows rows(backdrop, grid);
  std::vector<float> levels;
  for (const std::int64_t y : {std::int64_t{0}, grid.rows / 2, grid.rows - 1}) {
    rows.find(y, 0, grid.columns, levels);
    for (const std::int64_t x : {std::int64_t{0}, grid.columns / 2, grid.columns - 1}) {
      // Half of what a tile of 16 pixels rises by along both axes.
      EXPECT_NEAR(levels[static_cast<std::size_t>(x)], grid.row(y)[x], 8 * (8 + 4))
          << x << "," << y;
    }
  }
}

TEST(Detect, AnObjectThatFillsATileIsNotBackground) {
  Image image = Image::allocate({.shape = {256, 256, 1}, .type = PixelType::u16});
  for (std::int64_t y = 0; y < 256; ++y) {
    for (std::int64_t x = 0; x < 256; ++x) {
      const bool is_inside = x >= 96 && x < 160 && y >= 96 && y < 160;
      image.mutable_row<std::uint16_t>(y)[x] = is_inside ? 9000 : 5000;
    }
  }
  const auto grids = contour::cell_grids(image, {});
  const contour::CellGrid& grid = grids[2];
  contour::Backdrop backdrop(grid, 50);
  // Up to eight tiles of 32 pixels along a side, four of them within the object.
  for (int i = 0; i < 3; ++i) backdrop = backdrop.refined(grid, 50);
  const contour::Backdrop::Rows rows(backdrop, grid);
  std::vector<float> levels;
  for (std::int64_t y = 0; y < grid.rows; ++y) {
    rows.find(y, 0, grid.columns, levels);
    for (const float level : levels) EXPECT_NEAR(level, 5000, 50) << y;
  }
}

/// Levels of a part of a row are those of the row.
TEST(Detect, BackdropOfAPartOfARow) {
  const Image image = phantom({.kind = PhantomKind::constant,
                               .size = {200, 130, 1},
                               .noise = {.family = NoiseFamily::gaussian},
                               .shading = 0.5});
  const auto grids = contour::cell_grids(image, {});
  const contour::Backdrop backdrop =
      contour::Backdrop(grids[1], 900).refined(grids[1], 900).refined(grids[1], 900);
  const contour::Backdrop::Rows rows(backdrop, grids[1]);
  std::vector<float> all, part;
  rows.find(31, 0, grids[1].columns, all);
  rows.find(31, 17, 60, part);
  ASSERT_EQ(part.size(), 43u);
  EXPECT_NE(all[17], all[0]);
  for (std::size_t i = 0; i < part.size(); ++i) EXPECT_EQ(part[i], all[17 + i]);
}

TEST(Detect, NothingInNoise) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    const Image image = phantom({.kind = PhantomKind::constant,
                                 .size = {700, 500, 1},
                                 .noise = {.family = NoiseFamily::gaussian},
                                 .seed = seed});
    EXPECT_TRUE(contour::detect(image, {}).regions.empty()) << seed;
    EXPECT_TRUE(contour::detect(smeared(image), {}).regions.empty()) << seed << " smeared";
  }
}

TEST(Detect, FindsEachBlobOnceAtManyContrasts) {
  for (const double snr : {1.0, 2.0, 6.0, 12.0}) {
    const Phantom scene({.kind = PhantomKind::blobs,
                         .size = {1024, 1024, 1},
                         .noise = {.family = NoiseFamily::gaussian},
                         .snr = snr,
                         .seed = 5,
                         .count = 30});
    const Score score = score_of(contour::detect(scene.slab(0, 1024), {}).regions, scene);
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
      const Score score = score_of(contour::detect(scene.slab(0, 1024), {}).regions, scene);
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
  const std::vector<Region> regions = contour::detect(scene.slab(0, 512), {}).regions;
  EXPECT_EQ(regions.size(), 7U);
  for (const Region& region : regions) EXPECT_TRUE(region.holes.empty());
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
  Score score = score_of(contour::detect(dark.slab(0, 1024), {}).regions, dark);
  EXPECT_EQ(score.found, 30);
  EXPECT_EQ(score.false_ones, 0);
  options.levels.reset();
  options.shading = 0.5;
  const Phantom shaded(options);
  score = score_of(contour::detect(shaded.slab(0, 1024), {}).regions, shaded);
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
  const std::vector<Region> found = contour::detect(scene.slab(0, 1024), {}).regions;
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
  EXPECT_TRUE(contour::detect(image, {}).regions.empty());
}

/// A few pixels are no object unless they are asked for: less than a quarter of the least area.
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
  EXPECT_EQ(find_objects(image, options).size(), 1U);
  options.min_area = 5;
  EXPECT_EQ(find_objects(image, options).size(), 2U);
}

}  // namespace
}  // namespace meander
