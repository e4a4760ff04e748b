// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>

#include "meander/error.hpp"
#include "meander/picture.hpp"

namespace meander {
namespace {

using Vector = std::array<double, 3>;
using Rgb = std::array<int, 3>;
using VectorAt = std::function<Vector(std::int64_t x, std::int64_t y, std::int64_t z)>;

template <class T = float>
Field field(const Shape& shape, const VectorAt& at) {
  Image image =
      Image::allocate({.shape = shape, .channels = shape.rank(), .type = pixel_type_of<T>()});
  for (std::int64_t z = 0; z < shape.z; ++z) {
    for (std::int64_t y = 0; y < shape.y; ++y) {
      for (std::int64_t x = 0; x < shape.x; ++x) {
        const Vector vector = at(x, y, z);
        for (int c = 0; c < shape.rank(); ++c) {
          image.mutable_row<T>(y, z, c)[x] = static_cast<T>(vector[static_cast<std::size_t>(c)]);
        }
      }
    }
  }
  return Field(image);
}

Image ramp(const Shape& shape, PixelType type = PixelType::u16) {
  Image image = Image::allocate({.shape = shape, .type = type});
  for (std::int64_t z = 0; z < shape.z; ++z) {
    for (std::int64_t y = 0; y < shape.y; ++y) {
      for (std::int64_t x = 0; x < shape.x; ++x) {
        image.mutable_row<std::uint16_t>(y, z)[x] = static_cast<std::uint16_t>(100 + 10 * x);
      }
    }
  }
  return image;
}

Rgb at(const Image& picture, std::int64_t x, std::int64_t y) {
  const auto value = [&](int c) { return int{picture.row<std::uint8_t>(y, 0, c)[x]}; };
  return {value(0), value(1), value(2)};
}

bool is_near(const Rgb& found, const Rgb& expected, int most = 1) {
  for (std::size_t c = 0; c < 3; ++c) {
    if (std::abs(found[c] - expected[c]) > most) return false;
  }
  return true;
}

const Vector right{1, 0, 0}, left{-1, 0, 0}, down{0, 1, 0}, up{0, -1, 0};

TEST(FieldColours, HuesGoRoundWithTheDirectionAsSeen) {
  const Vector vectors[] = {right, down, left, up, {1, std::sqrt(3), 0}, {-1, -std::sqrt(3), 0}};
  const Image picture =
      field_colours(field({6, 1, 1}, [&](auto x, auto, auto) { return vectors[x]; }));
  ASSERT_EQ(picture.channels(), 3);
  ASSERT_EQ(picture.shape(), (Shape{6, 1, 1}));
  const int dim = 180;  // 255 * sqrt(1/2): vectors of half the longest
  EXPECT_TRUE(is_near(at(picture, 0, 0), {dim, 0, 0}));
  EXPECT_TRUE(is_near(at(picture, 1, 0), {dim / 2, dim, 0}));
  EXPECT_TRUE(is_near(at(picture, 2, 0), {0, dim, dim}));
  EXPECT_TRUE(is_near(at(picture, 3, 0), {dim / 2, 0, dim}));
  EXPECT_TRUE(is_near(at(picture, 4, 0), {255, 255, 0}));
  EXPECT_TRUE(is_near(at(picture, 5, 0), {0, 0, 255}));
}

TEST(FieldColours, BrightnessIsTheRootOfTheLength) {
  const double lengths[] = {4, 1, 0.04, 0};
  const Image picture = field_colours(field<double>({4, 1, 1}, [&](auto x, auto, auto) {
    return Vector{lengths[x], 0, 0};
  }));
  EXPECT_EQ(at(picture, 0, 0), (Rgb{255, 0, 0}));
  EXPECT_TRUE(is_near(at(picture, 1, 0), {128, 0, 0}));
  EXPECT_TRUE(is_near(at(picture, 2, 0), {26, 0, 0}));
  EXPECT_EQ(at(picture, 3, 0), (Rgb{0, 0, 0}));
}

TEST(FieldColours, WhatIsNotFiniteIsBlackAndDoesNotCount) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const Vector vectors[] = {right, {nan, 0, 0}, {1, infinity, 0}};
  const Image picture =
      field_colours(field({3, 1, 1}, [&](auto x, auto, auto) { return vectors[x]; }));
  EXPECT_EQ(at(picture, 0, 0), (Rgb{255, 0, 0}));
  EXPECT_EQ(at(picture, 1, 0), (Rgb{0, 0, 0}));
  EXPECT_EQ(at(picture, 2, 0), (Rgb{0, 0, 0}));
}

TEST(FieldColours, AFieldOfNothingIsBlack) {
  const Image picture = field_colours(field({3, 2, 1}, [](auto, auto, auto) { return Vector{}; }));
  for (std::int64_t y = 0; y < 2; ++y) {
    for (std::int64_t x = 0; x < 3; ++x) EXPECT_EQ(at(picture, x, y), (Rgb{0, 0, 0}));
  }
}

TEST(FieldColours, OfAVolumeTheMiddleSliceIsShown) {
  const Image picture = field_colours(field({2, 2, 5}, [](auto, auto, auto z) {
    return z == 2 ? Vector{0, 1, 9} : Vector{7, 0, 0};
  }));
  EXPECT_EQ(picture.shape(), (Shape{2, 2, 1}));
  EXPECT_TRUE(is_near(at(picture, 1, 1), {128, 255, 0}));
}

/// A wheel of radius 96/12 = 8 with a rim of 2, a quarter of its radius from the upper right.
TEST(FieldColours, AWheelAtTheUpperRightWhereThereIsRoom) {
  const auto nothing = [](auto, auto, auto) { return Vector{}; };
  const Image picture = field_colours(field({128, 96, 1}, nothing));
  const std::int64_t x = 127 - 2 - 10, y = 2 + 10;
  EXPECT_EQ(at(picture, x, y), (Rgb{0, 0, 0}));
  EXPECT_EQ(at(picture, x + 7, y)[1], 0);
  EXPECT_TRUE(is_near(at(picture, x + 7, y), {239, 0, 0}));  // 255 * sqrt(7/8)
  EXPECT_TRUE(is_near(at(picture, x, y + 7), {119, 239, 0}));
  EXPECT_TRUE(is_near(at(picture, x - 7, y), {0, 239, 239}));
  EXPECT_TRUE(is_near(at(picture, x, y - 7), {119, 0, 239}));
  EXPECT_EQ(at(picture, x + 9, y), (Rgb{255, 255, 255}));
  EXPECT_EQ(at(picture, x + 10, y), (Rgb{0, 0, 0}));
  EXPECT_EQ(at(picture, 5, 90), (Rgb{0, 0, 0}));
  const Image small = field_colours(field({95, 128, 1}, nothing));
  for (std::int64_t column = 0; column < 95; ++column) {
    EXPECT_EQ(at(small, column, 12), (Rgb{0, 0, 0}));
  }
}

bool is_body(const Rgb& pixel) { return is_near(pixel, {255, 196, 0}, 40); }

/// The middle of the body's pixels in one cell of the enlarged picture, relative to the cell's.
std::array<double, 2> centre_of_body(const Image& picture, std::int64_t cell_x, std::int64_t cell_y,
                                     std::int64_t side) {
  double sum_x = 0, sum_y = 0;
  int count = 0;
  for (std::int64_t y = 0; y < side; ++y) {
    for (std::int64_t x = 0; x < side; ++x) {
      if (!is_body(at(picture, cell_x * side + x, cell_y * side + y))) continue;
      sum_x += static_cast<double>(x) + 0.5;
      sum_y += static_cast<double>(y) + 0.5;
      ++count;
    }
  }
  if (count == 0) return {NAN, NAN};
  const double half = static_cast<double>(side) / 2;
  return {sum_x / count - half, sum_y / count - half};
}

/// The head has more pixels than the tail, so the middle of all lies towards the tip.
TEST(FieldArrows, PointWhereTheVectorsPoint) {
  const Vector vectors[] = {right, left, down, up, Vector{}};
  const Shape shape{5, 3, 1};
  const Image picture =
      field_arrows(ramp(shape), field(shape, [&](auto x, auto, auto) { return vectors[x]; }));
  ASSERT_EQ(picture.shape(), (Shape{5 * 16, 3 * 16, 1}));
  ASSERT_EQ(picture.channels(), 3);
  const auto east = centre_of_body(picture, 0, 1, 16), west = centre_of_body(picture, 1, 1, 16);
  const auto south = centre_of_body(picture, 2, 1, 16), north = centre_of_body(picture, 3, 1, 16);
  EXPECT_GT(east[0], 0.5);
  EXPECT_NEAR(east[1], 0, 0.1);
  EXPECT_LT(west[0], -0.5);
  EXPECT_GT(south[1], 0.5);
  EXPECT_NEAR(south[0], 0, 0.1);
  EXPECT_LT(north[1], -0.5);
  EXPECT_TRUE(std::isnan(centre_of_body(picture, 4, 1, 16)[0]));
}

int pixels_of_body(const Image& picture) {
  int count = 0;
  for (std::int64_t y = 0; y < picture.shape().y; ++y) {
    for (std::int64_t x = 0; x < picture.shape().x; ++x) count += is_body(at(picture, x, y));
  }
  return count;
}

TEST(FieldArrows, LengthFollowsTheVectorOrIsOneForAll) {
  const Shape shape{4, 1, 1};
  const auto weak = field(shape, [](auto x, auto, auto) {
    return Vector{x == 0 ? 1.0 : 0.1, 0, 0};
  });
  const auto strong = field(shape, [](auto, auto, auto) { return right; });
  const Image by_length = field_arrows(ramp(shape), weak);
  const Image unit = field_arrows(ramp(shape), weak, {.unit_length = true});
  const Image full = field_arrows(ramp(shape), strong);
  EXPECT_LT(pixels_of_body(by_length), pixels_of_body(full) * 3 / 4);
  EXPECT_GT(pixels_of_body(by_length), pixels_of_body(full) / 4);
  EXPECT_EQ(pixels_of_body(unit), pixels_of_body(full));
}

TEST(FieldArrows, LieOnAGridOfTheDistanceAskedFor) {
  const Shape shape{41, 21, 1};
  const auto everywhere = field(shape, [](auto, auto, auto) { return right; });
  const Image picture = field_arrows(ramp(shape), everywhere, {.pixels_apart = 20});
  ASSERT_EQ(picture.shape(), shape);  // 20 pixels are room enough
  for (const std::int64_t x : {0, 20, 40}) {
    EXPECT_TRUE(is_body(at(picture, x, 0))) << x;
    EXPECT_TRUE(is_body(at(picture, x, 20))) << x;
    EXPECT_FALSE(is_body(at(picture, x, 10))) << x;
  }
}

TEST(FieldArrows, GroundIsGreyFromLeastToLargest) {
  const Shape shape{3, 1, 1};
  const Image picture =
      field_arrows(ramp(shape), field(shape, [](auto, auto, auto) { return Vector{}; }));
  EXPECT_EQ(at(picture, 8, 8), (Rgb{0, 0, 0}));
  EXPECT_TRUE(is_near(at(picture, 24, 8), {128, 128, 128}));
  EXPECT_EQ(at(picture, 40, 8), (Rgb{255, 255, 255}));
}

TEST(FieldArrows, LargeImagesKeepTheirSize) {
  const Shape shape{700, 512, 1};
  const auto everywhere = field(shape, [](auto, auto, auto) { return right; });
  EXPECT_EQ(field_arrows(ramp(shape), everywhere).shape(), shape);
}

TEST(FieldArrows, RefuseAnImageOfAnotherShapeOrColour) {
  const Field small = field({4, 4, 1}, [](auto, auto, auto) { return right; });
  EXPECT_THROW(field_arrows(ramp({4, 5, 1}), small), InvalidArgument);
  const Image colour = Image::allocate({.shape = {4, 4, 1}, .channels = 3, .type = PixelType::u8});
  EXPECT_THROW(field_arrows(colour, small), InvalidArgument);
}

/// One long vector at (30, 12) before; vectors everywhere after.
struct FlowPicture : testing::Test {
  const Shape shape{48, 40, 1};
  const Field before =
      field(shape, [](auto x, auto y, auto) { return x == 30 && y == 12 ? right : Vector{}; });
  const Field after = field(shape, [](auto x, auto, auto) { return x < 24 ? right : down; });
  // A margin of 8, a label of 20; tiles enlarged 8 times, parts of 24 x 24 pixels 16 times.
  static constexpr std::int64_t top = 28, column = 384 + 8, second_row = top + 320 + 28;
};

TEST_F(FlowPicture, SheetHasTwoRowsOfFourTiles) {
  const Image sheet = flow_picture(ramp(shape), before, after);
  ASSERT_EQ(sheet.channels(), 3);
  EXPECT_EQ(sheet.shape(), (Shape{8 + 4 * column, second_row + 384 + 8, 1}));
  EXPECT_EQ(at(sheet, 8, top), (Rgb{0, 0, 0}));
  EXPECT_EQ(at(sheet, 8 + 383, top + 319), (Rgb{255, 255, 255}));
}

TEST_F(FlowPicture, LengthsBeforeAndAfterAndDirections) {
  const Image sheet = flow_picture(ramp(shape), before, after);
  const auto tile = [&](int index, std::int64_t x, std::int64_t y) {
    return at(sheet, 8 + index * column + x * 8 + 4, top + y * 8 + 4);
  };
  EXPECT_EQ(tile(1, 30, 12), (Rgb{255, 255, 255}));
  EXPECT_EQ(tile(1, 29, 12), (Rgb{0, 0, 0}));
  EXPECT_EQ(tile(2, 3, 30), (Rgb{255, 255, 255}));
  EXPECT_EQ(tile(3, 3, 30), (Rgb{255, 0, 0}));
  EXPECT_TRUE(is_near(tile(3, 40, 30), {128, 255, 0}));
}

TEST_F(FlowPicture, ArrowsAroundTheLongestVector) {
  const Image sheet = flow_picture(ramp(shape), before, after);
  // Columns 18 to 41 and rows 0 to 23 are shown.
  const auto middle = [&](int tile, std::int64_t x, std::int64_t y) {
    return at(sheet, 8 + tile * column + (x - 18) * 16 + 8, second_row + y * 16 + 8);
  };
  EXPECT_TRUE(is_body(middle(1, 30, 12)));
  EXPECT_FALSE(is_body(middle(1, 29, 12)));
  EXPECT_FALSE(is_body(middle(0, 30, 12)));
  EXPECT_TRUE(is_body(middle(2, 30, 12)));
  EXPECT_TRUE(is_body(middle(2, 41, 23)));
}

TEST_F(FlowPicture, WithoutAnImageTheLengthsTakeItsPlace) {
  const Image sheet = flow_picture({}, before, after);
  EXPECT_EQ(at(sheet, 8 + 30 * 8 + 4, top + 12 * 8 + 4), (Rgb{255, 255, 255}));
  EXPECT_EQ(at(sheet, 8 + 47 * 8 + 4, top + 39 * 8 + 4), (Rgb{0, 0, 0}));
}

TEST_F(FlowPicture, VolumesAndSinglePixels) {
  const auto everywhere = [](auto, auto, auto) { return right; };
  const Shape volume{9, 8, 7}, pixel{1, 1, 1}, line{1, 50, 1};
  for (const Shape& size : {volume, pixel, line}) {
    const Image sheet = flow_picture(ramp(size), field(size, everywhere), field(size, everywhere));
    EXPECT_GT(sheet.shape().x, 0);
  }
}

TEST_F(FlowPicture, RefusesShapesThatDiffer) {
  const Field other = field({48, 41, 1}, [](auto, auto, auto) { return right; });
  EXPECT_THROW(flow_picture(ramp(shape), before, other), InvalidArgument);
  EXPECT_THROW(flow_picture(ramp({47, 40, 1}), before, after), InvalidArgument);
}

}  // namespace
}  // namespace meander
