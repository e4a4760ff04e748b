// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "meander/io.hpp"
#include "meander/options.hpp"

/// Frames that follow each other, one in memory at a time: of a film, slices of a volume, or files
/// with numbers; where they come from and where they go.
namespace meander::io {

/// Frames of a film or slices of a volume, from 0 on.
struct FrameChoice {
  std::int64_t first = 0;                ///< From 0 on.
  std::optional<std::int64_t> end = {};  ///< Not included; none means all that follow.
};

/// What messages call the choices: a program has the names of its options here.
struct FrameWords {
  std::string frames = "frames";  ///< FrameSourceOptions::frames.
  std::string slices = "slices";  ///< FrameSourceOptions::slices.
  std::string grey_advice = {};   ///< Added to the refusal of colours.
};

/// Which frames are taken of a file, and how.
struct FrameSourceOptions {
  /// How each frame is read. `frame` and `slice` of it do not count: the choices below make them.
  ReadOptions read = {};
  std::optional<FrameChoice> frames = {};  ///< Of a film; all of them unless it is given.
  /// Of a volume, all of them unless it is given; or the one slice that is taken of each frame.
  std::optional<FrameChoice> slices = {};
  Slice::Across axis = Slice::Across::z;  ///< Which slices lie across.
  /// Frames have one channel where they have one or three colours; those of three must be equal
  /// (see grey_of). Otherwise they have all channels but opacity.
  bool grey = false;
  FrameWords words = {};  ///< For messages.
};

/// Frames of a film, or slices of a volume, that follow each other.
struct FrameRange {
  std::int64_t first = 0;   ///< Its number in the file.
  std::int64_t count = 1;   ///< How many are taken.
  Film film = {};           ///< All of it.
  bool are_slices = false;  ///< Of a volume.

  /// "slice" or "frame".
  std::string word() const { return are_slices ? "slice" : "frame"; }
};

/// What `frames` chooses of the reader's film, all of it by default, or `slices` of the volume of
/// one frame. Throws InvalidArgument, with `path`, for what it does not have and for several of
/// both.
FrameRange chosen_frames(const std::filesystem::path& path, const Reader& reader,
                         const FrameSourceOptions& options);

/// Throws InvalidArgument, with the name that helps, for a file whose format cannot hold so many
/// frames of a film (or slices: any can that can be written) and for numbered files.
void check_holds_frames(const std::filesystem::path& path, std::int64_t count,
                        bool are_slices = false);
/// "out.tif" as "out%03d.tif", "out.nii.gz" as "out%03d.nii.gz".
std::string numbered_example(const std::filesystem::path& path);

/// The frames of a film, one after the other: those of a file's axis of time, slices of a volume,
/// or files with numbers (see is_sequence). A film and a numbered file are opened once.
class FrameSource {
 public:
  /// Throws what Reader does and chosen_frames does, InvalidArgument for a choice of frames of
  /// numbered files, or of several slices, and Unsupported for numbered files of volumes.
  explicit FrameSource(const std::filesystem::path& path, const FrameSourceOptions& options = {});

  /// Of one frame.
  const Description& frame() const { return frame_; }
  /// The file of the frame that was read last, or of the first.
  const Reader& reader() const { return *reader_; }
  /// How frames are read.
  const ReadOptions& options() const { return options_.read; }
  /// How many frames are taken.
  std::int64_t count() const { return count_; }
  /// Of the frame with this index among those that are taken: where it is in the file, from 0 on.
  /// Numbered files are counted from 0, whatever the numbers in their names.
  std::int64_t number(std::int64_t index) const { return frames_.first + index; }
  /// "cells.tif, frame 3", or the file with a number.
  std::string name(std::int64_t index) const;
  /// How many the file holds, those that are not taken too.
  std::int64_t total() const;
  /// What one of them is called: those of numbered files are frames.
  std::string word() const { return frames_.word(); }
  /// Whether one file with all that is taken is a film of frames; otherwise it is a stack of
  /// slices.
  bool is_film() const { return files_.empty() && !frames_.are_slices && frames_.count > 1; }
  /// The description of such a file.
  Description whole() const;
  /// The film in such a file; of one frame where it is a stack.
  Film film() const;

  /// A host image, index from 0 to `count`; in order they are fastest. Throws MalformedFile for a
  /// numbered file that differs from the first in shape, channels or type, and InvalidArgument for
  /// an index that there is not and, with `grey`, for colours.
  Image read(std::int64_t index, const Control& control = {});

 private:
  void open_files();
  void open_file();
  void open(const std::string& file);
  Image read_file(std::int64_t index, const Control& control);
  Description description_of(const Reader& reader) const;
  Image channels_of(const Image& image, const std::string& file, const Control& control) const;

  std::string path_;
  FrameSourceOptions options_;
  std::vector<std::filesystem::path> files_;
  std::unique_ptr<Reader> reader_;
  std::int64_t opened_ = 0;  ///< Index of the file that the reader has.
  FrameRange frames_;
  Description frame_;
  std::int64_t count_ = 0;
};

/// Numbered files that wait in a hidden folder beside their place until all are there.
class NumberedFiles {
 public:
  /// The pattern names them, see sequence_file. Throws FileSystemError where nothing can be
  /// written.
  explicit NumberedFiles(const std::filesystem::path& pattern);
  NumberedFiles(NumberedFiles&&) noexcept;
  NumberedFiles& operator=(NumberedFiles&&) noexcept;
  ~NumberedFiles();

  /// What names them.
  const std::filesystem::path& pattern() const { return pattern_; }
  /// Where the file of this number waits. Others may be put beside it, and folders.
  std::filesystem::path waiting(std::int64_t number) const;
  /// As io::write, into the file of this number; errors name the place that it is going to have.
  void write(std::int64_t number, const Image& image, const WriteOptions& options = {},
             const Control& control = {}) const;
  /// A text with the places that files are going to have.
  std::string told(std::string text) const;
  /// Moves all that waits into place.
  void finish() const;

 private:
  class Folder;  ///< Where they wait.
  std::filesystem::path pattern_;
  std::unique_ptr<const Folder> folder_;
};

/// What is going to be written.
struct FrameSinkOptions {
  std::int64_t count = 1;   ///< So many frames are going to be written.
  bool are_slices = false;  ///< One file is a stack of them; otherwise it is a film.
  double seconds = 0;       ///< Of a film, from one frame to the next; 0: not known.
  std::int64_t first = 0;   ///< The number of the first, of numbered files.
  bool compress = false;    ///< See WriteOptions.
};

/// Where frames go: a film, a stack, a GIF, or files with numbers. Nothing of it is seen before
/// `finish`, and without that nothing is left.
class FrameSink {
 public:
  /// `frame` is one frame of what is written, of 2 axes where they are slices. Throws what Writer
  /// does, and check_holds_frames for a film.
  FrameSink(const std::filesystem::path& path, const Description& frame,
            const FrameSinkOptions& options = {});

  /// The next frame, a host image as announced. Throws LogicError after `finish`.
  void append(const Image& frame, const Control& control = {});
  /// Throws LogicError when frames are missing, and when called again.
  void finish();

 private:
  void check_open() const;

  std::string path_;
  Description frame_;
  FrameSinkOptions options_;
  std::optional<Writer> together_;
  std::unique_ptr<NumberedFiles> numbered_;
  std::int64_t done_ = 0;
};

}  // namespace meander::io

namespace meander {

template <>
struct OptionText<io::FrameChoice> {
  static io::FrameChoice parse(std::string_view text);
  static std::string format(const io::FrameChoice& choice);
  static std::string syntax() {
    return "N, FIRST:END with 0 <= FIRST < END, END not included, or all";
  }
};

}  // namespace meander
