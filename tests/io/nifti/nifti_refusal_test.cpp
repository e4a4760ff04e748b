// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <zlib.h>

#include <limits>

#include "io/io_testing.hpp"
#include "io/nifti/nifti.hpp"
#include "nifti_maker.hpp"

namespace meander::io {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::string gzipped(const std::string& text) {
  z_stream stream{};
  std::string out(text.size() + 1000, '\0');
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

class NiftiRefusal : public testing::Test {
 protected:
  void refused(const std::string& bytes, const std::string& kind, const std::string& part) {
    save(folder / "a.nii", bytes);
    expect_error(error_of_reading(folder / "a.nii"), kind, folder / "a.nii", part);
  }
  void refused(const NiftiMaker& maker, const std::string& kind, const std::string& part) {
    refused(maker.with(numbers), kind, part);
  }
  const std::vector<std::int16_t> numbers = counted<std::int16_t>(12);
  Folder folder;
};

TEST_F(NiftiRefusal, AGoodFileIsRead) {
  save(folder / "a.nii", NiftiMaker().with(numbers));
  EXPECT_EQ(read(folder / "a.nii").row<std::int16_t>(1, 1)[2], 11);
}

TEST_F(NiftiRefusal, Magic) {
  refused(NiftiMaker().raw(344, std::string(4, '\0')), "Unsupported", "Analyze 7.5");
  refused(NiftiMaker().raw(344, "n+2"), "MalformedFile", "magic 'n+2\\x00'");
  refused(NiftiMaker().raw(347, "x"), "MalformedFile", "magic 'n+1x'");
  refused(NiftiMaker(2).raw(4, "n+1"), "MalformedFile", "magic 'n+1");
  refused(NiftiMaker(2).raw(8, "\n\n\x1a\n"), "MalformedFile", "line ends");
}

TEST_F(NiftiRefusal, HeaderThatEndsEarly) {
  for (const int version : {1, 2}) {
    const std::string whole = NiftiMaker(version).header();
    for (const std::size_t length : {4u, 5u, 100u, 347u}) {
      refused(whole.substr(0, length), "MalformedFile", "expected a NIfTI header of");
    }
    refused(whole, "MalformedFile", "too short");
    refused(whole.substr(0, whole.size() - 2), "MalformedFile", "expected pixels from byte");
  }
}

TEST_F(NiftiRefusal, Axes) {
  refused(NiftiMaker().dim({0}), "MalformedFile", "0 NIfTI axes, expected 1 to 7");
  refused(NiftiMaker().dim({8}), "MalformedFile", "8 NIfTI axes");
  refused(NiftiMaker(2).dim({-1}), "MalformedFile", "-1 NIfTI axes");
  refused(NiftiMaker().dim({3, 3, 0, 2}), "MalformedFile", "0 pixels along NIfTI axis 2");
  refused(NiftiMaker().dim({3, 3, 2, -2}), "MalformedFile", "-2 pixels along NIfTI axis 3");
  refused(NiftiMaker().dim({6, 3, 1, 1, 1, 1, 4}), "Unsupported", "4 pixels along NIfTI axis 6");
  refused(NiftiMaker().dim({7, 3, 1, 1, 1, 1, 1, 4}), "Unsupported", "NIfTI axis 7");
  refused(NiftiMaker(2).dim({5, 1, 1, 1, 1, 65536}), "Unsupported", "65536 channels");
  refused(NiftiMaker().type(128, 24).dim({5, 1, 1, 1, 1, 2}), "Unsupported", "2 colours");
}

TEST_F(NiftiRefusal, Types) {
  refused(NiftiMaker().type(4, 8), "MalformedFile", "8 bits a pixel for NIfTI data type 4");
  refused(NiftiMaker().type(128, 8), "MalformedFile", "expected 24");
  refused(NiftiMaker().type(32, 64), "Unsupported", "complex64");
  refused(NiftiMaker().type(1536, 128), "Unsupported", "float128");
  refused(NiftiMaker().type(1, 1), "Unsupported", "1-bit");
  refused(NiftiMaker().type(3, 16), "MalformedFile", "data type 3");
}

TEST_F(NiftiRefusal, Offset) {
  for (const double offset : {0.0, 348.0, 351.0, 352.5, -352.0, nan, infinity, 1e30}) {
    refused(NiftiMaker().offset(offset), "MalformedFile", "(vox_offset)");
  }
  refused(NiftiMaker(2).offset(352), "MalformedFile", "a whole number from 544 on");
  refused(NiftiMaker().offset(1e9), "MalformedFile", "expected pixels from byte 1000000000 on");
}

TEST_F(NiftiRefusal, NumbersThatAreNotFinite) {
  refused(NiftiMaker().scaling(2, nan), "MalformedFile", "intercept nan");
  refused(NiftiMaker().scaling(2, -infinity), "MalformedFile", "intercept -inf");
  refused(NiftiMaker().sform(1, {1, 0, nan}), "MalformedFile", "an sform");
  refused(NiftiMaker().qform(1, {0, 0, 0, infinity}), "MalformedFile", "a qform");
  refused(NiftiMaker().qform(1, {0, nan, 0}), "MalformedFile", "quaternion");
  refused(NiftiMaker().qform(1, {0.8, 0.8, 0}), "MalformedFile", "a length of at most 1");
}

TEST_F(NiftiRefusal, NumbersThatFloat64CannotHold) {
  std::vector<std::int64_t> wide(12, 1);
  wide[7] = (std::int64_t{1} << 53) + 1;
  refused(NiftiMaker().type(1024, 64).with(wide), "Unsupported", "beyond 2^53");
}

TEST_F(NiftiRefusal, ClaimsBeyondTheFile) {
  refused(NiftiMaker().dim({3, 30, 20, 20}), "MalformedFile", "too short");
  refused(NiftiMaker(2).dim({3, 100000, 100000, 100000}), "OutOfMemory", "2000000000000000 bytes");
  refused(NiftiMaker().dim({7, 32767, 32767, 32767, 32767, 32767, 1, 1}), "OutOfMemory", "claims");
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  refused(NiftiMaker(2).dim({5, most, most, most, most, 3}), "OutOfMemory", "over 2^63");
  refused(gzipped(NiftiMaker(2).dim({3, 100000, 100000, 100000}).with(numbers)), "OutOfMemory",
          "claims");
}

TEST_F(NiftiRefusal, Gzip) {
  const std::string good = gzipped(NiftiMaker().with(numbers));
  save(folder / "a.nii", good);
  EXPECT_EQ(read(folder / "a.nii").row<std::int16_t>(1, 1)[2], 11);
  refused(gzipped("some text, but no image"), "Unsupported", "gzip file that holds no NIfTI");
  refused(good.substr(0, 12), "Unsupported", "gzip file that holds no NIfTI");
  refused(gzipped(NiftiMaker().magic("ni").header()), "Unsupported", "compressed header");
  refused(gzipped(NiftiMaker().dim({3, 30, 2, 2}).with(numbers)), "MalformedFile",
          "ends too early");
  refused(good.substr(0, good.size() - 20), "MalformedFile", "ends too early");
}

TEST_F(NiftiRefusal, PairWithoutItsOtherFile) {
  save(folder / "a.hdr", NiftiMaker().magic("ni").offset(0).header());
  expect_error(error_of_reading(folder / "a.hdr"), "MalformedFile", folder / "a.hdr", "a.img");
  save(folder / "b.img", "plain numbers, nothing else");
  expect_error(error_of_reading(folder / "b.img"), "Unsupported", folder / "b.img", "NIfTI");
  save(folder / "b.hdr", "ENVI\nsamples = 3");
  expect_error(error_of_reading(folder / "b.img"), "Unsupported", folder / "b.img", "NIfTI");
  save(folder / "a.img", std::string(23, '\0'));
  expect_error(error_of_reading(folder / "a.hdr"), "MalformedFile", folder / "a.img", "too short");
}

TEST_F(NiftiRefusal, PixelsOutsideTheFolder) {
  const Folder elsewhere;
  save(elsewhere / "secret", std::string(24, 'x'));
  save(folder / "a.hdr", NiftiMaker().magic("ni").offset(0).header());
  std::filesystem::create_symlink(elsewhere / "secret", folder / "a.img");
  expect_error(error_of_reading(folder / "a.hdr"), "Unsupported", folder / "a.hdr",
               "in the header's folder");
}

TEST_F(NiftiRefusal, WhatCannotBeWritten) {
  const auto error = [&](const Description& description) {
    return thrown_by([&] { Writer(folder / "a.nii", description); });
  };
  const Description plain{{3, 2, 2}, 1, PixelType::u8, {}, {}};
  Description description = plain;
  description.type = PixelType::f16;
  expect_error(error(description), "Unsupported", folder / "a.nii", "cannot hold f16");
  for (const double size : {1e-60, 1e60}) {
    description = plain;
    description.spacing.y = size;
    expect_error(error(description), "Unsupported", folder / "a.nii", "spacing 1e");
  }
  description = plain;
  description.placement = Placement{.origin = {0, 1e60, 0}};
  expect_error(error(description), "Unsupported", folder / "a.nii", "in the placement");
  description.placement = Placement{.origin = {0, nan, 0}};
  expect_error(error(description), "InvalidArgument", folder / "a.nii", "three ways through space");
  const Thrown slow = thrown_by([&] { Writer(folder / "a.nii", plain, {.film = {2, 1e60}}); });
  expect_error(slow, "Unsupported", folder / "a.nii", "spacing 1e+60 along NIfTI axis 4");
  EXPECT_EQ(folder.files(), 0u);
}

TEST(NiftiHeaderBytes, AnyFrontIsAHeaderOrRefused) {
  const std::string whole = NiftiMaker().header() + std::string(200, '\0');
  std::mt19937 random(5);
  int read = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string front = whole.substr(0, random() % 8 == 0 ? random() % whole.size() : whole.size());
    for (std::uint32_t i = random() % 4; i > 0 && !front.empty(); --i) {
      front[random() % front.size()] = static_cast<char>(random());
    }
    const Thrown thrown = thrown_by([&] {
      const NiftiHeader header = parse_nifti_header("a", std::as_bytes(std::span(front)));
      EXPECT_GE(header.vox_offset, 0);
      EXPECT_EQ(std::ranges::count_if(header.dim, [](std::int64_t n) { return n < 1; }), 0);
      ++read;
    });
    const bool expected =
        thrown.kind == "nothing" || thrown.kind == "MalformedFile" || thrown.kind == "Unsupported";
    EXPECT_TRUE(expected) << thrown.kind << thrown.text;
  }
  EXPECT_GT(read, 5000);
}

}  // namespace
}  // namespace meander::io
