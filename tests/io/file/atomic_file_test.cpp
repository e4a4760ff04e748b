// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/file/atomic_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "io/io_testing.hpp"

namespace meander::io {
namespace {

namespace fs = std::filesystem;

mode_t mode_of(const fs::path& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 0777;
}

class AtomicFileTest : public testing::TestWithParam<Staging> {
 protected:
  void replace(const fs::path& path, std::string_view text) {
    AtomicFile file(path, GetParam());
    file.write(text);
    file.commit();
  }
  Thrown error_of_opening(const fs::path& path) {
    return thrown_by([&] { AtomicFile file(path, GetParam()); });
  }
  Folder folder;
};

TEST_P(AtomicFileTest, AppearsOnlyWhenCommitted) {
  AtomicFile file(folder / "a", GetParam());
  file.write("new");
  EXPECT_FALSE(fs::exists(folder / "a"));
  file.commit();
  EXPECT_EQ(load(folder / "a"), "new");
  EXPECT_EQ(folder.files(), 1u);
}

TEST_P(AtomicFileTest, AbandonedLeavesTheOldFileAndNothingElse) {
  save(folder / "a", "old");
  {
    AtomicFile file(folder / "a", GetParam());
    file.write("new");
    EXPECT_EQ(load(folder / "a"), "old");
  }
  EXPECT_EQ(load(folder / "a"), "old");
  EXPECT_EQ(folder.files(), 1u);
}

TEST_P(AtomicFileTest, ReplacesAndKeepsPermissions) {
  save(folder / "a", "old");
  ::chmod((folder / "a").c_str(), 0640);
  replace(folder / "a", "new");
  EXPECT_EQ(load(folder / "a"), "new");
  EXPECT_EQ(mode_of(folder / "a"), 0640u);
  EXPECT_EQ(folder.files(), 1u);
}

TEST_P(AtomicFileTest, NewFilesHonourTheUmask) {
  const mode_t old = ::umask(027);
  replace(folder / "a", "new");
  ::umask(old);
  EXPECT_EQ(mode_of(folder / "a"), 0640u);
}

TEST_P(AtomicFileTest, WritesThroughLinks) {
  fs::create_directory(folder / "sub");
  save(folder / "sub/real", "old");
  fs::create_symlink("sub/real", folder / "link");
  fs::create_symlink("link", folder / "link2");
  replace(folder / "link2", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link2"));
  EXPECT_EQ(load(folder / "sub/real"), "new");
  fs::create_symlink("sub/fresh", folder / "dangling");
  replace(folder / "dangling", "made");
  EXPECT_EQ(load(folder / "sub/fresh"), "made");
}

TEST_P(AtomicFileTest, RefusesWhatIsNoFile) {
  expect_error(error_of_opening(folder.path()), "FileSystemError", folder.path(), "directory");
  expect_error(error_of_opening("/dev/full"), "FileSystemError", "/dev/full", "expected a file");
  const auto missing = folder / "none/a";
  expect_error(error_of_opening(missing), "FileSystemError", missing, "No such file or directory");
  fs::create_symlink("loop", folder / "loop");
  expect_error(error_of_opening(folder / "loop"), "FileSystemError", folder / "loop", "symbolic");
  save(folder / "file", "");
  expect_error(error_of_opening(folder / "file/a"), "FileSystemError", folder / "file/a",
               "Not a directory");
  const auto longest = folder / std::string(255, 'n');
  replace(longest, "fits");
  EXPECT_EQ(load(longest), "fits");
}

TEST_P(AtomicFileTest, RefusesAReadOnlyFileAndFolder) {
  as_ordinary_user(folder, [&] {
    save(folder / "a", "old");
    ::chmod((folder / "a").c_str(), 0440);
    expect_error(error_of_opening(folder / "a"), "FileSystemError", folder / "a",
                 "Permission denied");
    ::chmod(folder.path().c_str(), 0550);
    expect_error(error_of_opening(folder / "b"), "FileSystemError", folder / "b",
                 "Permission denied");
    ::chmod(folder.path().c_str(), 0750);
    EXPECT_EQ(load(folder / "a"), "old");
  });
}

TEST_P(AtomicFileTest, RefusesAFolderOfAReadOnlyFileSystem) {
  expect_error(error_of_opening("/proc/a"), "FileSystemError", "/proc/a", "cannot be written");
}

TEST_P(AtomicFileTest, ShortWritesAreErrors) {
  save(folder / "a", "old");
  Thrown thrown;
  {
    const SizeLimit limit(10000);
    thrown = thrown_by([&] { replace(folder / "a", std::string(10001, 'x')); });
  }
  expect_error(thrown, "FileSystemError", folder / "a", "File too large");
  EXPECT_EQ(load(folder / "a"), "old");
  EXPECT_EQ(folder.files(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Staging, AtomicFileTest, testing::Values(Staging::unnamed, Staging::named),
                         [](const auto& tested) {
                           return tested.param == Staging::named ? "named" : "unnamed";
                         });

class FailingWriter : public testing::TestWithParam<std::string> {
 protected:
  Folder folder;
};

TEST_P(FailingWriter, LeavesTheOldFile) {
  const auto path = folder / ("a" + GetParam());
  if (!can_hold(path, PixelType::u8)) GTEST_SKIP() << "not built: " << GetParam();
  save(path, "old");
  const Image image = random_image({.shape = {500, 400, 1}, .type = PixelType::u8});
  Thrown thrown;
  {
    const SizeLimit limit(50000);
    thrown = thrown_by([&] { write(path, image); });
  }
  expect_error(thrown, "FileSystemError", path, "File too large");
  {
    Writer writer(path, image.description());
    writer.append(image.rows(0, 100));
    EXPECT_EQ(thrown_by([&] { writer.finish(); }).kind, "LogicError");
    EXPECT_EQ(thrown_by([&] { writer.append(image); }).kind, "InvalidArgument");
  }
  std::stop_source source;
  source.request_stop();
  const auto cancelled = thrown_by([&] { write(path, image, {}, {.stop = source.get_token()}); });
  EXPECT_EQ(cancelled.kind, "Cancelled");
  EXPECT_EQ(load(path), "old");
  EXPECT_EQ(folder.files(), 1u);
}

TEST_P(FailingWriter, CannotBeFinishedAfterAFailure) {
  const auto path = folder / ("a" + GetParam());
  if (!can_hold(path, PixelType::u8)) GTEST_SKIP() << "not built: " << GetParam();
  const Image image = random_image({.shape = {500, 400, 1}, .type = PixelType::u8});
  Writer writer(path, image.description());
  std::stop_source source;
  source.request_stop();
  EXPECT_THROW(writer.append(image, {.stop = source.get_token()}), Cancelled);
  EXPECT_THROW(writer.append(image), LogicError);
  EXPECT_THROW(writer.finish(), LogicError);
  EXPECT_EQ(folder.files(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Formats, FailingWriter,
                         testing::Values(".npy", ".png", ".gif", ".tif", ".ome.tif"),
                         [](const auto& tested) {
                           return tested.param == ".ome.tif" ? "ome" : tested.param.substr(1);
                         });

TEST(Writer, ReplacesItsOwnInput) {
  const Folder folder;
  const Image first = random_image({.shape = {50, 40, 1}, .type = PixelType::u8}, 1);
  const Image second = random_image({.shape = {50, 40, 1}, .type = PixelType::u8}, 2);
  write(folder / "a.npy", first);
  Reader reader(folder / "a.npy");
  write(folder / "a.npy", second);
  EXPECT_TRUE(same_pixels(reader.read(), first));
  EXPECT_TRUE(same_pixels(read(folder / "a.npy"), second));
}

}  // namespace
}  // namespace meander::io
