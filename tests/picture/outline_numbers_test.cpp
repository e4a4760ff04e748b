// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "meander/picture.hpp"
#include "picture/font.hpp"

namespace meander {
namespace {

using Rgb = std::array<int, 3>;
const Rgb white{255, 255, 255}, line{255, 64, 0};

/// Grey of 127 or 128, but for a black and a white column at the right.
Image grey_image(const Shape& shape) {
  Image image = Image::allocate({.shape = shape, .type = PixelType::u8});
  for (std::int64_t y = 0; y < shape.y; ++y) {
    auto* row = image.mutable_row<std::uint8_t>(y);
    std::fill_n(row, shape.x, std::uint8_t{100});
    std::fill_n(row + shape.x - 20, 10, std::uint8_t{50});
    std::fill_n(row + shape.x - 10, 10, std::uint8_t{150});
  }
  return image;
}

Rgb at(const Image& picture, std::int64_t x, std::int64_t y) {
  const auto value = [&](int c) { return int{picture.row<std::uint8_t>(y, 0, c)[x]}; };
  return {value(0), value(1), value(2)};
}

struct Part {
  std::int64_t left = 0, top = 0, right = 0, bottom = 0;
};

/// White pixels of a part, a row of text each.
std::vector<std::string> white_of(const Image& picture, const Part& part) {
  std::vector<std::string> rows;
  for (std::int64_t y = part.top; y < part.bottom; ++y) {
    std::string& row = rows.emplace_back();
    for (std::int64_t x = part.left; x < part.right; ++x) {
      row += at(picture, x, y) == white ? '#' : '.';
    }
  }
  return rows;
}

bool has_white(const Image& picture, const Part& part) {
  const auto rows = white_of(picture, part);
  return std::any_of(rows.begin(), rows.end(),
                     [](const std::string& row) { return row.find('#') != std::string::npos; });
}

/// Digits as white_of shows them when they fill a part.
std::vector<std::string> written(const std::string& digits, int scale) {
  std::vector<std::string> rows;
  for (int y = 0; y < 7 * scale; ++y) {
    std::string& row = rows.emplace_back();
    for (std::size_t i = 0; i < digits.size(); ++i) {
      if (i > 0) row += std::string(static_cast<std::size_t>(scale), '.');
      for (int x = 0; x < pictures::glyph_width * scale; ++x) {
        row += pictures::has_ink(digits[i], x / scale, y / scale) ? '#' : '.';
      }
    }
  }
  return rows;
}

LabelledRegion box(std::int64_t label, double x0, double y0, double x1, double y1) {
  return {label, {box_outline(x0, y0, x1, y1), {}}};
}

Image drawn(const std::vector<LabelledRegion>& objects, const Shape& shape = {600, 300, 1}) {
  return OutlineCanvas(grey_image(shape)).with_numbers(objects);
}

const LabelledRegion other = box(7, 400, 200, 500, 280);

TEST(OutlineNumbers, StandInTheMiddleOfTheirObjects) {
  const Image picture = drawn({box(12, 100, 50, 200, 150), other});
  // Two digits of 10 x 14 with 2 between them, about the middle of pixel 150,100.
  EXPECT_EQ(white_of(picture, {140, 94, 162, 108}), written("12", 2));
  EXPECT_FALSE(has_white(picture, {105, 55, 139, 145}));
  EXPECT_FALSE(has_white(picture, {163, 55, 195, 145}));
  EXPECT_TRUE(has_white(picture, {440, 230, 460, 250}));
}

TEST(OutlineNumbers, HaveADarkRim) {
  const Image picture = drawn({box(1, 100, 50, 200, 150), other});
  // The upright of a 1 is 4 to 6 pixels right of the left of its glyph.
  const std::int64_t left = 146, row = 104;
  ASSERT_EQ(at(picture, left + 4, row), white);
  EXPECT_LT(at(picture, left + 3, row)[0], 64);
  EXPECT_LT(at(picture, left + 6, row)[0], 64);
  EXPECT_GT(at(picture, left + 2, row)[0], 100);
}

TEST(OutlineNumbers, AreSmallerInSmallObjectsAndBesideTinyOnes) {
  // Digits of 5 x 7 with a rim of a pixel need 13 x 9 for two of them, and one more to be in the
  // middle of an even number of pixels.
  const Image picture =
      drawn({box(34, 100, 50, 114, 60), box(56, 200, 50, 212, 59), box(78, 300, 50, 313, 58)});
  EXPECT_TRUE(has_white(picture, {100, 50, 114, 60}));
  EXPECT_FALSE(has_white(picture, {115, 40, 212, 70}));
  EXPECT_EQ(white_of(picture, {216, 51, 227, 58}), written("56", 1));
  EXPECT_FALSE(has_white(picture, {300, 50, 314, 59}));
  EXPECT_TRUE(has_white(picture, {314, 46, 330, 62}));
  const Image larger = drawn({box(34, 100, 50, 123, 65), other});
  EXPECT_EQ(white_of(larger, {107, 55, 118, 62}), written("34", 1));
}

TEST(OutlineNumbers, BesideAnObjectKeepOffOthersAndTheBorder) {
  // Each first one has another object at its right; the first of all the border at its left.
  const Image picture = drawn({box(1, 3, 100, 7, 104), box(2, 10, 100, 20, 104),
                               box(3, 200, 100, 204, 104), box(4, 207, 100, 217, 104)});
  EXPECT_EQ(white_of(picture, {3, 89, 8, 96}), written("1", 1));
  EXPECT_EQ(white_of(picture, {24, 99, 29, 106}), written("2", 1));
  EXPECT_EQ(white_of(picture, {191, 99, 196, 106}), written("3", 1));
  // Between the objects of a dense grid no place is free.
  std::vector<LabelledRegion> crowd;
  for (int i = 0; i < 400; ++i) {
    const double x = 100 + 6 * (i % 20), y = 50 + 6 * (i / 20);
    crowd.push_back(box(i + 1, x, y, x + 4, y + 4));
  }
  EXPECT_FALSE(has_white(drawn(crowd), {112, 62, 206, 156}));
  EXPECT_TRUE(has_white(drawn(crowd), {80, 40, 99, 180}));
}

TEST(OutlineNumbers, StandBesideThinObjectsThatLieAslant) {
  // 9 pixels across; the box around it would hold the number twice as large.
  const LabelledRegion slanted{36,
                               {{{{100 * 256, 50 * 256},
                                  {110 * 256, 50 * 256},
                                  {160 * 256, 120 * 256},
                                  {150 * 256, 120 * 256}}},
                                {}}};
  const Image picture = drawn({slanted, other});
  EXPECT_FALSE(has_white(picture, {100, 50, 160, 120}));
  EXPECT_EQ(white_of(picture, {164, 82, 175, 89}), written("36", 1));
}

TEST(OutlineNumbers, OfObjectsThatLieInEachOtherDoNotMeet) {
  // Both have the same middle; the inner one's number is there, the outer one's beside.
  const Image picture = drawn({box(1, 100, 50, 200, 150), box(2, 130, 80, 170, 120), other});
  EXPECT_EQ(white_of(picture, {146, 94, 156, 108}), written("2", 2));
  EXPECT_EQ(white_of(picture, {204, 97, 209, 104}), written("1", 1));
}

TEST(OutlineNumbers, OfOneObjectAloneAreNotSaid) {
  const LabelledRegion object = box(12, 100, 50, 200, 150);
  const OutlineCanvas canvas(grey_image({600, 300, 1}));
  const Image alone = canvas.with_numbers({{object}}),
              before = canvas.with({{object.region.outer}});
  for (std::int64_t y = 0; y < 300; ++y) {
    for (std::int64_t x = 0; x < 600; ++x) ASSERT_EQ(at(alone, x, y), at(before, x, y));
  }
}

TEST(OutlineNumbers, StandOnTheObjectAndNotInItsHole) {
  LabelledRegion ring = box(5, 100, 50, 300, 150);
  // Off the middle: 30 pixels are left of the hole, 70 right of it.
  ring.region.holes = {{{{130 * 256, 60 * 256},
                         {130 * 256, 140 * 256},
                         {230 * 256, 140 * 256},
                         {230 * 256, 60 * 256}}}};
  const Image picture = drawn({ring, other});
  EXPECT_EQ(at(picture, 180, 60), line);  // the hole is drawn too
  EXPECT_FALSE(has_white(picture, {102, 62, 228, 138}));
  EXPECT_EQ(white_of(picture, {261, 94, 271, 108}), written("5", 2));
}

TEST(OutlineNumbers, StayWithinThePicture) {
  const Image picture = drawn({box(1, -60, -40, 20, 20), other});
  // The middle is outside; the ink begins a pixel from the border.
  EXPECT_EQ(white_of(picture, {1, 1, 11, 15}), written("1", 2));
}

}  // namespace
}  // namespace meander
