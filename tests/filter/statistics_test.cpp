// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "meander/convert.hpp"
#include "meander/device.hpp"

namespace meander {
namespace {

/// 0, 1, … n-1 along x, the same in every row and channel: all figures are known in closed form.
Image ramp(const Shape& shape, int channels, PixelType type) {
  Image image = Image::allocate({.shape = shape, .channels = channels, .type = PixelType::f64});
  for (int c = 0; c < channels; ++c) {
    for (std::int64_t z = 0; z < shape.z; ++z) {
      for (std::int64_t y = 0; y < shape.y; ++y) {
        for (std::int64_t x = 0; x < shape.x; ++x) {
          image.mutable_row<double>(y, z, c)[x] = static_cast<double>(x);
        }
      }
    }
  }
  return convert(image, {.type = type}).download();
}

TEST(Statistics, OfARampAreTheClosedForm) {
  for (const PixelType type : {PixelType::u16, PixelType::i16, PixelType::f32, PixelType::f64}) {
    const Statistics found = statistics(ramp({5000, 3, 2}, 2, type));
    EXPECT_EQ(found.min, 0);
    EXPECT_EQ(found.max, 4999);
    EXPECT_EQ(found.sum,
              12.0 * 5000 * 4999 / 2);  // sums of integers below 2^53 are exact in float64 too
    EXPECT_DOUBLE_EQ(found.mean, 2499.5);
    EXPECT_NEAR(found.standard_deviation, std::sqrt((5000.0 * 5000 - 1) / 12), 1e-9);
    EXPECT_DOUBLE_EQ(found.norm2 * found.norm2, 12.0 * 4999 * 5000 * 9999 / 6);
    EXPECT_EQ(found.finite, 60000);
  }
}

/// Exactness beyond 2^53: 2^20 pixels of 65535² + one of 1 sum to an odd number that doubles near
/// it skip.
TEST(Statistics, IntegerSquaresAreExact) {
  Image image = Image::allocate({.shape = {1024, 4096, 1}, .type = PixelType::u16});
  for (std::int64_t y = 0; y < 4096; ++y)
    std::fill_n(image.mutable_row<std::uint16_t>(y), 1024, std::uint16_t{65535});
  EXPECT_EQ(statistics(image).norm2, std::sqrt(65535.0 * 65535.0 * 1024 * 4096));
  EXPECT_EQ(statistics(image).standard_deviation, 0);
}

TEST(Statistics, NegativeValuesCountByMagnitudeInNorm1) {
  Image image = Image::allocate({.shape = {2, 1, 1}, .type = PixelType::i16});
  image.mutable_row<std::int16_t>(0)[0] = -32768;
  image.mutable_row<std::int16_t>(0)[1] = 5;
  const Statistics found = statistics(image);
  EXPECT_EQ(found.norm1, 32773);
  EXPECT_EQ(found.sum, -32763);
  EXPECT_EQ(found.min, -32768);
}

TEST(Statistics, NonfiniteValuesAreCountedAndLeftOut) {
  Image image = Image::allocate({.shape = {11, 1, 1}});
  for (int x = 0; x < 11; ++x) image.mutable_row<float>(0)[x] = 2;
  image.mutable_row<float>(0)[1] = NAN;
  image.mutable_row<float>(0)[9] = INFINITY;
  image.mutable_row<float>(0)[10] = -INFINITY;
  const Statistics found = statistics(image);
  EXPECT_EQ(found.nonfinite, 3);
  EXPECT_EQ(found.finite, 8);
  EXPECT_EQ(found.mean, 2);
  EXPECT_EQ(found.max, 2);
  EXPECT_EQ(found.standard_deviation, 0);
}

TEST(Statistics, OfNothingFiniteIsNan) {
  Image image = Image::allocate({.shape = {3, 1, 1}});
  std::fill_n(image.mutable_row<float>(0), 3, NAN);
  const Statistics found = statistics(image);
  EXPECT_TRUE(std::isnan(found.min));
  EXPECT_TRUE(std::isnan(found.mean));
  EXPECT_EQ(found.finite, 0);
  EXPECT_EQ(combined(found, statistics(ramp({4, 1, 1}, 1, PixelType::f32))).max, 3);
}

TEST(Statistics, SlabsCombineToTheWhole) {
  const Image image = ramp({100, 7, 1}, 1, PixelType::u16);
  const Statistics whole = statistics(image);
  const Statistics parts = combined(statistics(image.rows(0, 3)), statistics(image.rows(3, 7)));
  EXPECT_EQ(parts.sum, whole.sum);
  EXPECT_EQ(parts.finite, whole.finite);
  EXPECT_NEAR(parts.standard_deviation, whole.standard_deviation, 1e-12);
}

TEST(Statistics, DoNotDependOnTheNumberOfThreads) {
  Image image = Image::allocate({.shape = {997, 301, 1}});
  for (std::int64_t y = 0; y < 301; ++y) {
    for (std::int64_t x = 0; x < 997; ++x) {
      image.mutable_row<float>(y)[x] = 1.0f / static_cast<float>(1 + x + 997 * y);
    }
  }
  set_threads(1);
  const Statistics one = statistics(image);
  for (const int count : {2, 3, 8}) {
    set_threads(count);
    EXPECT_EQ(statistics(image).sum, one.sum);
    EXPECT_EQ(statistics(image).norm2, one.norm2);
  }
  set_threads(0);
}

/// Values 1e9 ± 1: their squares differ in the 18th digit, which a double does not have.
TEST(Statistics, DeviationSurvivesALargeOffset) {
  Image image = Image::allocate({.shape = {1000, 50, 1}, .type = PixelType::f64});
  for (std::int64_t y = 0; y < 50; ++y) {
    for (std::int64_t x = 0; x < 1000; ++x) {
      image.mutable_row<double>(y)[x] = 1e9 + (x % 2 == 0 ? 1 : -1);
    }
  }
  EXPECT_NEAR(statistics(image).standard_deviation, 1, 1e-12);
  const Statistics parts = combined(statistics(image.rows(0, 7)), statistics(image.rows(7, 50)));
  EXPECT_NEAR(parts.standard_deviation, 1, 1e-12);
}

TEST(Statistics, CombinedPartsKeepTheirCounts) {
  Image image = Image::allocate({.shape = {4, 2, 1}});
  std::fill_n(image.mutable_row<float>(0), 4, 1.0f);
  std::fill_n(image.mutable_row<float>(1), 4, 3.0f);
  image.mutable_row<float>(0)[0] = NAN;
  image.mutable_row<float>(1)[3] = INFINITY;
  const Statistics parts = combined(statistics(image.rows(0, 1)), statistics(image.rows(1, 2)));
  EXPECT_EQ(parts.nonfinite, 2);
  EXPECT_EQ(parts.finite, 6);
  EXPECT_EQ(parts.mean, 2);
  EXPECT_EQ(parts.standard_deviation, 1);
}

TEST(Statistics, HoldNoMoreThanEstimated) {
  for (const DeviceInfo& info : Device::list()) {
    const Device device = Device::open(info.name);
    const Image image = device.upload(ramp({3, 20000, 1}, 1, PixelType::f32));
    const std::uint64_t before = device.memory().in_use;
    device.reset_memory_peak();
    statistics(image);
    const auto beyond = static_cast<double>(device.memory().peak - before);
    const auto pixels = static_cast<double>(padded_bytes(image.description()));
    EXPECT_LE(beyond,
              1.05 * (static_cast<double>(estimate_statistics_bytes(image.description())) - pixels))
        << info.name;
  }
}

}  // namespace
}  // namespace meander
