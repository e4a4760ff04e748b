// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "io/file/descriptor.hpp"

namespace meander::io {

/// Where an output lives until it is complete: in a file without a name, which the system removes
/// whatever happens to the process, or in a named one beside the target.
enum class Staging { unnamed, named };

/// An output that is written beside its target and moved into place by `commit`. Until then, and
/// when it is destroyed without, an older file stays as it is and nothing else is left. A symbolic
/// link is followed: the file it points to is replaced. Permission bits of an older file are kept.
class AtomicFile {
 public:
  /// Throws FileSystemError when the target exists and is no regular file or may not be written, or
  /// when its folder cannot take a new file. Staging falls back to `named` where the file system
  /// cannot do better.
  explicit AtomicFile(const std::filesystem::path& path, Staging staging = Staging::unnamed);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  const std::filesystem::path& path() const { return path_; }
  /// Throws FileSystemError when the file system has not that many bytes free: better now than when
  /// it is full.
  void check_room(std::int64_t bytes) const;
  /// Appends. Throws FileSystemError when the bytes do not fit, to the last one.
  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  /// Replaces bytes that have been written already.
  void overwrite(std::int64_t offset, std::string_view text);
  /// At most IOV_MAX pieces, which are used up on the way.
  void write(std::span<iovec> pieces);
  /// Makes the content durable, then gives it the target's name.
  void commit();

 private:
  void stage_unnamed();
  void stage_named();
  void link_unnamed();
  void keep_permissions();

  std::filesystem::path path_;    ///< As the caller named it, for messages.
  std::filesystem::path target_;  ///< With symbolic links followed.
  std::filesystem::path staged_;  ///< Name of the temporary file while it has one.
  Descriptor descriptor_;
};

}  // namespace meander::io
