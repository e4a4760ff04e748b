// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/file/input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace meander::io {

InputFile::InputFile(std::filesystem::path path) : path_(std::move(path)) {
  // Non-blocking, so that naming a pipe is refused below instead of waiting for its other end.
  descriptor_ = Descriptor(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!descriptor_.is_open()) refuse_by_system(path_, "cannot be read", errno);
  struct stat status {};
  if (::fstat(descriptor_.number(), &status) != 0) {
    refuse_by_system(path_, "cannot be read", errno);
  }
  if (S_ISDIR(status.st_mode)) refuse_by_system(path_, "cannot be read", EISDIR);
  if (!S_ISREG(status.st_mode)) {
    unsupported("found a device or pipe, expected a file, which can be read from any place");
  }
  size_ = status.st_size;
}

std::int64_t InputFile::read_some(std::int64_t offset, std::span<std::byte> into) const noexcept {
  std::size_t done = 0;
  while (done < into.size()) {
    const auto at = static_cast<off_t>(offset) + static_cast<off_t>(done);
    const ssize_t got = ::pread(descriptor_.number(), into.data() + done, into.size() - done, at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return static_cast<std::int64_t>(done);
}

void InputFile::read(std::int64_t offset, std::span<std::byte> into) const {
  const std::int64_t got = read_some(offset, into);
  if (got < 0) refuse_by_system(path_, "cannot be read", errno);
  if (got != static_cast<std::int64_t>(into.size())) {
    malformed("ends at byte ", size_, ", expected ", into.size(), " bytes at ", offset);
  }
}

void InputFile::read(std::int64_t offset, std::span<iovec> into) const {
  while (!into.empty()) {
    const ssize_t got =
        ::preadv(descriptor_.number(), into.data(), static_cast<int>(into.size()), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse_by_system(path_, "cannot be read", errno);
    if (got == 0) malformed("ends at byte ", offset, ", expected more pixels");
    offset += got;
    into = without_front(into, static_cast<std::size_t>(got));
  }
}

std::string printable(std::string_view bytes) {
  constexpr std::size_t most = 60;
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes.substr(0, most)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= ' ' && byte < 127) {
      text += c;
    } else {
      text += {'\\', 'x', digits[byte / 16], digits[byte % 16]};
    }
  }
  return bytes.size() > most ? text + "..." : text;
}

}  // namespace meander::io
