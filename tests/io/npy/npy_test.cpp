// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <numeric>

#include "io/io_testing.hpp"

namespace meander::io {
namespace {

/// A file with the given dictionary and data, in one of NumPy's three versions.
std::string npy(const std::string& dictionary, const std::string& data, char version = 1) {
  std::string length(version == 1 ? 2 : 4, '\0');
  length[0] = static_cast<char>(dictionary.size() & 0xff);
  length[1] = static_cast<char>(dictionary.size() >> 8);
  return std::string("\x93NUMPY") + version + '\0' + length + dictionary + data;
}

std::string header(const std::string& descr, const std::string& shape, bool fortran = false) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }\n";
}

/// The numbers 0, 1, 2 … as little-endian u2.
std::string counting(int count) {
  std::string data;
  for (int i = 0; i < count; ++i) data += {static_cast<char>(i & 0xff), static_cast<char>(i >> 8)};
  return data;
}

class Npy : public testing::Test {
 protected:
  Image read_bytes(const std::string& bytes, bool channels_last = false) {
    save(folder / "a.npy", bytes);
    return read(folder / "a.npy", {.channels_last = channels_last});
  }
  void refused(const std::string& bytes, const std::string& kind, const std::string& part) {
    save(folder / "a.npy", bytes);
    expect_error(error_of_reading(folder / "a.npy"), kind, folder / "a.npy", part);
  }
  Folder folder;
};

TEST_F(Npy, AxesAreSlowestFirst) {
  const Image line = read_bytes(npy(header("<u2", "(4,)"), counting(4)));
  EXPECT_EQ(line.shape(), (Shape{4, 1, 1}));
  const Image plane = read_bytes(npy(header("<u2", "(2, 3)"), counting(6)));
  EXPECT_EQ(plane.shape(), (Shape{3, 2, 1}));
  EXPECT_EQ(plane.row<std::uint16_t>(1)[2], 5);
  const Image volume = read_bytes(npy(header("<u2", "(2, 3, 4)"), counting(24)));
  EXPECT_EQ(volume.shape(), (Shape{4, 3, 2}));
  EXPECT_EQ(volume.row<std::uint16_t>(2, 1)[3], 23);
}

TEST_F(Npy, ChannelsAreTheLastAxisWhenAskedForOrOfFour) {
  const Image plane = read_bytes(npy(header("<u2", "(2, 3, 4)"), counting(24)), true);
  EXPECT_EQ(plane.shape(), (Shape{3, 2, 1}));
  EXPECT_EQ(plane.channels(), 4);
  EXPECT_EQ(plane.row<std::uint16_t>(1, 0, 3)[2], 23);
  EXPECT_EQ(plane.row<std::uint16_t>(0, 0, 1)[1], 5);
  const Image volume = read_bytes(npy(header("<u2", "(2, 3, 4, 5)"), counting(120)));
  EXPECT_EQ(volume.shape(), (Shape{4, 3, 2}));
  EXPECT_EQ(volume.channels(), 5);
  EXPECT_EQ(volume.row<std::uint16_t>(1, 1, 2)[3], ((1 * 3 + 1) * 4 + 3) * 5 + 2);
}

TEST_F(Npy, FortranOrderIsTheTransposedFile) {
  const Image plane = read_bytes(npy(header("<u2", "(2, 3)", true), counting(6)));
  EXPECT_EQ(plane.shape(), (Shape{3, 2, 1}));
  for (int y = 0; y < 2; ++y) {
    for (int x = 0; x < 3; ++x) EXPECT_EQ(plane.row<std::uint16_t>(y)[x], y + 2 * x);
  }
  const Image volume = read_bytes(npy(header("<u2", "(2, 3, 4, 5)", true), counting(120)));
  for (int c = 0; c < 5; ++c) {
    for (int x = 0; x < 4; ++x) {
      EXPECT_EQ(volume.row<std::uint16_t>(2, 1, c)[x], 1 + 2 * (2 + 3 * (x + 4 * c)));
    }
  }
  const Image flat = read_bytes(npy(header("<u2", "(1, 3, 4)", true), counting(12)));
  EXPECT_EQ(flat.row<std::uint16_t>(2)[3], 2 + 3 * 3);
  EXPECT_EQ(read_bytes(npy(header("<u2", "(4,)", true), counting(4))).row<std::uint16_t>(0)[3], 3);
}

TEST_F(Npy, FortranOrderInSlabsOfShortAndLongColumns) {
  for (const std::string shape : {"(7, 5, 3)", "(40000, 2)"}) {
    const int count = shape[1] == '7' ? 105 : 80000;
    save(folder / "a.npy", npy(header("<u2", shape, true), counting(count)));
    Reader reader(folder / "a.npy");
    const Image whole = reader.read();
    const std::int64_t length = slab_length(whole.shape());
    const std::int64_t step = length / 3;
    for (std::int64_t begin = 0; begin < length; begin += step) {
      const std::int64_t end = std::min(length, begin + step);
      const Image part = whole.shape().z > 1 ? whole.slices(begin, end) : whole.rows(begin, end);
      EXPECT_TRUE(same_pixels(reader.slab(begin, end), part)) << shape << begin;
    }
    EXPECT_EQ(
        whole.row<std::uint16_t>(whole.shape().y - 1, whole.shape().z - 1)[whole.shape().x - 1],
        static_cast<std::uint16_t>(count - 1));
  }
}

TEST_F(Npy, ByteOrders) {
  const std::string bytes("\x01\x02\x03\x04\x05\x06\x07\x08", 8);
  EXPECT_EQ(read_bytes(npy(header("<u2", "(4,)"), bytes)).row<std::uint16_t>(0)[0], 0x0201);
  EXPECT_EQ(read_bytes(npy(header(">u2", "(4,)"), bytes)).row<std::uint16_t>(0)[0], 0x0102);
  EXPECT_EQ(read_bytes(npy(header(">u2", "(1, 2, 2, 1)"), bytes)).row<std::uint16_t>(1)[1], 0x0708);
  EXPECT_EQ(read_bytes(npy(header(">u2", "(2, 1, 2)"), bytes), true).row<std::uint16_t>(1, 0, 1)[0],
            0x0708);
  EXPECT_EQ(read_bytes(npy(header(">u2", "(2, 2)", true), bytes)).row<std::uint16_t>(0)[1], 0x0506);
  const Image f32 = read_bytes(npy(header(">f4", "(1,)"), std::string("\x3f\x80\0\0", 4)));
  EXPECT_EQ(f32.row<float>(0)[0], 1.0f);
  const Image f64 = read_bytes(npy(header(">f8", "(1,)"), std::string("\x3f\xf0\0\0\0\0\0\0", 8)));
  EXPECT_EQ(f64.row<double>(0)[0], 1.0);
  EXPECT_EQ(
      read_bytes(npy(header("|b1", "(2,)"), std::string("\0\x01", 2))).row<std::uint8_t>(0)[1], 1);
}

TEST_F(Npy, VersionsAndSpellings) {
  for (const char version : {'\1', '\2', '\3'}) {
    EXPECT_EQ(read_bytes(npy(header("<i2", "(2, 3)"), counting(6), version)).shape(),
              (Shape{3, 2, 1}));
  }
  for (const std::string text :
       {"{'shape':(2,3),'fortran_order':False,'descr':'<u2'}",
        "{\"descr\": \"<u2\", \"fortran_order\": False, \"shape\": (2L, 3L)}   \n"}) {
    EXPECT_EQ(read_bytes(npy(text, counting(6))).shape(), (Shape{3, 2, 1})) << text;
  }
}

TEST_F(Npy, HeaderIsAlignedAndVersionOne) {
  write(folder / "b.npy", random_image({.shape = {3, 2, 1}, .type = PixelType::f32}));
  const std::string bytes = load(folder / "b.npy");
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\0", 8));
  EXPECT_EQ((bytes.size() - 24) % 64, 0u);
  EXPECT_NE(bytes.find("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"),
            std::string::npos);
}

TEST_F(Npy, FiveAxesAreAFilm) {
  save(folder / "a.npy", npy(header("<u2", "(2, 1, 2, 3, 1)"), counting(12)));
  Reader reader(folder / "a.npy");
  EXPECT_EQ(reader.film(), (Film{2, 0}));
  EXPECT_EQ(reader.description().shape, (Shape{3, 2, 1}));
  reader.select_frame(1);
  EXPECT_EQ(reader.read().row<std::uint16_t>(1)[2], 11);
  refused(npy(header("<u2", "(2, 1, 2, 3, 1)", true), counting(12)), "Unsupported",
          "5 axes in Fortran order");
  refused(npy(header("<u2", "(3, 1, 2, 3, 1)"), counting(12)), "MalformedFile",
          "in each of 3 frames");
  refused(npy(header("<u2", "(9000000000000000000, 1, 2, 3, 1)"), counting(12)), "OutOfMemory",
          "over 2^63");
}

TEST_F(Npy, IntegersArriveExactlyOrNotAtAll) {
  const Image bytes = read_bytes(npy(header("|i1", "(2,)"), "\x80\x7f"));
  ASSERT_EQ(bytes.type(), PixelType::i16);
  EXPECT_EQ(bytes.row<std::int16_t>(0)[0], -128);
  const std::string exact("\0\0\0\0\0\0\x20\0", 8), odd("\x01\0\0\0\0\0\x20\0", 8);
  const Image wide = read_bytes(npy(header("<i8", "(1,)"), exact));
  ASSERT_EQ(wide.type(), PixelType::f64);
  EXPECT_EQ(wide.row<double>(0)[0], 9007199254740992.0);
  refused(npy(header("<i8", "(1,)"), odd), "Unsupported", "beyond 2^53");
  refused(npy(header("<i4", "(2, 2)", true), std::string(16, 'a')), "Unsupported",
          "i32 in Fortran order");
}

TEST_F(Npy, RefusesOtherElements) {
  refused(npy(header("|O", "(2,)"), "pickle"), "Unsupported", "pickle");
  refused(npy(header("<f3", "(1,)"), "123"), "Unsupported", "astype");
  refused(npy(header("<c8", "(1,)"), "12345678"), "Unsupported", "'<c8'");
  refused(npy(header("|S5", "(1,)"), "12345"), "Unsupported", "'|S5'");
  refused(npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "1234"),
          "Unsupported", "structured");
  refused(npy(header("<u2", "()"), "12"), "Unsupported", "0 axes");
  refused(npy(header("<u2", "(1, 1, 1, 1, 1, 1)"), "12"), "Unsupported", "6 axes");
  refused(npy(header("<u2", "(1,)"), "12", 4), "Unsupported", "version 4.0");
}

TEST_F(Npy, RefusesDamage) {
  refused(npy(header("<u2", "(0, 3)"), ""), "MalformedFile", "without elements");
  refused(npy(header("<u2", "(2, 3)"), counting(5)), "MalformedFile", "too short");
  refused(npy(header("<u2", "(-2, 3)"), counting(6)), "MalformedFile", "dictionary");
  for (const std::string text :
       {"", "{", "{}", "{'descr': '<u2'}", "[1]",
        "{'descr': '<u2', 'fortran_order': 0, 'shape': (1,)}",
        "{'descr': '<u2', 'fortran_order': False, 'shape': (1,)} + __import__('os')",
        "{'descr': '<u2', 'descr': '<u2', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<u2', 'fortran_order': False, 'shape': (1 1)}",
        "{'descr': '<u2', 'fortran_order': False, 'shape': (1.5,)}",
        "{'descr': '<u2, 'fortran_order': False, 'shape': (1,)"}) {
    refused(npy(text, "12"), "MalformedFile", "dictionary");
  }
  refused("\x93NUMPY", "MalformedFile", "ends at byte 6");
  refused(npy(header("<u2", "(2,)"), "1234").substr(0, 40), "MalformedFile", "ends at byte 40");
  refused(std::string("\x93NUMPY\x02\0\xff\xff\xff\xff", 12), "MalformedFile", "4294967295 bytes");
}

TEST_F(Npy, ClaimsBeyondMemoryAreOutOfMemory) {
  refused(npy(header("<f8", "(1000000, 1000000, 1000)"), ""), "OutOfMemory", "budget");
  refused(npy(header("<f8", "(9000000000000000000, 9)"), ""), "OutOfMemory", "over 2^63");
  refused(npy(header("<f8", "(90000000000000000000, 9)"), ""), "OutOfMemory", "2^63");
}

TEST_F(Npy, TruncationAnywhereIsAnErrorAndNothingElse) {
  const std::string whole = npy(header("<u2", "(2, 3)"), counting(6));
  for (std::size_t length = 1; length < whole.size(); ++length) {
    save(folder / "a.npy", whole.substr(0, length));
    const Thrown thrown = error_of_reading(folder / "a.npy");
    EXPECT_EQ(thrown.kind, length < 6 ? "Unsupported" : "MalformedFile") << thrown.text;
  }
}

}  // namespace
}  // namespace meander::io
