// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "io/file/descriptor.hpp"

namespace meander::io {

/// Room on disk for what does not fit into memory. The file has no name, so the system removes it
/// whatever becomes of the process. Errors are FileSystemError and begin with the folder's path.
class SpillFile {
 public:
  /// Nothing: neither room nor file.
  SpillFile() = default;
  /// Throws when the folder cannot take a file, or has not `bytes` bytes free.
  SpillFile(std::filesystem::path folder, std::int64_t bytes);

  void write(std::int64_t offset, std::span<const std::byte> bytes) const;
  void read(std::int64_t offset, std::span<std::byte> bytes) const;

 private:
  std::filesystem::path folder_;
  Descriptor descriptor_;
};

}  // namespace meander::io
