// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Bitmaps that lie; tests/io/interop_pictures.py compares pixels of those that do not with
// Pillow's.
#include "io/io_testing.hpp"

namespace meander::io {
namespace {

std::string number(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

/// A bitmap whose numbers a test may bend; by default 8 bits with a palette of four greys.
struct Lie {
  std::uint32_t size = 40;
  std::int64_t width = 3, height = 2;
  int bits = 8;
  std::uint32_t compression = 0, colours = 4;
  std::string behind = std::string("\0\0\0\0\x50\x50\x50\0\xa0\xa0\xa0\0\xff\xff\xff\0", 16);
  std::string pixels = std::string("\0\1\2\0\3\2\1\0", 8);
  int gap = 0;  ///< Between what is behind the header and where the pixels are said to be.
};

std::string bmp(const Lie& lie) {
  std::string head = number(lie.size, 4) + number(std::uint64_t(lie.width), 4) +
                     number(std::uint64_t(lie.height), 4) + number(1, 2) +
                     number(std::uint64_t(lie.bits), 2) + number(lie.compression, 4) +
                     number(0, 12) + number(lie.colours, 4) + number(0, 4);
  head.resize(std::max<std::size_t>(lie.size, 40), '\0');
  const auto begin = 14 + static_cast<int>(head.size() + lie.behind.size()) + lie.gap;
  return "BM" + number(0, 8) + number(std::uint64_t(begin), 4) + head + lie.behind + lie.pixels;
}

class Bmp : public testing::Test {
 protected:
  void refused(const std::string& bytes, const std::string& kind, const std::string& part) {
    save(folder / "a.bmp", bytes);
    expect_error(error_of_reading(folder / "a.bmp"), kind, folder / "a.bmp", part);
  }
  Folder folder;
};

TEST_F(Bmp, TheTruthIsRead) {
  save(folder / "a.bmp", bmp({}));
  Reader reader(folder / "a.bmp");
  EXPECT_EQ(reader.format(), "BMP");
  // The last row comes first in the file.
  EXPECT_EQ(bytes_of(reader.read()), std::string("\xff\xa0\x50\0\x50\xa0", 6));
  EXPECT_EQ(bytes_of(reader.slab(1, 2)), std::string("\0\x50\xa0", 3));
  const ReadOptions part{.roi = Roi{1, 0, 2, 2}};
  EXPECT_EQ(bytes_of(read(folder / "a.bmp", part)), "\xa0\x50");
  save(folder / "a.bmp", bmp({.height = -2}));
  EXPECT_EQ(bytes_of(read(folder / "a.bmp")), std::string("\0\x50\xa0\xff\xa0\x50", 6));
}

TEST_F(Bmp, PixelsThatAreSaidToBeginAtThePalette) {
  save(folder / "a.bmp", bmp({.gap = -16}));
  EXPECT_EQ(bytes_of(read(folder / "a.bmp")), std::string("\xff\xa0\x50\0\x50\xa0", 6));
}

TEST_F(Bmp, OtherKindsAreNamed) {
  refused(bmp({.bits = 2}), "Unsupported", "a BMP of 2 bits a pixel, expected 1, 4, 8");
  refused(bmp({.compression = 4}), "Unsupported", "compression 4 (JPEG)");
  refused(bmp({.bits = 0, .compression = 4}), "Unsupported", "0 bits with compression 4 (JPEG)");
  refused(bmp({.bits = 24, .compression = 5}), "Unsupported", "compression 5 (PNG)");
  refused(bmp({.bits = 4, .compression = 1}), "Unsupported", "4 bits with compression 1 (RLE8)");
  refused(bmp({.compression = 3}), "Unsupported", "8 bits with compression 3 (masks)");
  refused(bmp({.size = 64, .bits = 16, .compression = 3}), "Unsupported", "compression 3");
}

TEST_F(Bmp, HeadersThatContradictThemselvesAreMalformed) {
  refused(bmp({.width = 0}), "MalformedFile", "0x2 pixels");
  refused(bmp({.width = -3}), "MalformedFile", "-3x2 pixels");
  refused(bmp({.height = 0}), "MalformedFile", "3x0 pixels");
  refused(bmp({.height = -2, .compression = 1}), "MalformedFile", "first row on top");
  refused(bmp({.colours = 0, .gap = -14}), "MalformedFile", "without a palette");
  refused(bmp({.pixels = std::string("\0\1\2\0\4\2\1\0", 8)}), "MalformedFile",
          "entry 4 of a BMP palette of 4");
  const std::string gaps = number(0xf0f000, 4) + number(0xff, 4) + number(0, 4);
  refused(bmp({.bits = 32, .compression = 3, .behind = gaps, .pixels = std::string(24, 'x')}),
          "MalformedFile", "neighbouring bits");
  refused(bmp({.size = 124}).substr(0, 100), "MalformedFile", "ends at byte 100 within its header");
}

TEST_F(Bmp, WhatEndsEarlyIsMalformed) {
  const std::string good = bmp({});
  for (std::size_t length = 18; length < good.size(); ++length) {
    save(folder / "a.bmp", good.substr(0, length));
    EXPECT_EQ(error_of_reading(folder / "a.bmp").kind, "MalformedFile") << length;
  }
  refused(bmp({.gap = 1000}), "MalformedFile", "with its pixels at 1070");
  refused(bmp({.width = 300, .height = 200}), "MalformedFile", "room for 0 rows");
  const std::string copied("\0\3\3\2\1\0\0\0\3\1\0\1",
                           12);  // 3 2 1 as they are, with a byte to fill up
  save(folder / "a.bmp", bmp({.compression = 1, .pixels = copied}));
  EXPECT_EQ(bytes_of(read(folder / "a.bmp")), std::string("\x50\x50\x50\xff\xa0\x50", 6));
  const std::string runs("\3\1\0\0\2\1", 6);
  refused(bmp({.compression = 1, .pixels = runs}), "MalformedFile", "runs that end at byte 76");
  save(folder / "a.bmp", bmp({.compression = 1, .pixels = runs + std::string("\0\1", 2)}));
  EXPECT_EQ(bytes_of(read(folder / "a.bmp")), std::string("\x50\x50\0\x50\x50\x50", 6));
}

TEST_F(Bmp, ClaimsBeyondMemoryAreOutOfMemory) {
  const std::int64_t far = 0x7fffffff;
  refused(bmp({.width = far, .height = far}), "OutOfMemory", "2147483647x2147483647");
  refused(bmp({.width = far, .height = far, .compression = 1}), "OutOfMemory", "budget");
  const Budget budget(1 << 16);
  refused(bmp({.width = 300, .height = 300, .compression = 1}), "OutOfMemory", "90000");
}

TEST_F(Bmp, TextThatBeginsWithItsLettersIsNone) {
  refused("BMI and age of some patients\n", "Unsupported", "expected TIFF");
}

}  // namespace
}  // namespace meander::io
