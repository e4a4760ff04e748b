// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <filesystem>
#include <string>

namespace meander::app {

/// A folder that nobody else uses, inside another one; gone with what it holds when this is.
class TemporaryFolder {
 public:
  /// Throws FileSystemError. An empty `inside` is the current folder; `purpose` is seen in the
  /// name.
  TemporaryFolder(const std::filesystem::path& inside, const std::string& purpose);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace meander::app
