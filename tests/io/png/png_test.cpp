// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/orientation_testing.hpp"
#include "png_maker.hpp"

namespace meander::io {
namespace {

TEST(Png, BitsOfGreyAreSpreadOverTheRange) {
  const Folder folder;
  const std::pair<int, std::vector<int>> expected[] = {
      {1, {0, 0, 0, 255, 255, 0, 255, 255}}, {2, {0, 85, 170, 255}}, {4, {17, 187}}};
  for (const auto& [bits, values] : expected) {
    make_png(folder / "a.png", {"\x1b"},
             {.width = static_cast<int>(values.size()), .height = 1, .bits = bits});
    const Image image = read(folder / "a.png");
    EXPECT_EQ(image.type(), PixelType::u8);
    ASSERT_EQ(image.shape().x, static_cast<std::int64_t>(values.size()));
    for (std::size_t x = 0; x < values.size(); ++x) {
      EXPECT_EQ(image.row<std::uint8_t>(0)[x], values[x]) << bits << " bits, pixel " << x;
    }
  }
}

TEST(Png, PalettesBecomeColours) {
  const Folder folder;
  const std::string row("\0\x01\x02\xfe", 4);
  for (const bool transparent : {false, true}) {
    make_png(folder / "a.png", {row},
             {.width = 4, .color = PNG_COLOR_TYPE_PALETTE, .transparent_palette = transparent});
    const Image image = read(folder / "a.png");
    ASSERT_EQ(image.channels(), transparent ? 4 : 3);
    for (int x = 0; x < 4; ++x) {
      const auto entry =
          palette_entry(static_cast<unsigned char>(row[static_cast<std::size_t>(x)]));
      for (int c = 0; c < image.channels(); ++c) {
        EXPECT_EQ(image.row<std::uint8_t>(0, 0, c)[x], entry[static_cast<std::size_t>(c)]);
      }
    }
  }
}

TEST(Png, SixteenBitsAreBigEndianInTheFile) {
  const Folder folder;
  make_png(folder / "a.png", {std::string("\x01\x02\xff\0", 4)}, {.width = 2, .bits = 16});
  const Image image = read(folder / "a.png");
  EXPECT_EQ(image.row<std::uint16_t>(0)[0], 0x0102);
  EXPECT_EQ(image.row<std::uint16_t>(0)[1], 0xff00);
}

TEST(Png, InterlacedImagesReadAsThePlainOnes) {
  const Folder folder;
  for (const int color : {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_RGB_ALPHA}) {
    for (const int bits : {8, 16}) {
      PngRecipe recipe{.width = 37, .height = 29, .bits = bits, .color = color};
      std::vector<std::string> rows;
      const int length = 37 * (color == PNG_COLOR_TYPE_GRAY ? 1 : 4) * bits / 8;
      for (int y = 0; y < 29; ++y) {
        std::string row;
        for (int i = 0; i < length; ++i) row += static_cast<char>((y * 31 + i * 7) % 251);
        rows.push_back(row);
      }
      make_png(folder / "plain.png", rows, recipe);
      recipe.interlaced = true;
      make_png(folder / "interlaced.png", rows, recipe);
      const Image plain = read(folder / "plain.png");
      Reader reader(folder / "interlaced.png");
      EXPECT_TRUE(same_pixels(reader.slab(20, 25), plain.rows(20, 25)));
      EXPECT_TRUE(same_pixels(reader.slab(3, 9), plain.rows(3, 9)));
      EXPECT_TRUE(same_pixels(reader.read(), plain));
    }
  }
}

Spacing spacing_read(PngRecipe recipe) {
  const Folder folder;
  make_png(folder / "a.png", {"\x01"}, recipe);
  return Reader(folder / "a.png").description().spacing;
}

TEST(Png, DensityAloneIsForPrintersButForItsRatio) {
  EXPECT_EQ(spacing_read({}), Spacing{});
  EXPECT_EQ(spacing_read({.density_x = 4000, .density_y = 2000}), Spacing{});
  EXPECT_EQ(spacing_read({.density_x = 2, .density_y = 1, .density_unit = PNG_RESOLUTION_UNKNOWN}),
            (Spacing{1, 2, 1, Unit::pixel}));
}

TEST(Png, ExactTextCountsOnlyBesideItsDensity) {
  PngRecipe recipe{.density_x = 4000, .density_y = 2000, .exact_spacing = "0.25,0.5,3,mm"};
  EXPECT_EQ(spacing_read(recipe), (Spacing{0.25, 0.5, 3, Unit::millimetre}));
  const Folder folder;
  make_png(folder / "a.png", {"\x01"}, recipe);
  EXPECT_EQ(Reader(folder / "a.png").print_density(), "");
  recipe.density_x = 8000;
  EXPECT_EQ(spacing_read(recipe), Spacing{});
  make_png(folder / "a.png", {"\x01"}, recipe);
  EXPECT_EQ(Reader(folder / "a.png").print_density(), "8000 x 2000 pixels per metre");
  recipe.exact_spacing = "0.125,nan,1,mm";
  EXPECT_EQ(spacing_read(recipe), Spacing{});
}

/// Changes the size in the header and mends its checksum.
std::string with_size(std::string png, std::uint32_t width, std::uint32_t height) {
  for (int i = 0; i < 4; ++i) {
    png[static_cast<std::size_t>(16 + i)] = static_cast<char>(width >> (24 - 8 * i));
    png[static_cast<std::size_t>(20 + i)] = static_cast<char>(height >> (24 - 8 * i));
  }
  std::uint32_t crc = 0xffffffff;
  for (std::size_t i = 12; i < 29; ++i) {
    crc ^= static_cast<unsigned char>(png[i]);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320u : 0u);
  }
  for (int i = 0; i < 4; ++i) {
    png[static_cast<std::size_t>(29 + i)] = static_cast<char>(~crc >> (24 - 8 * i));
  }
  return png;
}

TEST(Png, ClaimsBeyondTheFileAreRefusedBeforeMemoryIsTaken) {
  const Folder folder;
  write(folder / "a.png", random_image({.shape = {5, 4, 1}, .type = PixelType::u8}));
  const std::string png = load(folder / "a.png");
  save(folder / "a.png", with_size(png, 5, 4));
  EXPECT_EQ(error_of_reading(folder / "a.png").kind, "nothing");
  save(folder / "a.png", with_size(png, 2000000000, 2000000000));
  expect_error(error_of_reading(folder / "a.png"), "OutOfMemory", folder / "a.png", "budget");
  save(folder / "a.png", with_size(png, 5000, 5000));
  expect_error(error_of_reading(folder / "a.png"), "MalformedFile", folder / "a.png", "too short");
  save(folder / "a.png", with_size(png, 50, 40));
  expect_error(error_of_reading(folder / "a.png"), "MalformedFile", folder / "a.png",
               "damaged PNG");
}

TEST(Png, TruncationIsMalformed) {
  const Folder folder;
  write(folder / "a.png", random_image({.shape = {50, 40, 1}, .type = PixelType::u8}));
  const std::string png = load(folder / "a.png");
  for (std::size_t length = 8; length < png.size() - 60; length += 13) {
    save(folder / "a.png", png.substr(0, length));
    expect_error(error_of_reading(folder / "a.png"), "MalformedFile", folder / "a.png", "PNG");
  }
}

TEST(Png, AReaderThatFailedCanBeAskedAgain) {
  const Folder folder;
  const Image image = random_image({.shape = {300, 200, 1}, .type = PixelType::u8});
  write(folder / "a.png", image);
  std::string png = load(folder / "a.png");
  save(folder / "a.png", png.substr(0, png.size() / 2));
  Reader reader(folder / "a.png");
  EXPECT_THROW(reader.read(), MalformedFile);
  EXPECT_TRUE(same_pixels(reader.slab(0, 20), image.rows(0, 20)));
  EXPECT_THROW(reader.read(), MalformedFile);
}

/// libpng would set aside what a chunk claims before it looks for it in the file.
TEST(Png, ChunksAreAsLongAsTheFileHasThem) {
  const Folder folder;
  write(folder / "a.png", random_image({.shape = {5, 4, 1}, .type = PixelType::u8}));
  const std::string good = load(folder / "a.png");
  const std::size_t behind_header = 8 + 25;
  std::string lying = good;
  lying.insert(behind_header, std::string("\x69\x54\x58\x74iTXt", 8));
  save(folder / "a.png", lying);
  expect_error(error_of_reading(folder / "a.png"), "MalformedFile", folder / "a.png",
               "found a PNG chunk of 1767135348 bytes at byte 33");
  std::string large = good;
  large.insert(behind_header, std::string("\x00\x90\x00\x00iTXt", 8) + std::string(0x900004, 'x'));
  save(folder / "a.png", large);
  expect_error(error_of_reading(folder / "a.png"), "Unsupported", folder / "a.png",
               "'iTXt' of 9437184 bytes, expected at most 8388608");
}

TEST(Png, ExifTurnsTheImageUpright) {
  const Folder folder;
  std::vector<std::string> rows;
  for (int y = 0; y < 11; ++y)
    rows.push_back(
        bytes_of(random_image({.shape = {19, 1, 1}, .type = PixelType::u8}, unsigned(y))));
  make_png(folder / "stored.png", rows, {.width = 19, .height = 11});
  const Image stored = read(folder / "stored.png");
  for (int orientation = 1; orientation <= 8; ++orientation) {
    for (const bool interlaced : {false, true}) {
      make_png(folder / "a.png", rows,
               {.width = 19,
                .height = 11,
                .interlaced = interlaced,
                .exif = exif_of(orientation, interlaced)});
      expect_upright(folder / "a.png", stored, orientation);
    }
  }
}

TEST(Png, APaletteOfGreysIsGrey) {
  const Folder folder;
  const std::string row("\0\1\2\xff", 4);
  make_png(folder / "a.png", {row},
           {.width = 4, .height = 1, .color = PNG_COLOR_TYPE_PALETTE, .grey_palette = true});
  const Image grey = read(folder / "a.png");
  ASSERT_EQ(grey.channels(), 1);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(std::to_integer<int>(grey.row_bytes(0)[i]),
              palette_entry(static_cast<std::uint8_t>(row[std::size_t(i)]))[0]);
  }
  make_png(folder / "a.png", {row},
           {.width = 4,
            .height = 1,
            .color = PNG_COLOR_TYPE_PALETTE,
            .transparent_palette = true,
            .grey_palette = true});
  const Image both = read(folder / "a.png");
  ASSERT_EQ(both.channels(), 2);
  EXPECT_EQ(std::to_integer<int>(both.row_bytes(0, 0, 0)[2]), palette_entry(2)[0]);
  EXPECT_EQ(std::to_integer<int>(both.row_bytes(0, 0, 1)[3]), palette_entry(255)[3]);
}

}  // namespace
}  // namespace meander::io
