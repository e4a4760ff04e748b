// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "meander/pixel.hpp"

namespace meander {
namespace {

/// The definition, by powers of two: independent of the bit tricks under test.
double value_of(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int fraction = bits & 1023;
  const double sign = (bits & 0x8000) ? -1 : 1;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  if (exponent == 31) {
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::nan("");
  }
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

TEST(Half, EveryBitPatternReadsAsItsDefinition) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const double expected = value_of(static_cast<std::uint16_t>(bits));
    const float found = to_float(Half{static_cast<std::uint16_t>(bits)});
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(found)) << bits;
    } else {
      EXPECT_EQ(found, expected) << bits;
      EXPECT_EQ(std::signbit(found), std::signbit(expected)) << bits;
    }
  }
}

TEST(Half, EveryHalfComesBackFromFloatAndDouble) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const Half half{static_cast<std::uint16_t>(bits)};
    if (std::isnan(to_float(half))) {
      EXPECT_TRUE(std::isnan(to_float(to_half(to_float(half)))));
      EXPECT_TRUE(std::isnan(to_float(to_half(static_cast<double>(to_float(half))))));
    } else {
      EXPECT_EQ(to_half(to_float(half)).bits, bits);
      EXPECT_EQ(to_half(static_cast<double>(to_float(half))).bits, bits);
    }
  }
}

/// Between every two neighbours: the midpoint goes to the even one, a hair beside it to the nearer
/// one.
TEST(Half, RoundsToNearestEvenAtEveryMidpoint) {
  for (std::uint16_t low = 0; low < 0x7bff; ++low) {
    const auto high = static_cast<std::uint16_t>(low + 1);
    const double middle = (value_of(low) + value_of(high)) / 2;
    const std::uint16_t even = low % 2 == 0 ? low : high;
    for (const double sign : {1.0, -1.0}) {
      const std::uint16_t mark = sign < 0 ? 0x8000 : 0;
      const double infinity = std::numeric_limits<double>::infinity();
      EXPECT_EQ(to_half(sign * middle).bits, mark | even);
      EXPECT_EQ(to_half(sign * std::nextafter(middle, infinity)).bits, mark | high);
      EXPECT_EQ(to_half(sign * std::nextafter(middle, 0.0)).bits, mark | low);
      const auto narrow = static_cast<float>(sign * middle);  // exact: one bit more than a half
      EXPECT_EQ(to_half(narrow).bits, mark | even);
      EXPECT_EQ(to_half(std::nextafterf(narrow, static_cast<float>(sign) * INFINITY)).bits,
                mark | high);
      EXPECT_EQ(to_half(std::nextafterf(narrow, 0.0f)).bits, mark | low);
    }
  }
}

TEST(Half, OverflowsToInfinityFromHalfwayBeyondTheLargest) {
  EXPECT_EQ(to_half(65519.999).bits, 0x7bff);
  EXPECT_EQ(to_half(65520.0).bits, 0x7c00);
  EXPECT_EQ(to_half(65519.99f).bits, 0x7bff);
  EXPECT_EQ(to_half(65520.0f).bits, 0x7c00);
  EXPECT_EQ(to_half(-1e300).bits, 0xfc00);
  EXPECT_EQ(to_half(1e-300).bits, 0);
  EXPECT_EQ(to_half(-1e-30f).bits, 0x8000);
}

}  // namespace
}  // namespace meander
