// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// TIFF files of few bits, with palettes and in other orientations.
#include "io/orientation_testing.hpp"
#include "tiff_maker.hpp"

namespace meander::io {
namespace {

constexpr int width = 37, height = 23;

struct Packed {
  int bits = 1;
  int tile = 0;
  int compression = COMPRESSION_NONE;
  int fill_order = FILLORDER_MSB2LSB;
  std::vector<std::uint16_t> map;  ///< Red of all entries, then green, then blue.
};

int index_at(int x, int y, int bits) { return (x * x + 3 * y + x * y / 5) % (1 << bits); }

std::string packed_row(int y, int from, int pixels, int bits) {
  std::string row(static_cast<std::size_t>((pixels * bits + 7) / 8), '\0');
  for (int i = 0; i < pixels && from + i < width && y < height; ++i) {
    row[static_cast<std::size_t>(i * bits / 8)] |=
        static_cast<char>(index_at(from + i, y, bits) << (8 - bits - i * bits % 8));
  }
  return row;
}

void make_packed(const std::filesystem::path& path, const Packed& packed) {
  TIFF* tiff = TIFFOpen(path.c_str(), "w");
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, packed.bits);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, packed.compression);
  TIFFSetField(tiff, TIFFTAG_FILLORDER, packed.fill_order);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC,
               packed.map.empty() ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_PALETTE);
  std::vector<std::uint16_t> map = packed.map;
  const auto third = map.size() / 3;
  if (!map.empty()) {
    TIFFSetField(tiff, TIFFTAG_COLORMAP, map.data(), map.data() + third, map.data() + 2 * third);
  }
  if (packed.tile == 0) {
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 5);
    for (int y = 0; y < height; ++y) {
      std::string row = packed_row(y, 0, width, packed.bits);
      TIFFWriteScanline(tiff, row.data(), static_cast<std::uint32_t>(y));
    }
  } else {
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, packed.tile);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, packed.tile);
    std::uint32_t number = 0;
    for (int top = 0; top < height; top += packed.tile) {
      for (int left = 0; left < width; left += packed.tile) {
        std::string tile;
        for (int y = 0; y < packed.tile; ++y) {
          tile += packed_row(top + y, left, packed.tile, packed.bits);
        }
        TIFFWriteEncodedTile(tiff, number++, tile.data(), static_cast<tmsize_t>(tile.size()));
      }
    }
  }
  TIFFClose(tiff);
}

template <class Value>
void expect_values(const Image& image, std::int64_t left, std::int64_t top, Value&& value) {
  std::int64_t wrong = 0;
  for (int c = 0; c < image.channels(); ++c) {
    for (std::int64_t y = 0; y < image.shape().y; ++y) {
      for (std::int64_t x = 0; x < image.shape().x; ++x) {
        const int found = std::to_integer<int>(image.row_bytes(y, 0, c)[x]);
        wrong += found != value(static_cast<int>(left + x), static_cast<int>(top + y), c) ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(wrong, 0);
}

TEST(TiffBits, FewBitsAreGreysFrom0To255) {
  const Folder folder;
  for (const int bits : {1, 2, 4}) {
    for (const Packed& packed : {Packed{.bits = bits}, Packed{.bits = bits, .tile = 16},
                                 Packed{.bits = bits, .compression = COMPRESSION_ADOBE_DEFLATE},
                                 Packed{.bits = bits, .tile = 16, .compression = COMPRESSION_LZW},
                                 Packed{.bits = bits, .fill_order = FILLORDER_LSB2MSB}}) {
      SCOPED_TRACE(bits);
      make_packed(folder / "a.tif", packed);
      const auto grey = [&](int x, int y, int) {
        return index_at(x, y, bits) * 255 / ((1 << bits) - 1);
      };
      const Image whole = read(folder / "a.tif");
      EXPECT_EQ(whole.channels(), 1);
      EXPECT_EQ(whole.type(), PixelType::u8);
      expect_values(whole, 0, 0, grey);
      expect_values(read(folder / "a.tif", {.roi = Roi{3, 7, 30, 20}}), 3, 7, grey);
      Reader reader(folder / "a.tif");
      EXPECT_TRUE(same_pixels(reader.slab(11, 14), whole.rows(11, 14)));
      EXPECT_TRUE(same_pixels(reader.slab(2, 9), whole.rows(2, 9)));
    }
  }
}

TEST(TiffBits, FaxesAreBits) {
  const Folder folder;
  for (const int code : {COMPRESSION_CCITTFAX3, COMPRESSION_CCITTFAX4}) {
    if (TIFFIsCODECConfigured(static_cast<std::uint16_t>(code)) == 0) continue;
    make_packed(folder / "a.tif", {.compression = code});
    expect_values(read(folder / "a.tif"), 0, 0,
                  [](int x, int y, int) { return 255 * index_at(x, y, 1); });
  }
}

TEST(TiffBits, DamagedFaxesAreMalformed) {
  const Folder folder;
  if (TIFFIsCODECConfigured(COMPRESSION_CCITTFAX4) == 0) GTEST_SKIP() << "libtiff has no faxes";
  make_packed(folder / "good.tif", {.compression = COMPRESSION_CCITTFAX4});
  const std::string good = load(folder / "good.tif");
  int malformed = 0;
  for (std::size_t at = 8; at < 60; ++at) {
    std::string damaged = good;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x5a);
    save(folder / "a.tif", damaged);
    malformed += error_of_reading(folder / "a.tif").kind == "MalformedFile" ? 1 : 0;
  }
  // Some codes stand for others of the same length: it is 44 of 52, and none when what libtiff says
  // is passed over.
  EXPECT_GT(malformed, 26);
}

/// Colours that use both bytes of their 16 bits.
std::vector<std::uint16_t> some_map(int bits, bool grey) {
  std::vector<std::uint16_t> map;
  const int count = 1 << bits;
  for (int c = 0; c < 3; ++c) {
    for (int i = 0; i < count; ++i) {
      map.push_back(static_cast<std::uint16_t>(60000 - 210 * i * (grey ? 1 : c + 1) / 3));
    }
  }
  return map;
}

TEST(TiffPalette, GreysAreGreyAndColoursRgb) {
  const Folder folder;
  for (const int bits : {1, 2, 4, 8}) {
    for (const bool grey : {false, true}) {
      for (const int tile : {0, 16}) {
        const auto map = some_map(bits, grey);
        make_packed(folder / "a.tif", {.bits = bits, .tile = tile, .map = map});
        const Image image = read(folder / "a.tif");
        EXPECT_EQ(image.channels(), grey ? 1 : 3);
        const auto colour = [&](int x, int y, int c) {
          return map[static_cast<std::size_t>(index_at(x, y, bits) + (c << bits))] >> 8;
        };
        expect_values(image, 0, 0, colour);
        const Image blue = read(folder / "a.tif", {.channel = image.channels() - 1});
        expect_values(blue, 0, 0, [&](int x, int y, int) { return colour(x, y, grey ? 0 : 2); });
      }
    }
  }
}

TEST(TiffPalette, ColoursOf8BitsAreTakenAsTheyAre) {
  const Folder folder;
  make_packed(folder / "a.tif", {.bits = 1, .map = {3, 255, 4, 254, 5, 253}});
  expect_values(read(folder / "a.tif"), 0, 0,
                [](int x, int y, int c) { return index_at(x, y, 1) == 0 ? 3 + c : 255 - c; });
}

TEST(TiffPalette, ShortOnesAreMalformed) {
  const Folder folder;
  make_packed(folder / "good.tif", {.bits = 8, .map = some_map(8, false)});
  std::string bytes = load(folder / "good.tif");
  const std::string entry("\x40\x01\x03\0\0\x03\0\0", 8);  // tag 320, 768 numbers of 16 bits
  const auto at = bytes.find(entry);
  ASSERT_NE(at, std::string::npos);
  bytes[at + 5] = 2;
  save(folder / "a.tif", bytes);
  expect_error(error_of_reading(folder / "a.tif"), "MalformedFile", folder / "a.tif",
               "expected 768 integers");
}

TEST(TiffOrientation, TurnsTheImageUpright) {
  const Folder folder;
  for (const auto& [shape, channels] : {std::pair{Shape{19, 11, 1}, 3}, {Shape{12, 9, 3}, 1}}) {
    const Image stored =
        random_image({.shape = shape, .channels = channels, .type = PixelType::u16});
    for (int orientation = 0; orientation <= 9; ++orientation) {
      // libtiff writes no number that has no meaning.
      const int written = std::min(orientation, 8);
      make_tiff(folder / "a.tif", stored, {.orientation = written});
      expect_upright(folder / "a.tif", stored, written);
    }
  }
}

TEST(TiffOrientation, SpacingTurnsWithThePixels) {
  const Folder folder;
  const Image stored = random_image({.shape = {19, 11, 1}, .type = PixelType::u8});
  make_tiff(folder / "a.tif", stored,
            {.description = "ImageJ=1.53\nunit=mm\n", .resolution = 4, .orientation = 6});
  const Spacing spacing = Reader(folder / "a.tif").description().spacing;
  EXPECT_EQ(spacing.x, 0.125);
  EXPECT_EQ(spacing.y, 0.25);
}

}  // namespace
}  // namespace meander::io
