// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <sys/stat.h>

#include <algorithm>
#include <fstream>

#include "backend/opencl/opencl_test.hpp"
#include "backend/opencl/program_cache.hpp"

namespace meander::opencl {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void overwrite(const fs::path& file, const std::string& content) {
  std::ofstream(file, std::ios::binary) << content;
}

TEST(ProgramCacheFile, ReturnsWhatWasStored) {
  const TemporaryFolder folder;
  const ProgramCache cache(folder.path / "deep" / "folder");
  const std::string binary("some\0bytes", 10);
  EXPECT_FALSE(cache.load("key"));
  cache.store("key", binary);
  EXPECT_EQ(cache.load("key"), binary);
  cache.store("key", "newer");
  EXPECT_EQ(cache.load("key"), "newer");
  EXPECT_FALSE(cache.load("other key"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path / "deep" / "folder"), {}), 1);
}

TEST(ProgramCacheFile, IsForItsOwnerOnly) {
  const TemporaryFolder folder;
  const ProgramCache cache(folder.path);
  cache.store("key", "binary");
  struct stat status = {};
  ASSERT_EQ(stat(cache.file_of("key").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0600u);
}

TEST(ProgramCacheFile, AnyDamageMakesItWorthless) {
  const TemporaryFolder folder;
  const ProgramCache cache(folder.path);
  cache.store("key", "the binary");
  const std::string good = content_of(cache.file_of("key"));
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string flipped = good;
    flipped[i] = static_cast<char>(flipped[i] ^ 4);
    overwrite(cache.file_of("key"), flipped);
    EXPECT_FALSE(cache.load("key")) << "byte " << i << " flipped";
    overwrite(cache.file_of("key"), good.substr(0, i));
    EXPECT_FALSE(cache.load("key")) << "cut after " << i << " bytes";
  }
  overwrite(cache.file_of("key"), good + "x");
  EXPECT_FALSE(cache.load("key")) << "with a tail";
  overwrite(cache.file_of("key"), good);
  EXPECT_EQ(cache.load("key"), "the binary");
}

TEST(ProgramCacheFile, OfAnotherKeyUnderThisNameIsNotTaken) {
  const TemporaryFolder folder;
  const ProgramCache cache(folder.path);
  cache.store("yek", "binary of another");
  fs::rename(cache.file_of("yek"), cache.file_of("key"));
  EXPECT_FALSE(cache.load("key"));
}

TEST(ProgramCacheFile, LiesWhereTheEnvironmentSays) {
  const Setting home("HOME", "/home/someone");
  const Setting general("XDG_CACHE_HOME", "");
  const Setting own("MEANDER_CACHE", "");
  EXPECT_EQ(program_cache_folder(), "/home/someone/.cache/meander/opencl");
  const Setting general_set("XDG_CACHE_HOME", "/var/caches");
  EXPECT_EQ(program_cache_folder(), "/var/caches/meander/opencl");
  const Setting own_set("MEANDER_CACHE", "/own");
  EXPECT_EQ(program_cache_folder(), "/own/opencl");
}

class CachedPrograms : public OpenClTest {
 protected:
  /// What a program that starts now would compute.
  void expect_a_fresh_device_to_work(const std::string& when) {
    const auto fresh = open(facts);
    const engine::View in = on_host(placed(PixelType::u8, {64, 3, 1}, 1, {}));
    const engine::View layout = placed(PixelType::u16, {64, 3, 1}, 1, {});
    const engine::View out = on_device(*fresh, layout);
    fresh->convert(uploaded(*fresh, in), out, {.scale = 3, .offset = 1});
    const std::vector<std::byte> found = bytes_on(*fresh, out);
    for (std::size_t i = 0; i < found.size(); i += 2) {
      std::uint16_t value = 0;
      std::memcpy(&value, &found[i], 2);
      ASSERT_EQ(value, untouched * 3 + 1) << when;
    }
  }
  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder.path / "opencl")) found.push_back(entry);
    return found;
  }
  fs::path only_file() const {
    EXPECT_EQ(files().size(), 1u);
    return files().at(0);
  }
};

TEST_F(CachedPrograms, AreReusedByTheNextProgram) {
  expect_a_fresh_device_to_work("without a cache");
  const fs::path file = only_file();
  const auto long_ago = fs::last_write_time(file) - std::chrono::hours(1000);
  fs::last_write_time(file, long_ago);
  expect_a_fresh_device_to_work("with a cache");
  EXPECT_EQ(only_file(), file);
  EXPECT_EQ(fs::last_write_time(file), long_ago) << "the kernel was compiled and stored again";
}

TEST_F(CachedPrograms, AreReplacedWhenDamaged) {
  expect_a_fresh_device_to_work("without a cache");
  const fs::path file = only_file();
  const std::string good = content_of(file);
  std::string flipped = good;
  flipped[good.size() / 2] = static_cast<char>(flipped[good.size() / 2] ^ 1);
  for (const std::string& bad : {good.substr(0, good.size() - 7), good.substr(0, 5), flipped,
                                 std::string(), std::string(100000, '\xff')}) {
    overwrite(file, bad);
    expect_a_fresh_device_to_work("with a damaged cache");
    EXPECT_NE(content_of(only_file()), bad) << "the damaged file is still there";
  }
}

TEST_F(CachedPrograms, AreReplacedWhenTheDriverRefusesThem) {
  expect_a_fresh_device_to_work("without a cache");
  const std::string good = content_of(only_file());
  std::uint64_t key_size = 0;
  std::memcpy(&key_size, &good[8], sizeof(key_size));
  const std::string key = good.substr(16, key_size);
  const ProgramCache stored(folder.path / "opencl");
  ASSERT_TRUE(stored.load(key));
  stored.store(key, "no program at all");
  expect_a_fresh_device_to_work("with a well-formed file of nonsense");
  ASSERT_TRUE(stored.load(key));
  EXPECT_NE(stored.load(key), "no program at all");
}

TEST_F(CachedPrograms, MayHaveNowhereToBe) {
  overwrite(folder.path / "file", "");
  const Setting nowhere("MEANDER_CACHE", (folder.path / "file" / "below").string());
  expect_a_fresh_device_to_work("with a cache folder that cannot be made");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path), {}), 1);
}

TEST_F(CachedPrograms, MayFindAFolderInTheirPlace) {
  expect_a_fresh_device_to_work("without a cache");
  const fs::path file = only_file();
  fs::remove(file);
  fs::create_directories(file / "in the way");
  expect_a_fresh_device_to_work("with a folder in place of the file");
  EXPECT_EQ(files().size(), 1u) << "a draft was left behind";
}

}  // namespace
}  // namespace meander::opencl
