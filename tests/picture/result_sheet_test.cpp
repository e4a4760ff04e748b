// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "meander/error.hpp"
#include "meander/picture.hpp"

namespace meander {
namespace {

constexpr std::int64_t left = 8, top = 8 + 20;  // of a contact sheet

Image filled(const std::vector<float>& channels, const Shape& shape = {30, 20, 1}) {
  Image image = Image::allocate({.shape = shape, .channels = static_cast<int>(channels.size())});
  for (int c = 0; c < image.channels(); ++c) {
    for (std::int64_t z = 0; z < shape.z; ++z) {
      for (std::int64_t y = 0; y < shape.y; ++y) {
        std::fill_n(image.mutable_row<float>(y, z, c), shape.x,
                    channels[static_cast<std::size_t>(c)] + static_cast<float>(100 * z));
      }
    }
  }
  return image;
}

std::array<int, 3> colour(const Image& sheet, std::int64_t x, std::int64_t y) {
  std::array<int, 3> found{};
  for (int c = 0; c < 3; ++c)
    found[static_cast<std::size_t>(c)] = sheet.row<std::uint8_t>(y, 0, c)[x];
  return found;
}

using Colour = std::array<int, 3>;

TEST(ResultSheet, AllAreGreyBetweenTheSameTwoValues) {
  ResultSheet sheet(2, 1);
  sheet.add("", filled({10}));
  sheet.add("", filled({60}));
  sheet.add("", filled({35}));
  EXPECT_EQ(sheet.window(), (std::array{10.0, 60.0}));
  const Image picture = sheet.picture();
  EXPECT_EQ(picture.shape(), (Shape{8 + 2 * 38, 8 + 2 * 48, 1}));  // the third begins a row
  EXPECT_EQ(colour(picture, left, top), (Colour{0, 0, 0}));
  EXPECT_EQ(colour(picture, left + 38, top), (Colour{255, 255, 255}));
  EXPECT_EQ(colour(picture, left, top + 48), (Colour{128, 128, 128}));  // 127.5, to even
}

TEST(ResultSheet, OfAVolumeTheMiddleSliceOfManyChannelsTheFirstThree) {
  ResultSheet volume(1, 1);
  volume.add("", filled({5}, {30, 20, 3}));
  EXPECT_EQ(volume.window(), (std::array{105.0, 105.0}));
  ResultSheet colours(1, 1);
  colours.add("", filled({0, 51, 255, 1000}));
  EXPECT_EQ(colours.window(), (std::array{0.0, 255.0}));
  EXPECT_EQ(colour(colours.picture(), left, top), (Colour{0, 51, 255}));
  ResultSheet two(1, 1);
  two.add("", filled({7, 1000}));
  EXPECT_EQ(two.window(), (std::array{7.0, 7.0}));
}

TEST(ResultSheet, PicturesAndFieldsKeepTheirColours) {
  ResultSheet pictures(1, 1, SheetContent::pictures);
  pictures.add("", filled({10, 20, 30}));
  EXPECT_FALSE(pictures.window());
  EXPECT_EQ(colour(pictures.picture(), left, top), (Colour{10, 20, 30}));
  ResultSheet fields(1, 1, SheetContent::fields);
  const Image field = filled({1, 0});
  fields.add("", field);
  EXPECT_FALSE(fields.window());
  EXPECT_EQ(colour(fields.picture(), left, top), colour(field_colours(Field(field)), 0, 0));
  ResultSheet lengths(1, 1, SheetContent::fields);
  lengths.add("", filled({3}));
  EXPECT_EQ(lengths.window(), (std::array{3.0, 3.0}));
}

TEST(ResultSheet, APlaceWithoutAResultIsWhiteWithItsReason) {
  ResultSheet sheet(2, 1);
  EXPECT_THROW(sheet.picture(), InvalidArgument);
  sheet.add_empty("a", "not converged");
  EXPECT_FALSE(sheet.shows_anything());
  EXPECT_FALSE(sheet.window());
  sheet.add("", filled({1}));
  EXPECT_TRUE(sheet.shows_anything());
  const Image picture = sheet.picture();
  const std::int64_t width = 12 * static_cast<std::int64_t>(std::string("a: not converged").size());
  EXPECT_EQ(picture.shape().x, 8 + width + 8 + 30 + 8);
  EXPECT_EQ(colour(picture, left, top), (Colour{255, 255, 255}));
  int ink = 0;
  for (std::int64_t x = left; x < left + width; ++x)
    ink += colour(picture, x, 8 + 6)[0] == 0 ? 1 : 0;
  EXPECT_GT(ink, 0);
}

TEST(ResultSheet, ValuesThatAreNotFiniteDoNotSetTheWindow) {
  ResultSheet sheet(1, 1);
  Image image = filled({4});
  image.mutable_row<float>(0)[0] = std::numeric_limits<float>::infinity();
  image.mutable_row<float>(1)[0] = std::numeric_limits<float>::quiet_NaN();
  image.mutable_row<float>(2)[0] = 6;
  sheet.add("", image);
  EXPECT_EQ(sheet.window(), (std::array{4.0, 6.0}));
}

TEST(ResultSheet, LargeResultsAreReducedForTheirPlace) {
  ResultSheet one(1, 1), many(16, 16);
  one.add("", filled({1}, {1024, 600, 1}));
  many.add("", filled({1}, {1024, 600, 1}));
  EXPECT_EQ(one.picture().shape(), (Shape{8 + 512 + 8, 28 + 300 + 8, 1}));
  EXPECT_EQ(many.picture().shape(), (Shape{8 + 256 + 8, 28 + 150 + 8, 1}));
  EXPECT_THROW(ResultSheet(0, 1), InvalidArgument);
  EXPECT_THROW(ResultSheet(1, 0), InvalidArgument);
}

}  // namespace
}  // namespace meander
