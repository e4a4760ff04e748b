// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <cstdio>

#include "io_testing.hpp"

namespace meander::io {
namespace {

using Names = std::vector<std::string>;

void touch(const Folder& folder, const Names& names) {
  for (const std::string& name : names) save(folder / name, "");
}

Names names_found(const std::filesystem::path& pattern) {
  Names names;
  for (const auto& file : sequence_files(pattern)) {
    EXPECT_EQ(file.parent_path(), pattern.parent_path());
    names.push_back(file.filename().string());
  }
  return names;
}

TEST(Sequence, IsToldByTheFileNameAlone) {
  for (const std::string yes : {"f%d.png", "%d", "%01d", "f%09d.tif", "a%%b%d.png", "%d%%",
                                "dir/f%d", "50%/f%d.png", "%d/f%04d.png", "%s/f%d.png"}) {
    EXPECT_TRUE(is_sequence(yes)) << yes;
  }
  for (const std::string no :
       {"f.png",    "",    "f%%d.png", "f%s.png", "f%4d.png",  "f%00d.png", "f%010d.png",
        "f%0d.png", "f%",  "f%0",      "f%04",    "f%i.png",   "f%d%d.png", "f%d_%03d.png",
        "%d/f.png", "%d/", "f%d%.png", "f%D.png", "f%-4d.png", "50%.png",   "f%0xd"}) {
    EXPECT_FALSE(is_sequence(no)) << no;
  }
}

TEST(Sequence, FilesComeInTheOrderOfTheirNumbers) {
  const Folder folder;
  touch(folder, {"f10.png", "f9.png", "f100.png", "f0.png", "f2.png", "f1.png"});
  EXPECT_EQ(names_found(folder / "f%d.png"),
            (Names{"f0.png", "f1.png", "f2.png", "f9.png", "f10.png", "f100.png"}));
}

TEST(Sequence, PaddedNumbersGrowBeyondTheirWidth) {
  const Folder folder;
  touch(folder, {"f1000.png", "f0999.png", "f998.png", "f007.png", "f12.png", "f01000.png"});
  EXPECT_EQ(names_found(folder / "f%03d.png"), (Names{"f007.png", "f998.png", "f1000.png"}));
  EXPECT_EQ(names_found(folder / "f%04d.png"), (Names{"f0999.png", "f1000.png"}));
  EXPECT_EQ(names_found(folder / "f%d.png"), (Names{"f12.png", "f998.png", "f1000.png"}));
  EXPECT_EQ(names_found(folder / "f%01d.png"), names_found(folder / "f%d.png"));
}

TEST(Sequence, NamesThatAlmostMatchAreNotTaken) {
  const Folder folder;
  touch(folder, {"f5.png", "f.png", "f5.pn", "f5.png~", "xf5.png", "F6.png", "f+7.png", "f-8.png",
                 "f 9.png", "f1e1.png", "f0x1.png", "f1.5.png", "f01.png", "f00.png", "f1_.png",
                 "f99999999999999999999.png", "f-0.png"});
  std::filesystem::create_directory(folder / "f4.png");
  EXPECT_EQ(names_found(folder / "f%d.png"), Names{"f5.png"});
}

TEST(Sequence, PartsOfTheNameMayNotOverlap) {
  const Folder folder;
  touch(folder, {"11", "1", "121"});
  EXPECT_EQ(names_found(folder / "1%d1"), Names{"121"});
}

TEST(Sequence, TheLargestNumberCounts) {
  const Folder folder;
  touch(folder, {"9223372036854775807", "9223372036854775808"});
  EXPECT_EQ(names_found(folder / "%d"), Names{"9223372036854775807"});
}

TEST(Sequence, PercentSignsOfFoldersAndNamesAreLiteral) {
  const Folder folder;
  std::filesystem::create_directory(folder / "50%d %s%%");
  touch(folder, {"50%d %s%%/f3%.png", "50%d %s%%/f20%.png", "50%d %s%%/f4%%.png"});
  EXPECT_EQ(names_found(folder / "50%d %s%%/f%d%%.png"), (Names{"f3%.png", "f20%.png"}));
  EXPECT_EQ(sequence_file("50%d %s%%/%%%d%%.png", 7), "50%d %s%%/%7%.png");
}

TEST(Sequence, WithoutAFolderItIsTheCurrentOne) {
  const Folder folder;
  touch(folder, {"f2.png", "f1.png"});
  const auto old = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  const auto files = sequence_files("f%d.png");
  std::filesystem::current_path(old);
  EXPECT_EQ(files, (std::vector<std::filesystem::path>{"f1.png", "f2.png"}));
}

TEST(Sequence, NamesAreThoseOfPrintf) {
  for (const int number : {0, 1, 9, 10, 999, 1000, 99999, 2147483647}) {
    char plain[32], padded[32], wide[32];
    std::snprintf(plain, sizeof plain, "f%d.png", number);
    std::snprintf(padded, sizeof padded, "a%%b%03d%%", number);
    std::snprintf(wide, sizeof wide, "%09d", number);
    EXPECT_EQ(sequence_file("f%d.png", number), plain);
    EXPECT_EQ(sequence_file("a%%b%03d%%", number), padded);
    EXPECT_EQ(sequence_file("dir/%09d", number), std::string("dir/") + wide);
  }
}

TEST(Sequence, WhatSequenceFileNamesIsFound) {
  const Folder folder;
  for (const std::string pattern : {"f%d", "g%03d.tif", "%%%06d%%"}) {
    Names written;
    for (const std::int64_t number : {0, 7, 10, 12345678}) {
      written.push_back(sequence_file(pattern, number).string());
    }
    touch(folder, written);
    EXPECT_EQ(names_found(folder / pattern), written);
  }
}

TEST(Sequence, OtherPatternsAreTheCallersFault) {
  const auto refuse = [](const std::string& pattern, const std::string& part) {
    expect_error(thrown_by([&] { sequence_files(pattern); }), "InvalidArgument", pattern, part);
    expect_error(thrown_by([&] { sequence_file(pattern, 1); }), "InvalidArgument", pattern, part);
  };
  refuse("f.png", "found 0 places for a number, expected one number, as %d or %0Nd");
  refuse("%d/f%%.png", "found 0 places for a number");
  refuse("f%d_%d.png", "found 2 places for a number");
  refuse("f%s.png", "found another use of %");
  refuse("f%5d.png", "found another use of %");
  refuse("f%d%", "found another use of %");
  expect_error(thrown_by([&] { sequence_file("f%d.png", -1); }), "InvalidArgument", "f%d.png",
               "found number -1, expected 0 or more");
}

TEST(Sequence, NoFilesAreAFileSystemError) {
  const Folder folder;
  touch(folder, {"f01.png"});
  expect_error(thrown_by([&] { sequence_files(folder / "f%d.png"); }), "FileSystemError",
               folder / "f%d.png", "found no file of such a name");
  expect_error(thrown_by([&] { sequence_files(folder / "none/f%d.png"); }), "FileSystemError",
               folder / "none/f%d.png", "No such file or directory");
}

}  // namespace
}  // namespace meander::io
