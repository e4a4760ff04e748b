// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "core/message.hpp"
#include "io/file/descriptor.hpp"
#include "meander/error.hpp"

namespace meander::io {

/// A regular file open for reading. Every error it raises begins with its path.
class InputFile {
 public:
  /// Throws FileSystemError when there is no such file or it cannot be read, Unsupported when it is
  /// a device or a pipe.
  explicit InputFile(std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }
  std::int64_t size() const { return size_; }

  /// Fills `into` from `offset`. A file that ends before that is a MalformedFile.
  void read(std::int64_t offset, std::span<std::byte> into) const;
  /// The same into several pieces, at most IOV_MAX of them; they are used up on the way.
  void read(std::int64_t offset, std::span<iovec> into) const;
  /// Reads as much as there is and returns how much; -1 with errno on failure. For callbacks of C
  /// libraries, through which no exception may pass.
  std::int64_t read_some(std::int64_t offset, std::span<std::byte> into) const noexcept;

  template <class... Parts>
  [[noreturn]] void malformed(const Parts&... parts) const {
    throw MalformedFile(message(path_.string(), ": ", parts...), {.path = path_.string()});
  }
  template <class... Parts>
  [[noreturn]] void unsupported(const Parts&... parts) const {
    throw Unsupported(message(path_.string(), ": ", parts...), {.path = path_.string()});
  }

 private:
  std::filesystem::path path_;
  Descriptor descriptor_;
  std::int64_t size_ = 0;
};

/// Bytes of a file as part of a one-line message: RIFF, \x1f\x8b. Long ones are cut off with "...".
std::string printable(std::string_view bytes);

}  // namespace meander::io
