// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "phantom/scene.hpp"

#include <gtest/gtest.h>

#include "meander/error.hpp"

namespace meander::phantoms {
namespace {

constexpr std::int64_t width = 23, height = 17;

TEST(Raster, RegionsAddAndBandsFit) {
  const Polygon outer{{{256, 256}, {256 * 12, 256}, {256 * 12, 256 * 12}, {256, 256 * 12}}};
  const Polygon inner{
      {{256 * 4, 256 * 4}, {256 * 8, 256 * 4}, {256 * 8, 256 * 8}, {256 * 4, 256 * 8}}};
  const std::vector<Region> regions{{outer, 10}, {inner, -7}};
  std::vector<std::uint8_t> tenths(width * height, 99);
  for (std::int64_t y = 0; y < height; y += 3) {
    const Band band{width, 0, y, std::min(y + 3, height)};
    rasterise(regions, band, tenths.data() + y * width);
  }
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      const bool in_outer = x >= 1 && x < 12 && y >= 1 && y < 12;
      const bool in_inner = x >= 4 && x < 8 && y >= 4 && y < 8;
      ASSERT_EQ(tenths[static_cast<std::size_t>(y * width + x)], in_inner   ? 3
                                                                 : in_outer ? 10
                                                                            : 0)
          << x << " " << y;
    }
  }
}

TEST(Raster, SumsOutsideTheScaleAreAFault) {
  const Polygon square{{{0, 0}, {1024, 0}, {1024, 1024}, {0, 1024}}};
  std::vector<std::uint8_t> tenths(width * height);
  const Band band{width, 0, 0, height};
  const std::vector<Region> negative{{square, -1}}, excessive{{square, 10}, {square, 1}};
  EXPECT_THROW(rasterise(negative, band, tenths.data()), LogicError);
  EXPECT_THROW(rasterise(excessive, band, tenths.data()), LogicError);
}

}  // namespace
}  // namespace meander::phantoms
