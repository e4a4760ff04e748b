// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/file/descriptor.hpp"

#include <sys/statvfs.h>
#include <unistd.h>

#include <system_error>

#include "core/message.hpp"
#include "meander/error.hpp"

namespace meander::io {

Descriptor::~Descriptor() {
  if (is_open()) ::close(number_);
}

void refuse_by_system(const std::filesystem::path& path, const char* action, int error) {
  // Not strerror, which shares one buffer among threads.
  throw FileSystemError(
      message(path.string(), ": ", action, ": ", std::generic_category().message(error)),
      {.path = path.string(), .system_error = error});
}

void check_room(const Descriptor& file, const std::filesystem::path& path, std::int64_t bytes) {
  struct statvfs status {};
  if (::fstatvfs(file.number(), &status) != 0 || status.f_blocks == 0) return;  // cannot tell
  const auto needed = static_cast<std::uint64_t>(bytes) / status.f_frsize;
  if (needed <= status.f_bavail) return;
  throw FileSystemError(message(path.string(), ": needs ", bytes, " bytes of disk space, found ",
                                status.f_bavail, " blocks of ", status.f_frsize, " bytes free"));
}

std::span<iovec> without_front(std::span<iovec> pieces, std::size_t count) {
  while (!pieces.empty() && count >= pieces.front().iov_len) {
    count -= pieces.front().iov_len;
    pieces = pieces.subspan(1);
  }
  if (count > 0) {
    pieces.front().iov_base = static_cast<std::byte*>(pieces.front().iov_base) + count;
    pieces.front().iov_len -= count;
  }
  return pieces;
}

}  // namespace meander::io
