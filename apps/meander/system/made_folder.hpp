// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace meander::app {

/// A folder that is made, with those above it, where it is not there; what was made goes away with
/// this while it is empty.
class MadeFolder {
 public:
  /// Nothing for an empty name. Throws FileSystemError.
  explicit MadeFolder(const std::string& folder);
  ~MadeFolder();
  MadeFolder(const MadeFolder&) = delete;
  MadeFolder& operator=(const MadeFolder&) = delete;

 private:
  std::vector<std::filesystem::path> made_;  ///< The innermost first.
};

}  // namespace meander::app
