// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/file/spill_file.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "io/io_testing.hpp"
#include "meander/error.hpp"

namespace meander::io {
namespace {

TEST(SpillFile, GivesBackWhatWasWrittenAnywhere) {
  const Folder folder;
  const SpillFile file(folder.path(), 1 << 20);
  const std::vector<std::byte> high(1000, std::byte{7}), low(10, std::byte{3});
  file.write(5'000'000, high);
  file.write(100, low);
  std::vector<std::byte> found(1000);
  file.read(5'000'000, found);
  EXPECT_EQ(found, high);
  found.resize(12);
  file.read(99, found);
  EXPECT_EQ(found[0], std::byte{0});
  EXPECT_EQ(found[1], std::byte{3});
  EXPECT_EQ(found[11], std::byte{0});
}

TEST(SpillFile, HasNoName) {
  const Folder folder;
  const SpillFile file(folder.path(), 1);
  file.write(0, std::vector<std::byte>(100));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

template <class Work>
std::string complaint(Work work) {
  try {
    work();
  } catch (const FileSystemError& error) {
    return error.what();
  }
  return "no error";
}

TEST(SpillFile, ErrorsNameTheFolder) {
  const Folder folder;
  EXPECT_EQ(complaint([&] { SpillFile(folder / "none", 1); }),
            (folder / "none").string() +
                ": a temporary file in this folder cannot be used: No such file or directory");
  const std::string full =
      complaint([&] { SpillFile(folder.path(), std::numeric_limits<std::int64_t>::max()); });
  EXPECT_NE(full.find(folder.path().string() + ": needs 9223372036854775807 bytes"),
            std::string::npos)
      << full;
  const SpillFile file(folder.path(), 1);
  std::vector<std::byte> bytes(10);
  EXPECT_NE(complaint([&] { file.read(0, bytes); }).find("ended at byte 0"), std::string::npos);
}

}  // namespace
}  // namespace meander::io
