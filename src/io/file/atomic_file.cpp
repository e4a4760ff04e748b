// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/file/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <string>

#include "core/message.hpp"
#include "meander/error.hpp"

namespace meander::io {
namespace fs = std::filesystem;
namespace {

constexpr const char* cannot_write = "cannot be written";
constexpr mode_t new_file_mode = 0666;  // the umask takes its part away
constexpr int most_links = 40;          // what Linux itself follows

fs::path follow_links(const fs::path& path) {
  fs::path target = path;
  std::error_code none;
  for (int links = 0; fs::is_symlink(fs::symlink_status(target, none)); ++links) {
    if (links == most_links) refuse_by_system(path, cannot_write, ELOOP);
    std::error_code error;
    const fs::path next = fs::read_symlink(target, error);
    if (error) refuse_by_system(path, cannot_write, error.value());
    target = target.parent_path() / next;  // an absolute `next` replaces the whole
  }
  return target;
}

void check_target(const fs::path& path, const fs::path& target) {
  struct stat status {};
  if (::stat(target.c_str(), &status) != 0) {
    if (errno == ENOENT) return;
    refuse_by_system(path, cannot_write, errno);
  }
  if (S_ISDIR(status.st_mode)) refuse_by_system(path, cannot_write, EISDIR);
  if (!S_ISREG(status.st_mode)) {
    throw FileSystemError(message(path.string(), ": found a device or pipe, expected a file"),
                          {.path = path.string()});
  }
  if (::faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0) {
    refuse_by_system(path, cannot_write, errno);
  }
}

fs::path folder_of(const fs::path& target) {
  return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

/// A name in the target's folder that no other writer uses, in this process or another.
fs::path temporary_name(const fs::path& target) {
  static std::atomic<unsigned> counter = 0;
  return folder_of(target) / (".meander-" + std::to_string(::getpid()) + "-" +
                              std::to_string(counter.fetch_add(1)) + ".tmp");
}

std::string link_to(const Descriptor& descriptor) {
  return "/proc/self/fd/" + std::to_string(descriptor.number());
}

}  // namespace

AtomicFile::AtomicFile(const fs::path& path, Staging staging)
    : path_(path), target_(follow_links(path)) {
  check_target(path_, target_);
  // Without /proc an unnamed file could never be given its name.
  if (staging == Staging::unnamed && ::access("/proc/self/fd", X_OK) == 0) stage_unnamed();
  if (!descriptor_.is_open()) stage_named();
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      staged_(std::exchange(other.staged_, {})),
      descriptor_(std::move(other.descriptor_)) {}

AtomicFile::~AtomicFile() {
  if (!staged_.empty()) ::unlink(staged_.c_str());
}

void AtomicFile::stage_unnamed() {
  const fs::path folder = folder_of(target_);
  descriptor_ = Descriptor(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, new_file_mode));
  if (descriptor_.is_open()) return;
  // EISDIR: a kernel that does not know the flag. EOPNOTSUPP: a file system that cannot.
  if (errno != EOPNOTSUPP && errno != EISDIR) refuse_by_system(path_, cannot_write, errno);
}

void AtomicFile::stage_named() {
  do {
    staged_ = temporary_name(target_);
    descriptor_ =
        Descriptor(::open(staged_.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, new_file_mode));
  } while (!descriptor_.is_open() && errno == EEXIST);
  if (descriptor_.is_open()) return;
  const int error = errno;
  staged_.clear();
  refuse_by_system(path_, cannot_write, error);
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  iovec piece{const_cast<std::byte*>(bytes.data()), bytes.size()};
  if (!bytes.empty()) write(std::span(&piece, 1));
}

void AtomicFile::write(std::span<iovec> pieces) {
  while (!pieces.empty()) {
    const ssize_t done =
        ::writev(descriptor_.number(), pieces.data(), static_cast<int>(pieces.size()));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) refuse_by_system(path_, cannot_write, errno);
    pieces = without_front(pieces, static_cast<std::size_t>(done));
  }
}

void AtomicFile::overwrite(std::int64_t offset, std::string_view text) {
  while (!text.empty()) {
    const ssize_t done = ::pwrite(descriptor_.number(), text.data(), text.size(), offset);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) refuse_by_system(path_, cannot_write, errno);
    text.remove_prefix(static_cast<std::size_t>(done));
    offset += done;
  }
}

void AtomicFile::keep_permissions() {
  struct stat status {};
  if (::stat(target_.c_str(), &status) != 0) return;  // a new file: the umask has decided
  if (::fchmod(descriptor_.number(), status.st_mode & 0777) != 0) {
    refuse_by_system(path_, cannot_write, errno);
  }
}

/// Straight to the target's name when that is free, so that not even a kill in between leaves a
/// trace; to a temporary name otherwise, because a link cannot replace.
void AtomicFile::link_unnamed() {
  const std::string source = link_to(descriptor_);
  const auto link = [&](const fs::path& name) {
    return ::linkat(AT_FDCWD, source.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  };
  if (link(target_)) return;
  while (errno == EEXIST) {
    fs::path name = temporary_name(target_);
    if (link(name)) {
      staged_ = std::move(name);  // a copy might find no memory and leave the name behind
      return;
    }
  }
  refuse_by_system(path_, cannot_write, errno);
}

void AtomicFile::check_room(std::int64_t bytes) const { io::check_room(descriptor_, path_, bytes); }

void AtomicFile::commit() {
  keep_permissions();
  if (::fsync(descriptor_.number()) != 0) refuse_by_system(path_, cannot_write, errno);
  if (staged_.empty()) link_unnamed();
  if (staged_.empty()) return;
  if (::rename(staged_.c_str(), target_.c_str()) != 0) {
    refuse_by_system(path_, cannot_write, errno);
  }
  staged_.clear();
}

}  // namespace meander::io
