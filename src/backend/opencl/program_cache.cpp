// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/opencl/program_cache.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <system_error>

#include "core/measured_figures.hpp"
#include "core/message.hpp"

namespace meander::opencl {
namespace {

constexpr std::string_view magic = "MEANDER1";

/// FNV-1a; a second start value gives an independent half of a 128-bit name.
std::uint64_t hash_of(std::string_view text, std::uint64_t start = 0xcbf29ce484222325u) {
  for (const char c : text) start = (start ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return start;
}

std::string hexadecimal(std::uint64_t value) {
  std::string text(16, '0');
  for (std::size_t i = text.size(); i-- > 0; value >>= 4) text[i] = "0123456789abcdef"[value & 15];
  return text;
}

std::string bytes_of(std::uint64_t value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof(value));
}

/// Everything before the binary. Comparing it whole proves that the file is of this key and
/// complete.
std::string header_of(const std::string& key, std::string_view binary) {
  return std::string(magic) + bytes_of(key.size()) + key + bytes_of(binary.size()) +
         bytes_of(hash_of(binary));
}

class File {
 public:
  File(const std::filesystem::path& path, int flags) : id_(open(path.c_str(), flags, 0600)) {}
  ~File() {
    if (id_ >= 0) close(id_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  /// Its size if it is an ordinary file of this user's, else nothing.
  std::optional<std::size_t> own_size() const {
    struct stat status = {};
    if (id_ < 0 || fstat(id_, &status) != 0) return std::nullopt;
    if (!S_ISREG(status.st_mode) || status.st_uid != geteuid()) return std::nullopt;
    return static_cast<std::size_t>(status.st_size);
  }
  bool read_all(std::string& text) const {
    std::size_t done = 0;
    while (done < text.size()) {
      const ssize_t step = read(id_, text.data() + done, text.size() - done);
      if (step <= 0) return false;
      done += static_cast<std::size_t>(step);
    }
    return true;
  }
  bool write_all(std::string_view text) const {
    while (id_ >= 0 && !text.empty()) {
      const ssize_t step = write(id_, text.data(), text.size());
      if (step <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(step));
    }
    return id_ >= 0;
  }

 private:
  const int id_;
};

}  // namespace

std::filesystem::path ProgramCache::file_of(const std::string& key) const {
  return folder_ / (hexadecimal(hash_of(key)) + hexadecimal(hash_of(key, 0x84222325cbf29ce4u)));
}

std::optional<std::string> ProgramCache::load(const std::string& key) const {
  if (folder_.empty()) return std::nullopt;
  const File file(file_of(key), O_RDONLY | O_CLOEXEC);
  const std::optional<std::size_t> size = file.own_size();
  const std::size_t header_size = header_of(key, "").size();
  if (!size || *size < header_size) return std::nullopt;
  std::string content(*size, '\0');
  if (!file.read_all(content)) return std::nullopt;
  std::string binary = content.substr(header_size);
  content.resize(header_size);
  if (content != header_of(key, binary)) return std::nullopt;
  return binary;
}

void ProgramCache::store(const std::string& key, const std::string& binary) const {
  if (folder_.empty()) return;
  std::error_code failure;
  std::filesystem::create_directories(folder_, failure);
  static std::atomic<unsigned> counter = 0;
  const std::filesystem::path target = file_of(key);
  const std::filesystem::path draft =
      folder_ / message(target.filename().string(), ".", getpid(), ".", ++counter);
  const bool written = File(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC)
                           .write_all(header_of(key, binary) + binary);
  // Renaming makes it appear whole or not at all, also beside another process that does the same.
  if (written) std::filesystem::rename(draft, target, failure);
  if (!written || failure) std::filesystem::remove(draft, failure);
}

std::filesystem::path program_cache_folder() {
  const std::filesystem::path folder = cache_folder();
  return folder.empty() ? folder : folder / "opencl";
}

}  // namespace meander::opencl
