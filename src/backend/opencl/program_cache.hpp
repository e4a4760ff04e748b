// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace meander::opencl {

/// Compiled kernels on disk, one file a key. A file that is damaged, belongs to someone else or to
/// another key is as good as none, and a folder that cannot be written is no error: the kernel is
/// then compiled again.
class ProgramCache {
 public:
  /// An empty folder means no cache.
  explicit ProgramCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::optional<std::string> load(const std::string& key) const;
  void store(const std::string& key, const std::string& binary) const;
  std::filesystem::path file_of(const std::string& key) const;

 private:
  std::filesystem::path folder_;
};

/// `opencl` in the cache folder; empty when there is none.
std::filesystem::path program_cache_folder();

}  // namespace meander::opencl
