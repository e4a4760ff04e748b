// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "input/frames.hpp"
#include "input/input_image.hpp"
#include "segment/segment.hpp"

namespace meander::app {

/// Images of the truth for frames that are followed: a film or a volume of as many, numbered files,
/// or one image for all.
class TruthFrames {
 public:
  /// Throws InvalidArgument, with the file, for what does not fit the frames.
  TruthFrames(Session& session, const FrameSource& source, const std::string& path);

  const Description& frame() const { return frame_; }
  Image read(std::int64_t index);

 private:
  enum class Kind { same, frames, slices, files };
  void open(const std::string& file);

  const FrameSource& source_;
  const std::string path_;
  io::ReadOptions options_;
  Kind kind_ = Kind::same;
  std::vector<std::filesystem::path> files_;
  std::optional<io::Reader> reader_;
  Description frame_;
};

}  // namespace meander::app
