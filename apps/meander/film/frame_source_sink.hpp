// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "film/numbered_output.hpp"
#include "input/frames.hpp"
#include "input/input_image.hpp"

namespace meander::app {

/// The frames of a film, one after the other: those of a file's axis of time that --frame chooses,
/// slices of a volume, all or those of --slice, or files with numbers.
class FrameSource {
 public:
  /// Throws InvalidArgument where it is not clear which of them are meant.
  FrameSource(const Session& session, bool takes_slices, bool takes_grey = false);

  const Description& frame() const { return frame_; }
  /// The file of the frame that was read last, or of the first.
  const io::Reader& reader() const { return *reader_; }
  const io::ReadOptions& options() const { return options_; }
  std::int64_t count() const { return count_; }
  /// From the first that is taken on; files and slices are counted from 0.
  std::int64_t number(std::int64_t index) const { return frames_.first + index; }
  std::string name(std::int64_t index) const;
  /// What `number` counts.
  std::int64_t total() const;
  bool are_slices() const { return frames_.are_slices; }
  /// What one of them is called: those of numbered files are frames.
  std::string word() const { return frames_.word(); }
  /// What all of them are in a file: a film of frames, else a stack of slices.
  bool is_film() const { return files_.empty() && !frames_.are_slices && frames_.count > 1; }
  Description whole() const;
  io::Film film() const;

  Image read(std::int64_t index);

 private:
  void open_files();
  void open_file(bool takes_slices);
  Image read_file(const std::string& file);
  Description description_of(const io::Reader& reader) const;
  Image channels_of(const Image& image, const std::string& file) const;

  const std::string path_;
  io::ReadOptions options_;
  const bool takes_grey_;  ///< As grey_of; otherwise all channels but opacity.
  std::vector<std::filesystem::path> files_;
  std::unique_ptr<io::Reader> reader_;
  FrameRange frames_;
  Description frame_;
  std::int64_t count_ = 0;
};

/// Where they go: a film, a stack, a GIF, or files with their numbers. Nothing of it is seen before
/// `finish`.
class FrameSink {
 public:
  /// `output` is one frame of what is written.
  FrameSink(Session& session, const FrameSource& source, const Description& output);

  void write(std::int64_t index, const Image& frame);
  void finish();

 private:
  void write_file(const Image& frame) const;

  Session& session_;
  const FrameSource& source_;
  io::Writer* together_ = nullptr;
  std::optional<NumberedOutput> numbered_;
  std::string file_;  ///< Of the frame at hand, while it waits for the others.
};

}  // namespace meander::app
