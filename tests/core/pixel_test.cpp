// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/pixel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace meander {
namespace {

TEST(PixelType, NamesComeBack) {
  for (const PixelType type : all_pixel_types) EXPECT_EQ(pixel_type_named(name_of(type)), type);
  EXPECT_EQ(pixel_type_named("u32"), std::nullopt);
  EXPECT_EQ(pixel_type_named(""), std::nullopt);
}

TEST(PixelType, SizesAndRanges) {
  EXPECT_EQ(size_of(PixelType::u8), 1u);
  EXPECT_EQ(size_of(PixelType::f16), 2u);
  EXPECT_EQ(size_of(PixelType::f64), 8u);
  EXPECT_EQ(lowest_of(PixelType::i16), -32768);
  EXPECT_EQ(highest_of(PixelType::i16), 32767);
  EXPECT_EQ(highest_of(PixelType::f16), to_float(Half{0x7bff}));
  EXPECT_TRUE(is_integer(PixelType::i16));
  EXPECT_FALSE(is_integer(PixelType::f16));
}

TEST(FromDouble, RoundsTiesToEven) {
  EXPECT_EQ(from_double<std::uint8_t>(0.5), 0);
  EXPECT_EQ(from_double<std::uint8_t>(1.5), 2);
  EXPECT_EQ(from_double<std::uint8_t>(2.5), 2);
  EXPECT_EQ(from_double<std::int16_t>(-0.5), 0);
  EXPECT_EQ(from_double<std::int16_t>(-1.5), -2);
  EXPECT_EQ(from_double<std::int16_t>(-2.4999), -2);
}

TEST(FromDouble, SaturatesAndTakesNanAsZero) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(from_double<std::uint8_t>(255.5), 255);
  EXPECT_EQ(from_double<std::uint8_t>(-1), 0);
  EXPECT_EQ(from_double<std::uint16_t>(infinity), 65535);
  EXPECT_EQ(from_double<std::int16_t>(-infinity), -32768);
  EXPECT_EQ(from_double<std::int16_t>(1e300), 32767);
  EXPECT_EQ(from_double<std::int16_t>(std::nan("")), 0);
}

TEST(FromDouble, FloatsKeepNanAndOverflowToInfinity) {
  EXPECT_TRUE(std::isnan(from_double<float>(std::nan(""))));
  EXPECT_TRUE(std::isinf(from_double<float>(1e300)));
  EXPECT_TRUE(std::isinf(to_float(from_double<Half>(70000))));
}

}  // namespace
}  // namespace meander
