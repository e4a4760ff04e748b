// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <utility>

namespace meander::io {

/// Owns a file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

/// Throws FileSystemError "PATH: ACTION: reason", the reason being that of `error`, an errno.
[[noreturn]] void refuse_by_system(const std::filesystem::path& path, const char* action,
                                   int error);

/// Throws FileSystemError when the file system of `file` has not that many bytes free: better now
/// than when it is full.
void check_room(const Descriptor& file, const std::filesystem::path& path, std::int64_t bytes);

/// Drops the first `count` bytes from a list of pieces that a system call has partly dealt with.
std::span<iovec> without_front(std::span<iovec> pieces, std::size_t count);

}  // namespace meander::io
