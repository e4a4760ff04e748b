// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <functional>
#include <string>

#include "system/temporary_folder.hpp"

namespace meander::app {

/// Files that every frame writes, with its number in their name. They wait beside their place until
/// all are there.
class NumberedOutput {
 public:
  /// The pattern names them, see io::sequence_file; `rename` tells a verb what to write. Throws
  /// FileSystemError where nothing can be written.
  NumberedOutput(std::string pattern, std::function<void(const std::string&)> rename);

  const std::string& pattern() const { return pattern_; }
  /// From now on the verb writes the file of this frame.
  void choose(std::int64_t frame) const;
  /// Of all files that are waiting, folders and what is in them too.
  void move_into_place() const;
  /// A text with the place that files are going to have.
  std::string told(std::string text) const;

 private:
  const std::string pattern_;
  const std::function<void(const std::string&)> rename_;
  const TemporaryFolder folder_;
};

}  // namespace meander::app
