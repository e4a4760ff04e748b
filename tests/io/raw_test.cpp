// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// What formats of a header and plain numbers share: byte order, kinds of numbers, scaling, steps,
// compression, the folder of detached pixels.
#include <zlib.h>

#include <cmath>
#include <limits>

#include "io/file/deflate.hpp"
#include "io/file/input_file.hpp"
#include "io/file/sibling_file.hpp"
#include "io/image/raw.hpp"
#include "io/image/stored_type.hpp"
#include "io_testing.hpp"

namespace meander::io {
namespace {

template <class T>
std::string as_text(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// `T` numbers through unpack, every one of `step`.
template <class Out, class T>
std::vector<Out> unpacked(const std::vector<T>& values, StoredType type, const Scaling& scaling,
                          std::int64_t step = 1, bool* exact = nullptr) {
  std::vector<Out> out((values.size() + static_cast<std::size_t>(step) - 1) /
                       static_cast<std::size_t>(step));
  const bool all_exact = unpack({.first = reinterpret_cast<const std::byte*>(values.data()),
                                 .step = step,
                                 .count = static_cast<std::int64_t>(out.size())},
                                type, scaling, reinterpret_cast<std::byte*>(out.data()));
  if (exact != nullptr) *exact = all_exact;
  return out;
}

TEST(StoredType, IntegersArriveExactlyInATypeThatHoldsThem) {
  EXPECT_EQ(arriving_type(StoredType::i8), PixelType::i16);
  EXPECT_EQ((unpacked<std::int16_t>(std::vector<std::int8_t>{-128, -1, 127}, StoredType::i8, {})),
            (std::vector<std::int16_t>{-128, -1, 127}));
  EXPECT_EQ(arriving_type(StoredType::u32), PixelType::f64);
  EXPECT_EQ((unpacked<double>(std::vector<std::uint32_t>{0, 4294967295u, 16777217u},
                              StoredType::u32, {})),
            (std::vector<double>{0, 4294967295.0, 16777217.0}));
  EXPECT_EQ((unpacked<double>(std::vector<std::int32_t>{-2147483647 - 1}, StoredType::i32, {})),
            std::vector<double>{-2147483648.0});
}

TEST(StoredType, IntegersThatNoDoubleHoldsAreReported) {
  const auto is_exact = []<class T>(T value, StoredType type) {
    bool exact = false;
    unpacked<double>(std::vector<T>{value}, type, {}, 1, &exact);
    return exact;
  };
  constexpr std::int64_t past = (std::int64_t{1} << 53) + 1;
  EXPECT_TRUE(is_exact(past - 1, StoredType::i64));
  EXPECT_FALSE(is_exact(past, StoredType::i64));
  EXPECT_FALSE(is_exact(-past, StoredType::i64));
  EXPECT_TRUE(is_exact(std::numeric_limits<std::int64_t>::min(), StoredType::i64));
  EXPECT_FALSE(is_exact(std::numeric_limits<std::int64_t>::max(), StoredType::i64));
  EXPECT_FALSE(is_exact(std::numeric_limits<std::uint64_t>::max(), StoredType::u64));
  EXPECT_TRUE(is_exact(std::uint64_t{1} << 63, StoredType::u64));
}

TEST(StoredType, ScalingIsDoneInDoubleAndRoundedOnce) {
  const Scaling scaling{.slope = 0.1f, .intercept = -3.7f};
  EXPECT_EQ(arriving_type(StoredType::u16, scaling), PixelType::f32);
  EXPECT_EQ(arriving_type(StoredType::i32, scaling), PixelType::f64);
  for (const std::uint16_t stored : std::initializer_list<std::uint16_t>{0, 1, 777, 65535}) {
    const double value = stored * static_cast<double>(0.1f) + static_cast<double>(-3.7f);
    EXPECT_EQ((unpacked<float>(std::vector{stored}, StoredType::u16, scaling))[0],
              static_cast<float>(value));
  }
}

TEST(StoredType, ScalingKeepsNaNAndTheSignOfZero) {
  const std::vector<float> stored = {std::numeric_limits<float>::quiet_NaN(), -0.0f,
                                     std::numeric_limits<float>::infinity()};
  const auto doubled = unpacked<float>(stored, StoredType::f32, {.slope = 2});
  EXPECT_TRUE(std::isnan(doubled[0]));
  EXPECT_TRUE(std::signbit(doubled[1]));
  EXPECT_TRUE(std::isinf(doubled[2]));
  const auto same = unpacked<float>(stored, StoredType::f32, {});
  EXPECT_EQ(as_text(same), as_text(stored));
}

TEST(StoredType, StepsPassOverNumbersBetween) {
  const std::vector<std::uint8_t> stored = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ((unpacked<std::uint8_t>(stored, StoredType::u8, {}, 3)),
            (std::vector<std::uint8_t>{1, 4}));
}

std::string compressed(const Folder& folder, const std::string& content, Compression kind) {
  AtomicFile file(folder / "compressed");
  DeflateStream stream(file, kind);
  stream.write(content);
  stream.finish();
  EXPECT_GT(stream.written(), 0);
  file.commit();
  const std::string bytes = load(folder / "compressed");
  EXPECT_EQ(static_cast<std::int64_t>(bytes.size()), stream.written());
  return bytes;
}

std::string dull_text(std::size_t size) {
  std::string text(size, ' ');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>(i * i / 251);
  return text;
}

std::string part_of(InflateStream& stream, std::int64_t offset, std::size_t size) {
  std::string part(size, '?');
  stream.read(offset, std::as_writable_bytes(std::span(part)));
  return part;
}

TEST(Inflate, ReadsForwardsBackwardsAndAcrossPieces) {
  const Folder folder;
  const std::string content = dull_text(300'000);
  for (const Compression kind : {Compression::gzip, Compression::zlib}) {
    save(folder / "file", "HEAD" + compressed(folder, content, kind));
    const InputFile file(folder / "file");
    InflateStream stream(file, 4);
    for (const std::int64_t offset : {0, 70'000, 70'010, 5, 299'990}) {
      EXPECT_EQ(part_of(stream, offset, 10), content.substr(static_cast<std::size_t>(offset), 10));
    }
    EXPECT_EQ(part_of(stream, 0, content.size()), content);
  }
}

TEST(Inflate, MembersOfGzipFollowEachOther) {
  const Folder folder;
  const std::string first = dull_text(1000), second = dull_text(70'000);
  save(folder / "file", compressed(folder, first, Compression::gzip) +
                            compressed(folder, second, Compression::gzip));
  const InputFile file(folder / "file");
  InflateStream stream(file, 0);
  EXPECT_EQ(part_of(stream, 0, 71'000), first + second);
  EXPECT_THROW(part_of(stream, 70'990, 20), MalformedFile);
}

TEST(Inflate, StreamsThatEndEarlyOrAreDamagedAreMalformed) {
  const Folder folder;
  const std::string whole = compressed(folder, dull_text(100'000), Compression::gzip);
  std::string damaged = whole;
  for (std::size_t i = 20; i < 60; ++i) damaged[i] = static_cast<char>(~damaged[i]);
  for (const std::string& bytes : {whole.substr(0, whole.size() / 2), damaged, std::string("x")}) {
    save(folder / "file", bytes);
    const InputFile file(folder / "file");
    InflateStream stream(file, 0);
    EXPECT_THROW(part_of(stream, 0, 100'000), MalformedFile);
  }
}

TEST(Inflate, WhatComesBeforeAFaultCanStillBeRead) {
  const Folder folder;
  const std::string content = dull_text(100'000);
  const std::string whole = compressed(folder, content, Compression::gzip);
  save(folder / "file", whole.substr(0, whole.size() / 2));
  const InputFile file(folder / "file");
  InflateStream stream(file, 0);
  EXPECT_THROW(part_of(stream, 0, content.size()), MalformedFile);
  EXPECT_EQ(part_of(stream, 0, 1000), content.substr(0, 1000));
}

TEST(Beside, OnlyFilesInTheHeadersFolderAreOpened) {
  const Folder folder;
  const auto inside = folder / "in";
  std::filesystem::create_directories(inside / "deeper");
  save(folder / "secret", "s");
  save(inside / "head", "h");
  save(inside / "pixels", "p");
  save(inside / "deeper" / "pixels", "pp");
  std::filesystem::create_symlink("../secret", inside / "link");
  std::filesystem::create_symlink("pixels", inside / "good_link");
  const InputFile header(inside / "head");
  EXPECT_EQ(open_sibling(header, "pixels").size(), 1);
  EXPECT_EQ(open_sibling(header, "good_link").size(), 1);
  EXPECT_EQ(open_sibling(header, "deeper/pixels").size(), 2);
  for (const char* name : {"../secret", "link", "/etc/hostname", "", "deeper/../../secret"}) {
    EXPECT_THROW(open_sibling(header, name), Unsupported) << name;
  }
  EXPECT_THROW(open_sibling(header, (inside / "pixels").string()), Unsupported);
  EXPECT_THROW(open_sibling(header, "absent"), MalformedFile);
}

TEST(Beside, AHeaderIsNotTheFileOfItsOwnPixels) {
  const Folder folder;
  save(folder / "head", "h");
  std::filesystem::create_symlink("head", folder / "link");
  const InputFile header(folder / "head");
  EXPECT_THROW(open_sibling(header, "head"), MalformedFile);
  EXPECT_THROW(open_sibling(header, "./head"), MalformedFile);
  EXPECT_THROW(open_sibling(header, "link"), MalformedFile);
}

TEST(Beside, OnlyPixelsOfTheOldHeaderAreReplaced) {
  const Folder folder;
  EXPECT_EQ(sibling_name(folder / "a.mhd", ".raw"), folder / "a.raw");
  save(folder / "a.raw", "somebody's");
  EXPECT_THROW(sibling_name(folder / "a.mhd", ".raw"), FileSystemError);
  save(folder / "a.mhd", "ElementDataFile = b.raw");
  EXPECT_THROW(sibling_name(folder / "a.mhd", ".raw"), FileSystemError);
  save(folder / "a.mhd", "ElementDataFile = a.zraw");
  EXPECT_EQ(sibling_name(folder / "a.mhd", ".raw"), folder / "a.raw");
}

TEST(Beside, WorksForAHeaderInTheCurrentFolder) {
  const Folder folder;
  save(folder / "head", "h");
  save(folder / "pixels", "p");
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  const std::int64_t size = open_sibling(InputFile("head"), "pixels").size();
  std::filesystem::current_path(before);
  EXPECT_EQ(size, 1);
}

TEST(Shown, BytesOfAFileAreOneShortLine) {
  EXPECT_EQ(printable("a\nb\x1f"), "a\\x0ab\\x1f");
  EXPECT_EQ(printable(std::string(500, 'x')), std::string(60, 'x') + "...");
}

/// Pixel (x, y, z) of channel c in frame t, in a way that no two share below 3000.
float value_at(std::int64_t x, std::int64_t y, std::int64_t z, int c, std::int64_t t) {
  return static_cast<float>(x + 5 * (y + 3 * (z + 4 * (c + 2 * t))));
}

constexpr Shape small{5, 3, 4};

RawImage small_film() {
  RawImage image;
  image.description = {.shape = small, .channels = 2};
  image.film.frames = 3;
  image.layout.type = StoredType::f32;
  return image;
}

/// The numbers of small_film, in either order.
std::vector<float> numbers_of_film(bool planar) {
  std::vector<float> numbers;
  const auto frame = [&](std::int64_t t, int first, int end) {
    for (std::int64_t i = 0; i < small.x * small.y * small.z; ++i) {
      for (int c = first; c < end; ++c) {
        numbers.push_back(value_at(i % 5, i / 5 % 3, i / 15, c, t));
      }
    }
  };
  for (int c = 0; c < 2 && planar; ++c) {
    for (std::int64_t t = 0; t < 3; ++t) frame(t, c, c + 1);
  }
  for (std::int64_t t = 0; t < 3 && !planar; ++t) frame(t, 0, 2);
  return numbers;
}

void expect_part(Reader::Source& source, const Corner& from, const Shape& shape, int channels) {
  Image out = Image::allocate({.shape = shape, .channels = channels});
  const Control control;
  Progress progress(control, out.description().bytes());
  source.read(from, out, progress);
  for (int c = 0; c < channels; ++c) {
    for (std::int64_t z = 0; z < shape.z; ++z) {
      for (std::int64_t y = 0; y < shape.y; ++y) {
        for (std::int64_t x = 0; x < shape.x; ++x) {
          ASSERT_EQ(out.row<float>(y, z, c)[x],
                    value_at(from.x + x, from.y + y, from.z + z, from.channel + c, from.frame));
        }
      }
    }
  }
}

TEST(RawSource, AnyPartOfAnyOrderIsFound) {
  const Folder folder;
  for (const bool planar : {false, true}) {
    for (const bool swapped : {false, true}) {
      for (const Compression kind : {Compression::none, Compression::gzip}) {
        std::string text = as_text(numbers_of_film(planar));
        for (std::size_t i = 0; i < text.size() && swapped; i += 4) {
          std::reverse(text.begin() + static_cast<std::ptrdiff_t>(i),
                       text.begin() + static_cast<std::ptrdiff_t>(i + 4));
        }
        text = "SKIPPED" + text;
        if (kind != Compression::none) text = compressed(folder, text, kind);
        save(folder / "file", "HEADER" + text);
        RawImage image = small_film();
        planar ? set_planar(image.layout, image.description, image.film)
               : set_interleaved(image.layout, image.description);
        image.layout.swapped = swapped;
        image.layout.compression = kind;
        image.layout.data_begin = 6;
        image.layout.skipped = 7;
        const auto source = open_raw(InputFile(folder / "file"), std::nullopt, image);
        expect_part(*source, {}, small, 2);
        expect_part(*source, {.frame = 2}, small, 2);
        expect_part(*source, {.z = 1, .frame = 1}, {5, 3, 2}, 2);
        expect_part(*source, {.x = 1, .y = 1, .z = 3, .channel = 1, .frame = 1}, {3, 2, 1}, 1);
      }
    }
  }
}

TEST(RawSource, ClaimsAreHeldAgainstTheFileFirst) {
  const Folder folder;
  const std::string text = as_text(numbers_of_film(false));
  RawImage image = small_film();
  set_interleaved(image.layout, image.description);
  save(folder / "file", text);
  EXPECT_NO_THROW(open_raw(InputFile(folder / "file"), std::nullopt, image));
  save(folder / "file", text.substr(1));
  EXPECT_THROW(open_raw(InputFile(folder / "file"), std::nullopt, image), MalformedFile);
  image.layout.data_begin = 10'000;
  EXPECT_THROW(open_raw(InputFile(folder / "file"), std::nullopt, image), MalformedFile);
  image.layout.data_begin = 0;
  image.description.shape = {100'000, 100'000, 100'000};
  EXPECT_THROW(open_raw(InputFile(folder / "file"), std::nullopt, image), OutOfMemory);
  image.description.shape = {1, 1, 1};
  image.film.frames = std::numeric_limits<std::int64_t>::max();
  EXPECT_THROW(open_raw(InputFile(folder / "file"), std::nullopt, image), OutOfMemory);
  image.film.frames = 1000;
  EXPECT_THROW(open_raw(InputFile(folder / "file"), std::nullopt, image), MalformedFile);
}

TEST(RawSource, ChecksumsAreComparedAfterTheLastNumber) {
  const Folder folder;
  const std::string whole = compressed(folder, as_text(numbers_of_film(true)), Compression::gzip);
  RawImage image = small_film();
  set_planar(image.layout, image.description, image.film);
  image.layout.compression = Compression::gzip;
  std::string damaged = whole;
  damaged[damaged.size() - 8] = static_cast<char>(damaged[damaged.size() - 8] ^ 1);
  for (const std::string& bytes : {damaged, whole.substr(0, whole.size() - 1)}) {
    save(folder / "file", bytes);
    const auto source = open_raw(InputFile(folder / "file"), std::nullopt, image);
    EXPECT_NO_THROW(expect_part(*source, {}, {5, 3, 3}, 1));
    EXPECT_THROW(expect_part(*source, {.channel = 1, .frame = 2}, small, 1), MalformedFile);
  }
  save(folder / "file", whole + "what follows is not ours");
  const auto source = open_raw(InputFile(folder / "file"), std::nullopt, image);
  expect_part(*source, {.channel = 1, .frame = 2}, small, 1);
}

TEST(RawSource, PlacementsWithoutThreeWaysThroughSpaceAreMalformed) {
  const Folder folder;
  save(folder / "file", as_text(numbers_of_film(false)));
  RawImage image = small_film();
  set_interleaved(image.layout, image.description);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const Placement::Vector& step : {Placement::Vector{0, 0, 0}, Placement::Vector{2, 3, 0},
                                        Placement::Vector{0, 0, infinity}}) {
    image.description.placement = Placement{};
    image.description.placement->step[2] = {0.1, 0, 5};
    EXPECT_NO_THROW(open_raw(InputFile(folder / "file"), std::nullopt, image));
    image.description.placement->step[2] = step;
    EXPECT_THROW(open_raw(InputFile(folder / "file"), std::nullopt, image), MalformedFile);
  }
}

TEST(RawSource, IntegersBeyondExactDoublesAreUnsupported) {
  const Folder folder;
  save(folder / "file", as_text(std::vector<std::int64_t>{1, (std::int64_t{1} << 60) + 1}));
  RawImage image;
  image.description.shape = {2, 1, 1};
  image.layout.type = StoredType::i64;
  set_interleaved(image.layout, image.description);
  const auto source = open_raw(InputFile(folder / "file"), std::nullopt, image);
  Image out = Image::allocate(source->description);
  const Control control;
  Progress progress(control, 16);
  EXPECT_THROW(source->read({}, out, progress), Unsupported);
}

/// Writes small_film slab by slab.
void write_film(const std::filesystem::path& path, const RawRecipe& recipe) {
  const RawImage film = small_film();
  const auto sink = create_raw(AtomicFile(path), film.description, {.film = film.film}, recipe);
  const Control control;
  for (std::int64_t t = 0; t < 3; ++t) {
    Image frame = Image::allocate(film.description);
    for (std::int64_t i = 0; i < 2 * small.z * small.y * small.x; ++i) {
      const std::int64_t x = i % 5, y = i / 5 % 3, z = i / 15 % 4;
      const auto c = static_cast<int>(i / 60);
      frame.mutable_row<float>(y, z, c)[x] = value_at(x, y, z, c, t);
    }
    for (const auto& [begin, end] : {std::pair{0, 1}, std::pair{1, 4}}) {
      const Image slab = frame.slices(begin, end);
      Progress progress(control, slab.description().bytes());
      sink->append(slab, progress);
    }
  }
  sink->complete();
  sink->file.commit();
}

TEST(RawSink, WritesChannelsAsNeighboursOrOneAfterTheOther) {
  const Folder folder;
  for (const bool planar : {false, true}) {
    write_film(folder / "film", {.header = "HEADER", .planar = planar});
    EXPECT_EQ(load(folder / "film"), "HEADER" + as_text(numbers_of_film(planar)));
    EXPECT_EQ(folder.files(), 1u);
  }
}

TEST(RawSink, CompressesTheNumbersOrAllAndTellsTheirSize) {
  const Folder folder;
  const std::string numbers = as_text(numbers_of_film(true));
  write_film(folder / "film", {.header = "SIZE=____________________;",
                               .data = folder / "numbers",
                               .compression = Compression::zlib,
                               .planar = true,
                               .size_at = 5});
  const std::string packed = load(folder / "numbers");
  const std::string digits = std::to_string(packed.size());
  EXPECT_EQ(load(folder / "film"), "SIZE=" + std::string(20 - digits.size(), '0') + digits + ";");
  std::string back(numbers.size(), ' ');
  uLongf size = back.size();
  ASSERT_EQ(uncompress(reinterpret_cast<Bytef*>(back.data()), &size,
                       reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
            Z_OK);
  EXPECT_EQ(back, numbers);

  write_film(
      folder / "film",
      {.header = "HEADER", .compression = Compression::gzip, .header_too = true, .planar = true});
  const InputFile file(folder / "film");
  InflateStream stream(file, 0);
  EXPECT_EQ(part_of(stream, 0, numbers.size() + 6), "HEADER" + numbers);
}

/// What precedes the damage can still be read after a slab that ran into it.
TEST(RawSource, GoesBackBeforeDamage) {
  const Folder folder;
  const Image image = random_image({.shape = {64, 64, 8}, .type = PixelType::u16});
  write(folder / "cut.nrrd", image, {.compress = true});
  std::filesystem::resize_file(folder / "cut.nrrd", 40000);
  Reader reader(folder / "cut.nrrd");
  expect_error(thrown_by([&] { reader.slab(7, 8); }), "MalformedFile", folder / "cut.nrrd",
               "the compressed data ends too early");
  EXPECT_TRUE(same_pixels(reader.slab(0, 1), image.slices(0, 1)));
}

}  // namespace
}  // namespace meander::io
