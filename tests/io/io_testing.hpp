// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "meander/device.hpp"
#include "meander/io.hpp"

namespace meander::io {

/// A folder of its own for each test, gone afterwards.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "meander-io-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

inline void save(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

inline std::string load(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Every bit pattern may occur, NaN among them: only the bytes are compared. Rows are longer than
/// the image is wide, and what lies between them differs from zero.
inline Image random_image(const Description& description, unsigned seed = 1) {
  const auto size = static_cast<std::int64_t>(size_of(description.type));
  Pitch pitch = packed_pitch(description);
  pitch.row += 3 * size;
  pitch.slice = (description.shape.y + 1) * pitch.row;
  pitch.channel = (description.shape.z + 1) * pitch.slice;
  auto bytes = std::make_shared<std::vector<std::uint64_t>>(
      static_cast<std::size_t>(pitch.channel * description.channels / 8 + 1));
  std::mt19937_64 random(seed);
  for (std::uint64_t& word : *bytes) word = random();
  return Image::wrap(bytes->data(), description, pitch, bytes);
}

/// The pixels in a plain order, whatever the pitch.
inline std::string bytes_of(const Image& image) {
  std::string all;
  const auto row = static_cast<std::size_t>(image.shape().x) * size_of(image.type());
  for (int c = 0; c < image.channels(); ++c) {
    for (std::int64_t z = 0; z < image.shape().z; ++z) {
      for (std::int64_t y = 0; y < image.shape().y; ++y) {
        all.append(reinterpret_cast<const char*>(image.row_bytes(y, z, c)), row);
      }
    }
  }
  return all;
}

/// Bit for bit; says where the first difference is rather than show the pixels.
inline ::testing::AssertionResult same_pixels(const Image& found, const Image& expected) {
  const std::string a = bytes_of(found);
  const std::string b = bytes_of(expected);
  if (a == b) return ::testing::AssertionSuccess();
  const auto at = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
  return ::testing::AssertionFailure()
         << "sizes " << a.size() << " and " << b.size() << ", first difference at byte " << at;
}

/// What `work` throws: its type's place among the errors, its sentence, and what it is about.
struct Thrown {
  std::string kind = "nothing";
  std::string text;
  ErrorSubject about;
};

template <class Work>
Thrown thrown_by(Work&& work) {
  try {
    work();
  } catch (const MalformedFile& error) {
    return {"MalformedFile", error.what(), error.about};
  } catch (const FileSystemError& error) {
    return {"FileSystemError", error.what(), error.about};
  } catch (const Unsupported& error) {
    return {"Unsupported", error.what(), error.about};
  } catch (const OutOfMemory& error) {
    return {"OutOfMemory", error.what(), error.about};
  } catch (const InvalidArgument& error) {
    return {"InvalidArgument", error.what(), error.about};
  } catch (const LogicError& error) {
    return {"LogicError", error.what(), error.about};
  } catch (const Cancelled& error) {
    return {"Cancelled", error.what(), error.about};
  } catch (const std::exception& error) {
    return {"another exception", error.what(), {}};
  }
  return {};
}

/// Expects an error of that kind about that file, one line that begins with its path and contains
/// `part`.
inline void expect_error(const Thrown& found, const std::string& kind,
                         const std::filesystem::path& path, const std::string& part) {
  EXPECT_EQ(found.kind, kind) << found.text;
  EXPECT_EQ(found.text.rfind(path.string() + ": ", 0), 0u) << found.text;
  EXPECT_EQ(found.about.path, path) << found.text;
  EXPECT_NE(found.text.find(part), std::string::npos) << found.text;
  EXPECT_EQ(found.text.find('\n'), std::string::npos) << found.text;
}

inline Thrown error_of_reading(const std::filesystem::path& path, const ReadOptions& options = {}) {
  return thrown_by([&] { read(path, options); });
}

/// A budget of host memory for one scope.
class Budget {
 public:
  explicit Budget(std::uint64_t bytes) : old_(Device::open("cpu").memory().budget) {
    Device::open("cpu").set_memory_budget(bytes);
  }
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;
  ~Budget() { Device::open("cpu").set_memory_budget(old_); }

 private:
  std::uint64_t old_;
};

/// The system stops files at this size, in place of a disk that is full.
class SizeLimit {
 public:
  explicit SizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit limit{bytes, old_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  SizeLimit(const SizeLimit&) = delete;
  SizeLimit& operator=(const SizeLimit&) = delete;
  ~SizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit old_{};
};

/// Runs `work` as somebody whom permissions concern, owner of the folder; root is nobody then.
template <class Work>
void as_ordinary_user(const Folder& folder, Work&& work) {
  constexpr uid_t nobody = 65534;
  const uid_t user = ::geteuid();
  if (user == 0) {
    ASSERT_EQ(::chown(folder.path().c_str(), nobody, static_cast<gid_t>(-1)), 0);
    ASSERT_EQ(::seteuid(nobody), 0);
  }
  work();
  ASSERT_EQ(::seteuid(user), 0);
}

inline bool has_format(const std::string& name) {
  for (const Format& format : formats()) {
    if (format.name == name) return true;
  }
  return false;
}

}  // namespace meander::io
