// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io_testing.hpp"

namespace meander::io {
namespace {

TEST(Text, ComesBackByteForByte) {
  const Folder folder;
  const std::string text("one\r\ntwo\0three\n", 15);
  write_text(folder / "a.txt", text);
  EXPECT_EQ(read_text(folder / "a.txt", 15), text);
  write_text(folder / "a.txt", "");
  EXPECT_EQ(read_text(folder / "a.txt", 0), "");
}

TEST(Text, LongerThanTheLimitIsUnsupported) {
  const Folder folder;
  write_text(folder / "a.txt", "sixteen letters.");
  expect_error(thrown_by([&] { read_text(folder / "a.txt", 15); }), "Unsupported", folder / "a.txt",
               "found 16 bytes of text, expected at most 15");
  expect_error(thrown_by([&] { read_text(folder / "none.txt", 15); }), "FileSystemError",
               folder / "none.txt", "No such file");
}

TEST(Text, ATargetIsTriedWithoutATrace) {
  const Folder folder;
  check_text_target(folder / "a.txt");
  EXPECT_EQ(folder.files(), 0u);
  write_text(folder / "a.txt", "old");
  check_text_target(folder / "a.txt");
  EXPECT_EQ(load(folder / "a.txt"), "old");
  expect_error(thrown_by([&] { check_text_target(folder / "none" / "a.txt"); }), "FileSystemError",
               folder / "none" / "a.txt", "No such file");
  EXPECT_EQ(folder.files(), 1u);
}

}  // namespace
}  // namespace meander::io
