// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// TIFF files that lie, put together by hand.
#include "io/tiff/layout.hpp"
#include "io/tiff/page.hpp"
#include "tiff_maker.hpp"

namespace meander::io {
namespace {

/// A grey page of u8 whose numbers a test may bend.
struct Lie {
  std::uint32_t width = 4, height = 3, rows_per_strip = 3;
  std::uint16_t bits = 8, format = 1, photometric = 1, samples = 1, compression = 1;
  std::uint64_t strips = 1;
  std::uint64_t next = 0;
  std::uint32_t tile = 0;
};

std::string tiff(const Lie& lie, bool big = false) {
  const std::uint64_t start = big ? 16 : 8;
  TiffDirectoryBuilder page(big);
  page.add_long(tiff_tag::width, lie.width);
  page.add_long(tiff_tag::height, lie.height);
  page.add_short(tiff_tag::bits_per_sample, {lie.bits});
  page.add_short(tiff_tag::compression, {lie.compression});
  page.add_short(tiff_tag::photometric, {lie.photometric});
  page.add_positions(tiff_tag::strip_offsets, std::vector<std::uint64_t>(lie.strips, start));
  page.add_short(tiff_tag::samples_per_pixel, {lie.samples});
  page.add_long(tiff_tag::rows_per_strip, lie.rows_per_strip);
  page.add_positions(tiff_tag::strip_byte_counts, std::vector<std::uint64_t>(lie.strips, 12));
  if (lie.tile != 0) {
    page.add_long(tiff_tag::tile_width, lie.tile);
    page.add_long(tiff_tag::tile_height, lie.tile);
  }
  page.add_short(tiff_tag::sample_format, {lie.format});
  std::string text = big ? std::string("II+\0\x08\0\0\0\x10\0\0\0\0\0\0\0", 16)
                         : std::string("II*\0\x08\0\0\0", 8);
  return text + page.text_at(start, lie.next);
}

class TiffLie : public testing::Test {
 protected:
  void refused(const std::string& bytes, const std::string& kind, const std::string& part) {
    save(folder / "a.tif", bytes);
    expect_error(error_of_reading(folder / "a.tif"), kind, folder / "a.tif", part);
  }
  Folder folder;
};

TEST_F(TiffLie, TheTruthIsRead) {
  for (const bool big : {false, true}) {
    save(folder / "a.tif", tiff({}, big));
    EXPECT_EQ(Reader(folder / "a.tif").description().shape, (Shape{4, 3, 1}));
    EXPECT_EQ(error_of_reading(folder / "a.tif").kind, "nothing");
  }
}

TEST_F(TiffLie, OtherSamplesAreUnsupported) {
  refused(tiff({.bits = 3}), "Unsupported", "3 bits, unsigned");
  refused(tiff({.bits = 4, .samples = 3}), "Unsupported", "3 samples of 4 bits, expected one");
  refused(tiff({.bits = 64}), "Unsupported", "64 bits, unsigned");
  refused(tiff({.bits = 12, .format = 2}), "Unsupported", "12 bits, signed");
  refused(tiff({.bits = 64, .format = 6}), "Unsupported", "complex");
  refused(tiff({.bits = 16, .photometric = 3}), "Unsupported", "16 bits with a palette");
  refused(tiff({.photometric = 3}), "MalformedFile", "a palette without its colours");
  refused(tiff({.photometric = 6}), "Unsupported", "YCbCr");
  refused(tiff({.photometric = 32803}), "Unsupported", "special colour space");
  refused(tiff({.compression = 31337}), "Unsupported", "compression 31337");
}

TEST_F(TiffLie, ClaimsBeyondMemoryAreOutOfMemoryAtOnce) {
  for (const bool big : {false, true}) {
    refused(tiff({.width = 33000000, .height = 33000000}, big), "OutOfMemory", "budget");
    refused(tiff({.width = 33000000, .height = 33000000, .rows_per_strip = 1}, big), "OutOfMemory",
            "budget");
    refused(tiff({.width = 4000000000, .height = 4000000000, .samples = 60000}, big), "OutOfMemory",
            "over 2^63");
    refused(tiff({.width = 33000000, .height = 33000000, .compression = 5}, big), "OutOfMemory",
            "budget");
  }
}

TEST_F(TiffLie, ShortFilesAreMalformed) {
  refused(tiff({.width = 400, .height = 300}), "MalformedFile", "too short");
  refused(tiff({.width = 60000, .height = 6000, .compression = 5}), "MalformedFile", "too short");
  refused(tiff({.rows_per_strip = 1}), "MalformedFile", "expected 3 integers");
  refused(tiff({.rows_per_strip = 1, .compression = 5}), "MalformedFile", "expected 3");
  refused(tiff({.width = 0}), "MalformedFile", "tag 256 is 0");
  refused(tiff({.samples = 0}), "MalformedFile", "0 TIFF samples");
}

TEST_F(TiffLie, TilesBeyondReasonAreRefused) {
  refused(tiff({.compression = 5, .tile = 4000000000u}), "OutOfMemory", "budget");
  refused(tiff({.compression = 5, .tile = 20000}), "MalformedFile", "too short");
}

TEST_F(TiffLie, LoopsEnd) {
  refused(tiff({.next = 8}), "MalformedFile", "loop");
  refused(tiff({.next = 1 << 20}), "MalformedFile", "points to byte 1048576");
  refused(std::string("II*\0\0\0\0\0", 8), "MalformedFile", "without pages");
  refused(std::string("II*\0", 4), "MalformedFile", "points to byte 4");
}

TEST_F(TiffLie, StripsOutsideTheFileAreMalformed) {
  std::string bytes = tiff({});
  // The position of the only strip is the value of the sixth entry.
  for (const std::size_t far : {std::size_t{1000000}, bytes.size() - 11}) {
    std::memcpy(bytes.data() + 8 + 2 + 5 * 12 + 8, &far, 4);
    save(folder / "a.tif", bytes);
    const Thrown opening = thrown_by([&] { Reader reader(folder / "a.tif"); });
    expect_error(opening, "MalformedFile", folder / "a.tif", "strip 0 needs 12 bytes");
  }
}

TEST_F(TiffLie, PagesMustAgree) {
  const Image first = random_image({.shape = {5, 4, 1}, .type = PixelType::u8});
  const Image second = random_image({.shape = {5, 3, 1}, .type = PixelType::u8});
  TIFF* file = TIFFOpen((folder / "a.tif").c_str(), "w");
  for (const Image& page : {first, second}) {
    set_fields(file, page, {});
    write_page(file, page, 0, {});
    TIFFWriteDirectory(file);
  }
  TIFFClose(file);
  refused(load(folder / "a.tif"), "MalformedFile",
          "page 2 has 5x3x1 8-bit u8, expected 5x4x1 8-bit u8");
}

TEST_F(TiffLie, DamagedCompressionIsMalformed) {
  make_tiff(folder / "a.tif", random_image({.shape = {50, 40, 1}, .type = PixelType::u8}),
            {.compression = COMPRESSION_ADOBE_DEFLATE});
  std::string bytes = load(folder / "a.tif");
  for (std::size_t i = 40; i < 300; ++i) bytes[i] = static_cast<char>(i * 77);
  refused(bytes, "MalformedFile", "damaged TIFF");
}

TEST_F(TiffLie, TruncationIsNeverRead) {
  for (const int compression : {COMPRESSION_NONE, COMPRESSION_LZW}) {
    const Image image = random_image({.shape = {50, 40, 2}, .type = PixelType::u8});
    make_tiff(folder / "a.tif", image, {.compression = compression});
    const std::string whole = load(folder / "a.tif");
    for (std::size_t length = 4; length < whole.size() - 4; length += 11) {
      save(folder / "a.tif", whole.substr(0, length));
      EXPECT_EQ(error_of_reading(folder / "a.tif").kind, "MalformedFile") << length;
    }
  }
}

}  // namespace
}  // namespace meander::io
