// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench/segment/segment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "bench/segment/paper.hpp"
#include "bench/segment/plain.hpp"
#include "bench/segment/scene.hpp"
#include "meander/smooth.hpp"

namespace meander::bench {
namespace {

/// Otsu's other definition: the least sum of squares about the means of both classes, sample by
/// sample.
std::size_t least_scatter(const std::vector<std::uint64_t>& histogram) {
  const auto scatter = [&](std::size_t begin, std::size_t end) {
    long double count = 0, sum = 0, squares = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const auto many = static_cast<long double>(histogram[i]), level = static_cast<long double>(i);
      count += many, sum += many * level;
    }
    for (std::size_t i = begin; i < end; ++i) {
      const long double apart = static_cast<long double>(i) - sum / count;
      if (histogram[i] > 0) squares += static_cast<long double>(histogram[i]) * apart * apart;
    }
    return squares;
  };
  std::size_t best = 0;
  long double least = std::numeric_limits<long double>::infinity();
  for (std::size_t i = 0; i + 1 < histogram.size(); ++i) {
    const long double found = scatter(0, i + 1) + scatter(i + 1, histogram.size());
    if (found < least) least = found, best = i;
  }
  return best;
}

TEST(SegmentOtsu, TheThresholdIsThatOfLeastScatter) {
  std::mt19937 bits(3);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<std::uint64_t> histogram(static_cast<std::size_t>(2 + bits() % 60));
    for (std::uint64_t& count : histogram) count = bits() % 3 == 0 ? 0 : bits() % 1000;
    // Nobody's favourite among equals: both ends are held.
    histogram.front() += 1, histogram.back() += 1;
    EXPECT_EQ(otsu_bin(histogram), least_scatter(histogram)) << trial;
  }
}

TEST(SegmentOtsu, TheFirstOfEqualsAndNothingToDivide) {
  EXPECT_EQ(otsu_bin(std::vector<std::uint64_t>{0, 5, 0, 0, 0, 3, 0}), 1u);
  EXPECT_EQ(otsu_bin(std::vector<std::uint64_t>{0, 0, 7, 0}), 0u);
  EXPECT_EQ(otsu_bin(std::vector<std::uint64_t>{0, 0}), 0u);
}

/// Bin by bin in one go, whatever the pieces.
std::vector<std::uint8_t> plainly_thresholded(const Image& image, double sigma) {
  const Image soft = smooth(image, {.sigma = Scale(sigma)}).download();
  std::vector<std::uint64_t> histogram(4096);
  std::vector<std::size_t> bins;
  for (std::int64_t y = 0; y < soft.shape().y; ++y) {
    for (std::int64_t x = 0; x < soft.shape().x; ++x) {
      bins.push_back(static_cast<std::size_t>(soft.row<float>(y)[x]) / 16);
      ++histogram.at(bins.back());
    }
  }
  const std::size_t threshold = least_scatter(histogram);
  std::vector<std::uint8_t> mask;
  for (const std::size_t bin : bins) mask.push_back(bin > threshold ? 255 : 0);
  return mask;
}

TEST(SegmentOtsu, EveryPixelIsCountedAndThresholded) {
  for (const Shape& size : {Shape{130, 5, 1}, Shape{67, 63, 1}, Shape{50, 141, 1}}) {
    const SegmentScene scene =
        scene_with({.size = size, .noise = {NoiseFamily::gaussian}, .snr = 2.0}, {});
    const Image mask = blurred_otsu(scene.image, 1.5);
    ASSERT_EQ(mask.type(), PixelType::u8);
    std::vector<std::uint8_t> found;
    for (std::int64_t y = 0; y < size.y; ++y) {
      found.insert(found.end(), mask.row<std::uint8_t>(y), mask.row<std::uint8_t>(y) + size.x);
    }
    EXPECT_EQ(found, plainly_thresholded(scene.image, 1.5)) << to_string(size);
  }
}

TEST(SegmentOtsu, FindsAStarInNoiseWhenItBlurs) {
  const SegmentScene scene = scene_with(
      {.size = {512, 512, 1}, .noise = {NoiseFamily::gaussian}, .snr = 1.0, .seed = 4}, {});
  EXPECT_GT(iou_of(blurred_otsu(scene.image, 3), scene.truth), 0.95);
  EXPECT_LT(iou_of(blurred_otsu(scene.image, 0), scene.truth), 0.6);
}

TEST(SegmentRead, EveryWholeWordCounts) {
  Image image = Image::allocate({.shape = {10, 3, 1}, .type = PixelType::u16});
  std::uint64_t wanted = 0;
  for (std::int64_t y = 0; y < 3; ++y) {
    auto* row = image.mutable_row<std::uint16_t>(y);
    for (std::int64_t x = 0; x < 10; ++x) {
      row[x] = static_cast<std::uint16_t>(100 * y + x + 1);
      if (x < 8) wanted += static_cast<std::uint64_t>(row[x]) << (16 * (x % 4));
    }
  }
  EXPECT_EQ(read_pass(image), wanted);
}

/// A rectangle that holds the pixels [x0, x1) x [y0, y1).
Outline rectangle(std::int64_t x0, std::int64_t y0, std::int64_t x1, std::int64_t y1) {
  const auto at = [](std::int64_t x, std::int64_t y) {
    return GridPoint{x * grid_steps_per_pixel - 128, y * grid_steps_per_pixel - 128};
  };
  return {.polygon = {{at(x0, y0), at(x1, y0), at(x1, y1), at(x0, y1)}}};
}

Image mask_of(const Shape& size, std::int64_t x0, std::int64_t y0, std::int64_t x1,
              std::int64_t y1) {
  Image mask = Image::allocate({.shape = size, .type = PixelType::u8});
  for (std::int64_t y = 0; y < size.y; ++y) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      const bool is_inside = x >= x0 && x < x1 && y >= y0 && y < y1;
      mask.mutable_row<std::uint8_t>(y)[x] = is_inside ? 255 : 0;
    }
  }
  return mask;
}

TEST(SegmentScore, IsIntersectionOverUnion) {
  const Shape size{40, 600, 1};  // three bands of rows
  const Image truth = mask_of(size, 10, 100, 30, 500);
  EXPECT_EQ(iou_of({rectangle(10, 100, 30, 500)}, truth), 1);
  EXPECT_EQ(iou_of({rectangle(11, 100, 31, 500)}, truth), 19.0 / 21);
  EXPECT_EQ(iou_of({rectangle(10, 90, 30, 500)}, truth), 400.0 / 410);
  EXPECT_EQ(iou_of({rectangle(10, 100, 30, 200), rectangle(10, 400, 30, 520)}, truth), 200.0 / 420);
  EXPECT_EQ(iou_of({rectangle(0, 0, 5, 5)}, truth), 0);
  EXPECT_EQ(iou_of(std::vector<Outline>{}, truth), 0);
  EXPECT_EQ(iou_of(mask_of(size, 10, 100, 30, 520), truth), 400.0 / 420);
  EXPECT_EQ(iou_of(mask_of(size, 0, 0, 40, 600), truth), 8000.0 / 24000);
}

TEST(SegmentScore, TheStarsOwnOutlineScoresOne) {
  const PhantomOptions options{.size = {333, 301, 1}};
  const SegmentScene scene = scene_with(options, {});
  std::vector<Outline> outlines;
  for (const Polygon& polygon : Phantom(options).outlines()) {
    outlines.push_back({.polygon = polygon});
  }
  EXPECT_EQ(iou_of(outlines, scene.truth), 1);
}

TEST(SegmentScore, ASmallStarHasItsShareOfThePixelsAndItsContrast) {
  const SegmentScene scene = small_star_scene(
      {.size = {1024, 1024, 1}, .noise = {NoiseFamily::gaussian}, .snr = 1.0}, 0.0013, {});
  double pixels[2] = {}, sums[2] = {};
  for (std::int64_t y = 0; y < 1024; ++y) {
    const auto* values = scene.image.row<std::uint16_t>(y);
    const auto* truth = scene.truth.row<std::uint8_t>(y);
    for (std::int64_t x = 0; x < 1024; ++x) {
      const int place = truth[x] == 255;
      ASSERT_TRUE(place == 1 || truth[x] == 0);
      pixels[place] += 1, sums[place] += values[x];
      EXPECT_TRUE(place == 0 || (x > 512 && y < 512)) << "beside the middle of both axes";
    }
  }
  EXPECT_NEAR(pixels[1] / (1024 * 1024), 0.0013, 0.00007);
  // A mean of n values of sigma 3000 is off by 3000 over the root of n; five times that is allowed.
  EXPECT_NEAR(sums[0] / pixels[0], 20000, 5 * 3000 / std::sqrt(pixels[0]));
  EXPECT_NEAR(sums[1] / pixels[1], 23000, 5 * 3000 / std::sqrt(pixels[1]));
}

TEST(SegmentPaper, SharesAreParts) {
  EXPECT_LE(paper_segment_criterion + paper_segment_cumulated, 1);
  // The limit of its program on the processor lies in the range where its GPU is compared with it.
  EXPECT_GE(paper_segment_limit_megapixels, paper_segment_megapixels[0]);
  EXPECT_LE(paper_segment_limit_megapixels, paper_segment_megapixels[1]);
}

TEST(SegmentWays, AreTheirStoresAndSearches) {
  const auto is = [](SegmentWay way, SumStore store, SegmentSchedule schedule, NoiseModel noise) {
    const SegmentOptions options = options_of(way);
    return options.store == store && options.schedule == schedule && options.noise == noise;
  };
  constexpr auto gaussian = NoiseModel::gaussian;
  EXPECT_TRUE(is(SegmentWay::paper, SumStore::full, SegmentSchedule::classic, gaussian));
  EXPECT_TRUE(is(SegmentWay::base32_classic, SumStore::base32, SegmentSchedule::classic, gaussian));
  EXPECT_TRUE(is(SegmentWay::full_pyramid, SumStore::full, SegmentSchedule::pyramid, gaussian));
  EXPECT_TRUE(is(SegmentWay::base32_pyramid, SumStore::base32, SegmentSchedule::pyramid, gaussian));
  EXPECT_TRUE(
      is(SegmentWay::defaults, SumStore::base32, SegmentSchedule::pyramid, NoiseModel::automatic));
}

void expect_all_figures(const SegmentBench& found) {
  ASSERT_EQ(found.rows.size(), 7u);
  const SegmentRow &paper = found.row(SegmentWay::paper), &read = found.row(SegmentWay::read);
  for (const SegmentRow& row : found.rows) {
    EXPECT_EQ(row.skipped, "") << name_of(row.way);
    // One run, so ratios of medians are medians of ratios.
    EXPECT_NEAR(row.over_paper->median * paper.seconds.median, row.seconds.median,
                1e-9 * row.seconds.median);
    EXPECT_NEAR(row.over_read.median * read.seconds.median, row.seconds.median,
                1e-9 * row.seconds.median);
    EXPECT_EQ(row.course.has_value(), is_snake(row.way));
    if (!row.course) continue;
    EXPECT_GT(row.course->nodes, 2) << name_of(row.way);
    EXPECT_GT(row.course->figures.evaluations, row.course->figures.iterations);
    EXPECT_GT(row.course->build_share(), 0);
    EXPECT_LT(row.course->build_share(), 1);
    EXPECT_GT(row.course->sums_share.value(), 0) << name_of(row.way);
    EXPECT_LT(row.course->sums_share.value(), 1) << name_of(row.way);
    EXPECT_GT(row.iou.value(), 0.8) << name_of(row.way);
    EXPECT_LE(row.memory->measured, 1.05 * row.memory->estimated.value()) << name_of(row.way);
    EXPECT_GT(row.memory->child->seconds, 0);
  }
  // Cumulated images of two words a pixel, or of two for every 32.
  EXPECT_GE(paper.memory->measured, 16);
  EXPECT_LT(found.row(SegmentWay::base32_pyramid).memory->measured, 1.5);
}

TEST(SegmentBench, EveryWayIsMeasured) {
  for (const int count : {1, 2}) {
    set_threads(count);
    const SegmentBench found = bench_segment({384, 320, 1}, Device::open("cpu"), 1, {});
    EXPECT_EQ(found.clock, count == 1 ? Clock::process : Clock::wall);
    EXPECT_EQ(found.scaling.has_value(), count > 1);
    EXPECT_EQ(found.runs, 1);
    expect_all_figures(found);
    EXPECT_EQ(threads(), count);  // the baseline's one thread is its own
  }
  set_threads(0);
}

TEST(SegmentBench, WhatDoesNotFitIsSkippedByName) {
  const Device device = Device::open("cpu");
  const std::uint64_t budget = device.memory().budget;
  const Shape size{512, 512, 1};
  device.set_memory_budget(device.memory().in_use + 14 * 512 * 512);
  const SegmentBench found = bench_segment(size, device, 1, {});
  device.set_memory_budget(budget);
  EXPECT_NE(found.row(SegmentWay::paper).skipped.find("beyond the budget"), std::string::npos);
  EXPECT_NE(found.row(SegmentWay::full_pyramid).skipped, "");
  const SegmentRow& ours = found.row(SegmentWay::base32_pyramid);
  EXPECT_EQ(ours.skipped, "");
  EXPECT_FALSE(ours.over_paper.has_value());
  EXPECT_GT(ours.over_read.median, 0);
  device.set_memory_budget(device.memory().in_use + 1000);
  EXPECT_THROW(bench_segment(size, device, 1, {}), OutOfMemory);
  device.set_memory_budget(budget);
}

TEST(SegmentBench, BytesAreThoseOfImageAndMask) {
  EXPECT_EQ(segment_bench_bytes({12000, 12000, 1}),
            padded_bytes({.shape = {12000, 12000, 1}, .type = PixelType::u16}) +
                padded_bytes({.shape = {12000, 12000, 1}, .type = PixelType::u8}));
}

TEST(SegmentBench, AccuracyScoresEveryKindOfImage) {
  const SegmentAccuracies found = segment_accuracy({512, 512, 1}, 2, Device::open("cpu"), {});
  ASSERT_EQ(found.rows.size(), 14u);
  EXPECT_EQ(found.seeds, 2);
  for (const SegmentAccuracy& row : found.rows) {
    for (const IouSpread& spread : {row.given, row.polygon, row.automatic, row.otsu}) {
      EXPECT_LE(spread.least, spread.mean + 1e-12) << row.image;
      EXPECT_LE(spread.mean, 1) << row.image;
    }
    EXPECT_EQ(std::count(std::begin(otsu_sigmas), std::end(otsu_sigmas), row.otsu_sigma), 1);
    EXPECT_EQ(row.noise, row.image.find("speckle") != std::string::npos ? NoiseModel::gamma
                                                                        : NoiseModel::gaussian);
  }
  EXPECT_GT(found.rows[0].given.least, 0.98);
  EXPECT_GT(found.rows[1].otsu.least, 0.95);
  // Equal means: there is no threshold.
  EXPECT_GT(found.rows[4].given.least, 0.9);
  EXPECT_LT(found.rows[4].otsu.mean, 0.6);
}

TEST(SegmentBench, StopsOnRequest) {
  std::stop_source source;
  source.request_stop();
  const Control stopped{.stop = source.get_token(), .progress = {}};
  EXPECT_THROW(bench_segment({64, 64, 1}, Device::open("cpu"), 3, stopped), Cancelled);
  EXPECT_THROW(segment_accuracy({64, 64, 1}, 1, Device::open("cpu"), stopped), Cancelled);
}

}  // namespace
}  // namespace meander::bench
