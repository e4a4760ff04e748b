// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <vector>

#include "segment/segment.hpp"

namespace meander::app {

/// The folder of --stages and the pictures in it.
class StageFolder {
 public:
  /// Throws FileSystemError where the folder cannot be made or written into, or is none. What it
  /// makes to find that out is gone again.
  StageFolder(std::string folder, bool has_edges);

  std::vector<std::string> files() const;
  /// Makes the folder if need be.
  void write(const Image& image, const FindResult& found, const Control& control) const;

 private:
  std::string path_of(const char* name) const;

  std::string folder_;
  bool has_edges_;  ///< Whether there are pictures of the stages before the flow.
};

/// An image like this one with other pixels.
Description with(Description image, int channels, PixelType type);

/// Most bytes that drawing takes, the image and the stages included.
std::int64_t bytes_of_stages(const Description& image);

}  // namespace meander::app
