// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// JPEG files as libjpeg writes them; tests/io/interop_pictures.py compares pixels with Pillow's.
#include "io/orientation_testing.hpp"
#include "jpeg_maker.hpp"

namespace meander::io {
namespace {

const std::string exif_mark("Exif\0\0", 6);

/// The largest difference from what the recipe's pixels are.
int largest_error(const Image& image, const JpegRecipe& recipe) {
  int largest = 0;
  for (int y = 0; y < recipe.height; ++y) {
    const std::vector<JSAMPLE> row = jpeg_row(recipe, y);
    for (int x = 0; x < recipe.width; ++x) {
      for (int c = 0; c < image.channels(); ++c) {
        const int found = std::to_integer<int>(image.row_bytes(y, 0, c)[x]);
        const int expected = row[static_cast<std::size_t>(x * image.channels() + c)];
        largest = std::max(largest, std::abs(found - expected));
      }
    }
  }
  return largest;
}

TEST(Jpeg, GreyArrivesAsItWas) {
  const Folder folder;
  for (const bool progressive : {false, true}) {
    const JpegRecipe recipe{.progressive = progressive, .restart_rows = 1};
    make_jpeg(folder / "a.jpg", recipe);
    Reader reader(folder / "a.jpg");
    EXPECT_EQ(reader.format(), "JPEG");
    EXPECT_EQ(reader.description(), (Description{.shape = {37, 29, 1}, .type = PixelType::u8}));
    // Quality 75 quantises by up to 60 of 255; an edge in a block spreads a third of that.
    EXPECT_LE(largest_error(reader.read(), recipe), 25) << progressive;
  }
}

TEST(Jpeg, ColoursAreRgbInThatOrder) {
  const Folder folder;
  make_jpeg(folder / "a.jpg", {.width = 64, .height = 64, .colours = JCS_RGB});
  const Image image = read(folder / "a.jpg");
  ASSERT_EQ(image.channels(), 3);
  // Where x is 0 red is 3y, green 6y and blue 9y.
  EXPECT_NEAR(std::to_integer<int>(image.row_bytes(20, 0, 0)[0]), 60, 30);
  EXPECT_NEAR(std::to_integer<int>(image.row_bytes(20, 0, 1)[0]), 120, 30);
  EXPECT_NEAR(std::to_integer<int>(image.row_bytes(20, 0, 2)[0]), 180, 30);
}

TEST(Jpeg, SlabsAndPartsAreThoseOfTheWhole) {
  const Folder folder;
  for (const bool progressive : {false, true}) {
    make_jpeg(folder / "a.jpg", {.colours = JCS_RGB, .progressive = progressive});
    const Image whole = read(folder / "a.jpg");
    Reader reader(folder / "a.jpg");
    EXPECT_TRUE(same_pixels(reader.slab(20, 29), whole.rows(20, 29)));
    EXPECT_TRUE(same_pixels(reader.slab(3, 11), whole.rows(3, 11)));  // back again
    EXPECT_TRUE(same_pixels(reader.slab(11, 12), whole.rows(11, 12)));
    const ReadOptions part{.roi = Roi{5, 7, 20, 9}, .channel = 2};
    const Image found = read(folder / "a.jpg", part);
    const std::byte* const row = whole.row_bytes(8, 0, 2) + 5;
    EXPECT_EQ(std::memcmp(found.row_bytes(1), row, 15), 0);
  }
}

TEST(Jpeg, ExifTurnsTheImageUpright) {
  const Folder folder;
  make_jpeg(folder / "stored.jpg", {.colours = JCS_RGB});
  const Image stored = read(folder / "stored.jpg");
  for (int orientation = 0; orientation <= 9; ++orientation) {
    make_jpeg(folder / "a.jpg",
              {.colours = JCS_RGB, .exif = exif_mark + exif_of(orientation, orientation % 2 == 1)});
    expect_upright(folder / "a.jpg", stored, orientation);
  }
}

TEST(Jpeg, ExifThatIsNoneChangesNothing) {
  const Folder folder;
  make_jpeg(folder / "stored.jpg", {});
  const Image stored = read(folder / "stored.jpg");
  const std::string good = exif_mark + exif_of(6, false);
  for (std::size_t length = 0; length < good.size() - 6; ++length) {  // the value is in the last 8
    make_jpeg(folder / "a.jpg", {.exif = good.substr(0, length)});
    EXPECT_TRUE(same_pixels(read(folder / "a.jpg"), stored)) << length;
  }
}

TEST(Jpeg, InksAreRefusedByName) {
  const Folder folder;
  make_jpeg(folder / "a.jpg", {.colours = JCS_CMYK});
  expect_error(error_of_reading(folder / "a.jpg"), "Unsupported", folder / "a.jpg",
               "a JPEG of CMYK inks, expected grey or RGB");
}

TEST(Jpeg, TwelveBitsAndLosslessAreOfAnotherKind) {
  const Folder folder;
  make_jpeg(folder / "good.jpg", {});
  const std::string good = load(folder / "good.jpg");
  const auto frame = good.find("\xff\xc0");
  std::string other = good;
  other[frame + 4] = 12;
  save(folder / "a.jpg", other);
  expect_error(error_of_reading(folder / "a.jpg"), "Unsupported", folder / "a.jpg", "precision 12");
  other = good;
  other[frame + 1] = '\xc3';
  save(folder / "a.jpg", other);
  expect_error(error_of_reading(folder / "a.jpg"), "Unsupported", folder / "a.jpg",
               "SOF type 0xc3");
}

TEST(Jpeg, WhatEndsEarlyIsMalformedWhereverItEnds) {
  const Folder folder;
  for (const bool progressive : {false, true}) {
    make_jpeg(folder / "good.jpg", {.colours = JCS_RGB, .progressive = progressive});
    const std::string good = load(folder / "good.jpg");
    for (std::size_t length = 3; length < good.size(); length += length < 30 ? 1 : 13) {
      save(folder / "a.jpg", good.substr(0, length));
      expect_error(error_of_reading(folder / "a.jpg"), "MalformedFile", folder / "a.jpg",
                   "damaged JPEG: Premature end of input file");
    }
  }
}

TEST(Jpeg, DamagedDataAreMalformed) {
  const Folder folder;
  make_jpeg(folder / "good.jpg", {.restart_rows = 1});
  std::string damaged = load(folder / "good.jpg");
  const auto restart = damaged.find("\xff\xd1");
  ASSERT_NE(restart, std::string::npos);
  damaged[restart + 1] = '\xd5';
  save(folder / "a.jpg", damaged);
  expect_error(error_of_reading(folder / "a.jpg"), "MalformedFile", folder / "a.jpg",
               "Corrupt JPEG data");
}

TEST(Jpeg, ScansAreLimited) {
  const Folder folder;
  make_jpeg(folder / "good.jpg", {.scans = 64});
  EXPECT_EQ(read(folder / "good.jpg").shape(), (Shape{37, 29, 1}));
  // Once more the last scan, and again; each adds nothing.
  const std::string good = load(folder / "good.jpg");
  const std::string last =
      good.substr(good.rfind("\xff\xda"), good.size() - 2 - good.rfind("\xff\xda"));
  std::string many = good.substr(0, good.size() - 2);
  for (int i = 0; i < 40; ++i) many += last;
  save(folder / "a.jpg", many + "\xff\xd9");
  expect_error(error_of_reading(folder / "a.jpg"), "Unsupported", folder / "a.jpg",
               "a JPEG of more than 100 scans");
}

TEST(Jpeg, ClaimsAreHeldAgainstFileAndBudget) {
  const Folder folder;
  make_jpeg(folder / "good.jpg", {.width = 16, .height = 16});
  std::string large = load(folder / "good.jpg");
  const auto frame = large.find("\xff\xc0");
  large.replace(frame + 5, 4, "\xff\xdc\xff\xdc");  // 65500 x 65500
  save(folder / "a.jpg", large);
  {
    const Budget budget(1 << 20);
    expect_error(error_of_reading(folder / "a.jpg"), "OutOfMemory", folder / "a.jpg",
                 "65500x65500");
  }
  // Progressive ones hold all coefficients, 2 bytes each.
  make_jpeg(folder / "b.jpg", {.width = 1000, .height = 800, .progressive = true});
  const Budget budget(1 << 20);
  expect_error(error_of_reading(folder / "b.jpg"), "OutOfMemory", folder / "b.jpg",
               "a buffer of 1600000");
}

TEST(Jpeg, IsNotWritten) {
  const Folder folder;
  const Image image = random_image({.shape = {5, 4, 1}, .type = PixelType::u8});
  expect_error(thrown_by([&] { write(folder / "a.jpeg", image); }), "Unsupported",
               folder / "a.jpeg", "'.jpeg' of a format that can only be read, expected .");
  EXPECT_FALSE(can_hold("a.jpg", PixelType::u8));
}

}  // namespace
}  // namespace meander::io
