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

constexpr std::int64_t margin = 8;
constexpr std::int64_t label_line = 20;

/// No pixel is white or black, and neighbours differ, so that a picture out of place is noticed.
Image picture(std::int64_t width, std::int64_t height, int channels = 1, int seed = 0) {
  Image image =
      Image::allocate({.shape = {width, height, 1}, .channels = channels, .type = PixelType::u8});
  for (int c = 0; c < channels; ++c) {
    for (std::int64_t y = 0; y < height; ++y) {
      for (std::int64_t x = 0; x < width; ++x) {
        const auto value = 1 + (7 * x + 31 * y + 83 * c + 57 * seed) % 254;
        image.mutable_row<std::uint8_t>(y, 0, c)[x] = static_cast<std::uint8_t>(value);
      }
    }
  }
  return image;
}

int at(const Image& image, std::int64_t x, std::int64_t y, int channel = 0) {
  return image.row<std::uint8_t>(y, 0, channel)[x];
}

struct Box {
  std::int64_t left, top, width, height;
  bool holds(std::int64_t x, std::int64_t y) const {
    return x >= left && x < left + width && y >= top && y < top + height;
  }
};

void expect_picture_at(const Image& sheet, const Image& expected, std::int64_t left,
                       std::int64_t top) {
  for (int c = 0; c < expected.channels(); ++c) {
    for (std::int64_t y = 0; y < expected.shape().y; ++y) {
      for (std::int64_t x = 0; x < expected.shape().x; ++x) {
        ASSERT_EQ(at(sheet, left + x, top + y, c), at(expected, x, y, c)) << x << " " << y;
      }
    }
  }
}

void expect_white_outside(const Image& sheet, const std::vector<Box>& boxes) {
  for (int c = 0; c < sheet.channels(); ++c) {
    for (std::int64_t y = 0; y < sheet.shape().y; ++y) {
      for (std::int64_t x = 0; x < sheet.shape().x; ++x) {
        bool inside = false;
        for (const Box& box : boxes) inside = inside || box.holds(x, y);
        const int value = at(sheet, x, y, c);
        ASSERT_TRUE(inside || value == 255) << x << " " << y;
      }
    }
  }
}

/// Pixels of a box that are black; the others must be white.
int ink(const Image& sheet, const Box& box) {
  int count = 0;
  for (std::int64_t y = box.top; y < box.top + box.height; ++y) {
    for (std::int64_t x = box.left; x < box.left + box.width; ++x) {
      EXPECT_TRUE(at(sheet, x, y) == 0 || at(sheet, x, y) == 255);
      count += at(sheet, x, y) == 0 ? 1 : 0;
    }
  }
  return count;
}

TEST(ContactSheet, OnePictureHasAMarginAndRoomForItsLabel) {
  const Image tile = picture(20, 10);
  const Image sheet = contact_sheet({{{tile, ""}}});
  EXPECT_EQ(sheet.shape(), (Shape{20 + 2 * margin, 10 + label_line + 2 * margin, 1}));
  EXPECT_EQ(sheet.type(), PixelType::u8);
  EXPECT_EQ(sheet.channels(), 1);
  const std::int64_t top = margin + label_line;
  expect_picture_at(sheet, tile, margin, top);
  expect_white_outside(sheet, {{margin, top, 20, 10}});
}

TEST(ContactSheet, ColumnsAndRowsAreAsLargeAsTheirLargestPicture) {
  const Image a = picture(20, 10, 1, 1), b = picture(5, 30, 1, 2);
  const Image c = picture(7, 4, 1, 3), d = picture(40, 6, 1, 4), e = picture(3, 3, 1, 5);
  const Image sheet = contact_sheet({{{a, ""}, {b, ""}}, {{c, ""}, {d, ""}, {e, ""}}});
  const std::int64_t second_column = margin + 20 + margin;
  const std::int64_t third_column = second_column + 40 + margin;
  const std::int64_t first_row = margin + label_line;
  const std::int64_t second_row = first_row + 30 + margin + label_line;
  EXPECT_EQ(sheet.shape(), (Shape{third_column + 3 + margin, second_row + 6 + margin, 1}));
  expect_picture_at(sheet, a, margin, first_row);
  expect_picture_at(sheet, b, second_column, first_row);
  expect_picture_at(sheet, c, margin, second_row);
  expect_picture_at(sheet, d, second_column, second_row);
  expect_picture_at(sheet, e, third_column, second_row);
  expect_white_outside(sheet, {{margin, first_row, 20, 10},
                               {second_column, first_row, 5, 30},
                               {margin, second_row, 7, 4},
                               {second_column, second_row, 40, 6},
                               {third_column, second_row, 3, 3}});
}

TEST(ReducedImage, IsTheMeansOfFiniteValuesInBoxes) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  Image image = Image::allocate({.shape = {5, 3, 1}});
  const float values[3][5] = {{1, 2, 3, 4, 5}, {6, 7, 8, nan, 10}, {nan, nan, 12, 13, 14.5}};
  for (int y = 0; y < 3; ++y) std::copy_n(values[y], 5, image.mutable_row<float>(y));
  const Image half = reduced_image(image, 3);
  ASSERT_EQ(half.shape(), (Shape{3, 2, 1}));
  const float expected[2][3] = {{4, 5, 7.5}, {nan, 12.5, 14.5}};
  for (int y = 0; y < 2; ++y) {
    for (int x = 0; x < 3; ++x) {
      const float found = half.row<float>(y)[x];
      EXPECT_TRUE(found == expected[y][x] || (std::isnan(found) && std::isnan(expected[y][x])))
          << x << "," << y << ": " << found;
    }
  }
  EXPECT_EQ(reduced_image(image, 5).shape(), image.shape());
  EXPECT_THROW(reduced_image(image, 0), InvalidArgument);
  EXPECT_THROW(reduced_image(Image::allocate({.shape = {5, 3, 1}, .channels = 2}), 3),
               InvalidArgument);
  EXPECT_THROW(reduced_image(Image::allocate({.shape = {5, 3, 2}}), 3), InvalidArgument);
}

TEST(ContactSheet, LabelsAreBlackAboveTheirPicture) {
  const Image tile = picture(60, 9, 3);
  const Image sheet = contact_sheet({{{tile, ""}, {tile, "|L"}}});
  const std::int64_t left = margin + 60 + margin;
  // The bar is the third column of its glyph from top to bottom, twice as large.
  EXPECT_EQ(ink(sheet, {left + 4, margin, 2, 14}), 28);
  EXPECT_EQ(ink(sheet, {left, margin, 12, 14}), 28);
  // The L: a stem of seven and a foot of four more.
  EXPECT_EQ(ink(sheet, {left + 12, margin, 2, 14}), 28);
  EXPECT_EQ(ink(sheet, {left + 12, margin + 12, 10, 2}), 20);
  EXPECT_EQ(ink(sheet, {left + 12, margin, 10, 14}), 28 + 16);
  expect_white_outside(sheet, {{margin, margin + label_line, 60, 9},
                               {left, margin + label_line, 60, 9},
                               {left, margin, 2 * 12 - 2, 14}});
  for (int c = 0; c < 3; ++c) EXPECT_EQ(at(sheet, left + 4, margin, c), 0) << c;
}

TEST(ContactSheet, LongLabelsAreCutOffBetweenCharacters) {
  for (const auto& [width, characters] :
       {std::pair{9, 0}, {10, 1}, {21, 1}, {22, 2}, {33, 2}, {34, 3}}) {
    const Image tile = picture(width, 5);
    const Image sheet = contact_sheet({{{tile, "||||||||"}, {tile, ""}}});
    EXPECT_EQ(ink(sheet, {0, 0, sheet.shape().x, margin + label_line}), 28 * characters) << width;
    expect_white_outside(sheet, {{margin, margin, width, 14},
                                 {margin, margin + label_line, width, 5},
                                 {margin + width + margin, margin + label_line, width, 5}});
  }
}

TEST(ContactSheet, LettersReachBelowTheLineButNotIntoThePicture) {
  const Image tile = picture(60, 5);
  const Image sheet = contact_sheet({{{tile, "pq"}}});
  EXPECT_EQ(ink(sheet, {margin, margin, 60, 4}), 0);
  EXPECT_EQ(ink(sheet, {margin, margin + 4, 2, 14}), 28);       // the stem of the p
  EXPECT_EQ(ink(sheet, {margin + 20, margin + 4, 2, 14}), 28);  // and of the q
  EXPECT_EQ(ink(sheet, {margin, margin + 18, 60, 2}), 0);
  expect_picture_at(sheet, tile, margin, margin + label_line);
}

TEST(ContactSheet, ALabelHasTheRoomOfItsColumn) {
  const Image sheet = contact_sheet({{{picture(5, 5), "|||"}}, {{picture(40, 5), ""}}});
  EXPECT_EQ(ink(sheet, {margin, margin, 40, 14}), 3 * 28);
}

TEST(ContactSheet, ForeignCharactersAreOneBoxEach) {
  const std::string micrometre = "\xc2\xb5|";
  const Image sheet = contact_sheet({{{picture(60, 5), micrometre}}});
  EXPECT_EQ(ink(sheet, {margin, margin, 10, 14}), 4 * (2 * 5 + 2 * 5));
  EXPECT_EQ(ink(sheet, {margin + 12, margin, 10, 14}), 28);
  EXPECT_EQ(ink(sheet, {margin, margin, 60, 14}), 80 + 28);
}

TEST(ContactSheet, LargePicturesAreAveraged) {
  const Image tile = picture(10, 7, 3);
  const Image sheet = contact_sheet({{{tile, ""}}}, 4);  // by three: 4x3, the last ones partial
  ASSERT_EQ(sheet.shape(), (Shape{4 + 2 * margin, 3 + label_line + 2 * margin, 1}));
  for (int c = 0; c < 3; ++c) {
    for (std::int64_t y = 0; y < 3; ++y) {
      for (std::int64_t x = 0; x < 4; ++x) {
        double sum = 0, count = 0;
        for (std::int64_t v = 3 * y; v < std::min<std::int64_t>(7, 3 * y + 3); ++v) {
          for (std::int64_t u = 3 * x; u < std::min<std::int64_t>(10, 3 * x + 3); ++u) {
            sum += at(tile, u, v, c);
            count += 1;
          }
        }
        EXPECT_EQ(at(sheet, margin + x, margin + label_line + y, c), std::floor(sum / count + 0.5))
            << x << " " << y << " " << c;
      }
    }
  }
}

TEST(ContactSheet, MeansAreRoundedAndWhiteStaysWhite) {
  Image tile = Image::allocate({.shape = {4, 2, 1}, .type = PixelType::u8});
  const std::uint8_t values[2][4] = {{255, 255, 1, 2}, {255, 255, 2, 2}};
  for (int y = 0; y < 2; ++y) std::copy_n(values[y], 4, tile.mutable_row<std::uint8_t>(y));
  const Image sheet = contact_sheet({{{tile, ""}}}, 2);
  EXPECT_EQ(at(sheet, margin, margin + label_line), 255);
  EXPECT_EQ(at(sheet, margin + 1, margin + label_line), 2);  // 1.75
}

TEST(ContactSheet, TheLongerSideDecidesAndSmallPicturesStay) {
  const auto size = [](std::int64_t width, std::int64_t height) {
    const Shape sheet = contact_sheet({{{picture(width, height), ""}}}).shape();
    return Shape{sheet.x - 2 * margin, sheet.y - 2 * margin - label_line, 1};
  };
  EXPECT_EQ(size(512, 512), (Shape{512, 512, 1}));
  EXPECT_EQ(size(513, 100), (Shape{257, 50, 1}));
  EXPECT_EQ(size(1, 1025), (Shape{1, 342, 1}));
  EXPECT_EQ(size(3, 2), (Shape{3, 2, 1}));
}

TEST(ContactSheet, PitchDoesNotMatter) {
  const Image large = picture(9, 8);
  std::vector<std::uint8_t> bytes(100, 77);
  Image tile =
      Image::wrap(bytes.data(), large.description(), {.row = 11, .slice = 99, .channel = 99});
  for (int y = 0; y < 8; ++y) {
    std::copy_n(large.row<std::uint8_t>(y), 9, tile.mutable_row<std::uint8_t>(y));
  }
  expect_picture_at(contact_sheet({{{tile, ""}}}), large, margin, margin + label_line);
}

void expect_refusal(const std::vector<std::vector<Tile>>& rows, const std::string& part,
                    std::int64_t longest_side = 512) {
  try {
    contact_sheet(rows, longest_side);
    ADD_FAILURE() << "accepted, expected: " << part;
  } catch (const InvalidArgument& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  }
}

Tile tile_of(const Description& description) { return {Image::allocate(description), ""}; }

TEST(ContactSheet, RefusesWhatItCannotShow) {
  const Tile good{picture(5, 4), "good"};
  expect_refusal({}, "no rows");
  expect_refusal({{good}, {}}, "row 2 of a contact sheet has no tiles");
  expect_refusal({{Tile{}}}, "tile 1 of row 1 of a contact sheet has no picture");
  expect_refusal({{good, Tile{}}}, "tile 2 of row 1 of a contact sheet has no picture");
  expect_refusal({{good}, {good, tile_of({.shape = {5, 4, 1}, .type = PixelType::u16})}},
                 "tile 2 of row 2 of a contact sheet is an image of 5x4 with 1 channels of u16, "
                 "expected 2-D and u8 with 1 or 3 channels, all tiles alike");
  expect_refusal({{tile_of({.shape = {5, 4, 2}, .type = PixelType::u8})}}, "5x4x2");
  expect_refusal({{tile_of({.shape = {5, 4, 1}, .channels = 2, .type = PixelType::u8})}},
                 "2 channels");
  expect_refusal({{good, {picture(5, 4, 3), ""}}}, "tile 2 of row 1");
  expect_refusal({{good}}, "longest_side of a contact sheet is 0", 0);
}

}  // namespace
}  // namespace meander
