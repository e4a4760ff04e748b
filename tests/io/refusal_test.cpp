// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// What every format answers alike: bad paths, unknown contents, memory budgets.
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "io_testing.hpp"

namespace meander::io {
namespace {

TEST(Reading, BadPathsAreFileSystemErrors) {
  const Folder folder;
  expect_error(error_of_reading(folder / "none.tif"), "FileSystemError", folder / "none.tif",
               "No such file or directory");
  expect_error(error_of_reading(folder.path()), "FileSystemError", folder.path(), "Is a directory");
}

TEST(Reading, WhatCannotBeReadFromAnyPlaceIsUnsupported) {
  const Folder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe.tif").c_str(), 0600), 0);
  expect_error(error_of_reading(folder / "pipe.tif"), "Unsupported", folder / "pipe.tif",
               "device or pipe");
  expect_error(error_of_reading("/dev/zero"), "Unsupported", "/dev/zero", "device or pipe");
}

TEST(Reading, TheSystemsNumberOfAnErrorIsKept) {
  const Folder folder;
  EXPECT_EQ(error_of_reading(folder / "none.tif").about.system_error, ENOENT);
  EXPECT_EQ(error_of_reading(folder.path()).about.system_error, EISDIR);
  save(folder / "a.tif", "");
  const Thrown malformed = error_of_reading(folder / "a.tif");
  EXPECT_EQ(malformed.kind, "MalformedFile");
  EXPECT_EQ(malformed.about.system_error, 0);
}

TEST(Reading, UnreadableFilesAreFileSystemErrors) {
  const Folder folder;
  as_ordinary_user(folder, [&] {
    save(folder / "a.tif", "II*");
    ::chmod((folder / "a.tif").c_str(), 0);
    expect_error(error_of_reading(folder / "a.tif"), "FileSystemError", folder / "a.tif",
                 "Permission denied");
  });
}

TEST(Reading, NamesOfManyLinesGiveOneLine) {
  const Thrown thrown = error_of_reading("/no/such\nfile.tif");
  EXPECT_EQ(thrown.kind, "FileSystemError");
  EXPECT_EQ(thrown.text.find('\n'), std::string::npos);
}

TEST(Reading, UnknownContentIsUnsupportedAndShown) {
  const Folder folder;
  save(folder / "a.tif", "RIFF\x01\x02\x03\x04 and so on");
  expect_error(error_of_reading(folder / "a.tif"), "Unsupported", folder / "a.tif",
               "begins with 'RIFF\\x01\\x02\\x03\\x04', expected TIFF, PNG");
  save(folder / "a.png", std::string("\x1e\x8b\0\n", 4));
  expect_error(error_of_reading(folder / "a.png"), "Unsupported", folder / "a.png",
               "'\\x1e\\x8b\\x00\\x0a'");
}

TEST(Reading, GifIsForOutputOnly) {
  const Folder folder;
  for (const std::string version : {"GIF87a", "GIF89a"}) {
    save(folder / "a.tif", version + " and so on");
    expect_error(error_of_reading(folder / "a.tif"), "Unsupported", folder / "a.tif",
                 "found GIF, which can only be written, expected TIFF, PNG");
  }
}

TEST(Reading, EmptyFilesAreMalformed) {
  const Folder folder;
  for (const std::string name : {"a.tif", "a.png", "a.npy"}) {
    save(folder / name, "");
    expect_error(error_of_reading(folder / name), "MalformedFile", folder / name, "empty file");
  }
}

TEST(Reading, ContentWinsOverSuffix) {
  const Folder folder;
  const Image image = random_image({.shape = {5, 4, 1}, .type = PixelType::u8});
  write(folder / "a.npy", image);
  std::filesystem::rename(folder / "a.npy", folder / "a.png");
  Reader reader(folder / "a.png");
  EXPECT_EQ(reader.format(), "NPY");
  EXPECT_TRUE(same_pixels(reader.read(), image));
}

TEST(Reading, SlabsOutsideTheImageAreRefused) {
  const Folder folder;
  write(folder / "a.npy", random_image({.shape = {5, 4, 1}, .type = PixelType::u8}));
  Reader reader(folder / "a.npy");
  for (const auto& [begin, end] : {std::pair{-1, 2}, {2, 2}, {3, 2}, {0, 5}}) {
    EXPECT_THROW(reader.slab(begin, end), InvalidArgument) << begin << " " << end;
  }
}

TEST(Reading, BudgetIsKeptSlabBySlab) {
  const Folder folder;
  for (const std::string name : {"a.npy", "a.tif", "a.png"}) {
    if (!can_hold(name, PixelType::u8)) continue;
    const Image image = random_image({.shape = {4096, 1024, 1}, .type = PixelType::u8});
    write(folder / name, image);
    const Budget budget(1 << 20);
    Reader reader(folder / name);
    expect_error(thrown_by([&] { reader.read(); }), "OutOfMemory", folder / name, "1048576 bytes");
    EXPECT_TRUE(same_pixels(reader.slab(500, 600), image.rows(500, 600)));
  }
}

TEST(Reading, MemoryThatOthersHoldCounts) {
  const Folder folder;
  write(folder / "a.npy", random_image({.shape = {4096, 160, 1}, .type = PixelType::u8}));
  const Budget budget(1 << 20);
  Reader reader(folder / "a.npy");
  const Image held = reader.read();
  expect_error(thrown_by([&] { reader.read(); }), "OutOfMemory", folder / "a.npy", "in use");
}

TEST(Writing, UnknownSuffixesAreNamed) {
  const Folder folder;
  const Image image = random_image({.shape = {5, 4, 1}, .type = PixelType::u8});
  for (const std::string name : {"a.bmp", "a", "a.tif.bak"}) {
    expect_error(thrown_by([&] { write(folder / name, image); }), "Unsupported", folder / name,
                 ".npy");
  }
  EXPECT_EQ(folder.files(), 0u);
}

TEST(Writing, SuffixesIgnoreCase) {
  const Folder folder;
  write(folder / "A.NPY", random_image({.shape = {5, 4, 1}, .type = PixelType::u8}));
  EXPECT_EQ(Reader(folder / "A.NPY").format(), "NPY");
}

TEST(Writing, TypesAndShapesAFormatCannotHold) {
  const Folder folder;
  const auto refuse = [&](const std::string& name, const Description& description,
                          const std::string& part) {
    if (!can_hold(name, PixelType::u8)) return;
    expect_error(thrown_by([&] { write(folder / name, random_image(description)); }), "Unsupported",
                 folder / name, part);
  };
  refuse("a.png", {.shape = {5, 4, 1}, .type = PixelType::f32}, "cannot hold f32");
  refuse("a.png", {.shape = {5, 4, 2}, .type = PixelType::u8}, "5x4x2");
  refuse("a.png", {.shape = {5, 4, 1}, .channels = 5, .type = PixelType::u8}, "5 channels");
  refuse("a.ome.tif", {.shape = {5, 4, 1}, .type = PixelType::f16}, "cannot hold f16");
  EXPECT_EQ(folder.files(), 0u);
}

TEST(Writing, BadSpacingIsTheCallersFault) {
  const Folder folder;
  const Image image = random_image({.shape = {5, 4, 1}, .type = PixelType::u8});
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()}) {
    const Image spaced = image.with_spacing({1, bad, 1, Unit::metre});
    EXPECT_THROW(write(folder / "a.npy", spaced), InvalidArgument) << bad;
  }
  EXPECT_EQ(folder.files(), 0u);
}

TEST(Writing, SlabsMustContinueTheImage) {
  const Folder folder;
  const Image image = random_image({.shape = {5, 4, 3}, .type = PixelType::u8});
  Writer writer(folder / "a.npy", image.description());
  EXPECT_THROW(writer.append(image.rows(0, 2)), InvalidArgument);
  EXPECT_THROW(writer.append(random_image({.shape = {6, 4, 1}, .type = PixelType::u8})),
               InvalidArgument);
  EXPECT_THROW(writer.append(random_image({.shape = {5, 4, 1}, .type = PixelType::u16})),
               InvalidArgument);
  EXPECT_THROW(writer.append(random_image({{5, 4, 1}, 2, PixelType::u8, {}})), InvalidArgument);
  EXPECT_THROW(writer.append(random_image({.shape = {5, 4, 4}, .type = PixelType::u8})),
               InvalidArgument);
  writer.append(image);
  writer.finish();
  EXPECT_TRUE(same_pixels(read(folder / "a.npy"), image));
}

TEST(Formats, AreListedAsBuilt) {
  EXPECT_TRUE(has_format("NPY"));
  EXPECT_TRUE(can_hold("dir.tif/a.npy", PixelType::f64));
  EXPECT_FALSE(can_hold("a.npz", PixelType::u8));
  EXPECT_EQ(can_hold("a.png", PixelType::u16), has_format("PNG"));
  EXPECT_FALSE(can_hold("a.png", PixelType::f32));
  EXPECT_EQ(can_hold("a.gif", PixelType::u8), has_format("GIF"));
  EXPECT_FALSE(can_hold("a.gif", PixelType::u16));
  for (const Format& format : formats()) EXPECT_EQ(format.readable, format.name != "GIF");
  EXPECT_EQ(can_hold("a.ome.TIF", PixelType::f32), has_format("TIFF"));
}

TEST(Formats, AbsentOnesSaySo) {
  const Folder folder;
  struct Known {
    std::string name, file, magic;
  };
  const Known known[] = {{"TIFF", "a.tif", std::string("II*\0\x08\0\0\0", 8)},
                         {"PNG", "a.png", "\x89PNG\r\n\x1a\n"},
                         {"JPEG", "a.jpg", "\xff\xd8\xff"},
                         {"GIF", "a.gif", ""}};
  int absent = 0;
  for (const Known& format : known) {
    const std::string &name = format.name, &file = format.file, &magic = format.magic;
    if (has_format(name)) continue;
    ++absent;
    const Image image = random_image({.shape = {5, 4, 1}, .type = PixelType::u8});
    // Nobody would gain by building JPEG in to write it: no build can.
    expect_error(thrown_by([&] { write(folder / file, image); }), "Unsupported", folder / file,
                 name == "JPEG" ? "a format that can only be read" : "this build has no " + name);
    if (magic.empty()) continue;  // is not read in any build
    save(folder / file, magic);
    expect_error(error_of_reading(folder / file), "Unsupported", folder / file,
                 "this build has no " + name);
  }
  if (absent == 0) GTEST_SKIP() << "this build has every format";
}

}  // namespace
}  // namespace meander::io
