// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/file/spill_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <utility>

#include "core/message.hpp"
#include "meander/error.hpp"

namespace meander::io {
namespace {

constexpr const char* cannot_spill = "a temporary file in this folder cannot be used";

Descriptor unnamed_file(const std::filesystem::path& folder) {
  Descriptor unnamed(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  // EISDIR: a kernel that does not know the flag. EOPNOTSUPP: a file system that cannot.
  if (unnamed.is_open() || (errno != EOPNOTSUPP && errno != EISDIR)) return unnamed;
  std::string name = (folder / ".meander-spill-XXXXXX").string();
  Descriptor named(::mkostemp(name.data(), O_CLOEXEC));
  if (named.is_open() && ::unlink(name.c_str()) != 0) return Descriptor();
  return named;
}

}  // namespace

SpillFile::SpillFile(std::filesystem::path folder, std::int64_t bytes)
    : folder_(folder.empty() ? std::filesystem::path(".") : std::move(folder)) {
  descriptor_ = unnamed_file(folder_);
  if (!descriptor_.is_open()) refuse_by_system(folder_, cannot_spill, errno);
  check_room(descriptor_, folder_, bytes);
}

void SpillFile::write(std::int64_t offset, std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t done = ::pwrite(descriptor_.number(), bytes.data(), bytes.size(), offset);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) refuse_by_system(folder_, cannot_spill, errno);
    offset += done;
    bytes = bytes.subspan(static_cast<std::size_t>(done));
  }
}

void SpillFile::read(std::int64_t offset, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t done = ::pread(descriptor_.number(), bytes.data(), bytes.size(), offset);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) refuse_by_system(folder_, cannot_spill, errno);
    if (done == 0) {
      throw FileSystemError(message(folder_.string(), ": a temporary file ended at byte ", offset,
                                    ", expected ", bytes.size(), " more"));
    }
    offset += done;
    bytes = bytes.subspan(static_cast<std::size_t>(done));
  }
}

}  // namespace meander::io
