// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "core/message.hpp"
#include "io/file/named_errors.hpp"
#include "meander/film.hpp"
#include "meander/grey.hpp"

namespace meander::io {

FrameSource::FrameSource(const std::filesystem::path& path, const FrameSourceOptions& options) try
    : path_(path.string()), options_(options) {
  ReadOptions& read = options_.read;
  read.frame = options.frames ? std::optional(options.frames->first) : std::nullopt;
  read.slice =
      options.slices ? std::optional(Slice{options.axis, options.slices->first}) : std::nullopt;
  is_sequence(path_) ? open_files() : open_file();
} catch (Error& error) {
  name_file(error, path);
}

void FrameSource::open(const std::string& file) {
  reader_ = std::make_unique<Reader>(file, options_.read);
}

void FrameSource::open_files() {
  const FrameWords& words = options_.words;
  if (options_.frames) {
    throw InvalidArgument(message(words.frames, " is for files that hold a film, expected no ",
                                  words.frames, " beside numbered files"));
  }
  if (options_.slices && options_.slices->end != options_.slices->first + 1) {
    throw InvalidArgument(
        message(words.slices, ": numbered files are frames, expected one slice of each"));
  }
  files_ = sequence_files(path_);
  open(files_.front().string());
  frame_ = description_of(*reader_);
  if (frame_.shape.z > 1) {
    throw Unsupported(
        message(files_.front().string(), ": a frame has 2 axes, found ", to_string(frame_.shape)),
        {.path = files_.front().string()});
  }
  count_ = static_cast<std::int64_t>(files_.size());
}

void FrameSource::open_file() {
  open(path_);
  frames_ = chosen_frames(path_, *reader_, options_);
  if (frames_.count == 1 && reader_->description().shape.z > 1) {
    options_.read.slice = {options_.axis, 0};
    open(path_);
    frames_ = {0, reader_->slices(), reader_->film(), true};
  }
  frame_ = description_of(*reader_);
  count_ = frames_.count;
}

std::string FrameSource::name(std::int64_t index) const {
  return files_.empty() ? message(path_, ", ", frames_.word(), " ", number(index))
                        : files_.at(static_cast<std::size_t>(index)).string();
}

std::int64_t FrameSource::total() const {
  if (!files_.empty()) return count_;
  return frames_.are_slices ? reader_->slices() : frames_.film.frames;
}

Description FrameSource::whole() const {
  Description all = frame_;
  if (!is_film()) all.shape.z = count_;
  return all;
}

Film FrameSource::film() const { return is_film() ? Film{count_, frames_.film.seconds} : Film{}; }

Image FrameSource::read_file(std::int64_t index, const Control& control) {
  const std::string file = files_[static_cast<std::size_t>(index)].string();
  if (opened_ != index) open(file);
  opened_ = index;
  const Description found = description_of(*reader_);
  if (found.shape != frame_.shape || found.channels != frame_.channels ||
      found.type != frame_.type) {
    throw MalformedFile(
        message(file, ": a frame of ", to_string(found.shape), " ", name_of(found.type), " with ",
                found.channels, " channels, expected ", to_string(frame_.shape), " ",
                name_of(frame_.type), " with ", frame_.channels, " as the first"),
        {.path = file});
  }
  return channels_of(reader_->read(control), file, control);
}

Description FrameSource::description_of(const Reader& reader) const {
  return options_.grey ? as_grey(reader) : without_alpha(reader);
}

Image FrameSource::channels_of(const Image& image, const std::string& file,
                               const Control& control) const {
  if (!options_.grey || frame_.channels != 1) return first_channels(image, frame_.channels);
  return grey_of(image, file, options_.words.grey_advice, {.stop = control.stop, .progress = {}});
}

Image FrameSource::read(std::int64_t index, const Control& control) try {
  if (index < 0 || index >= count_) {
    throw InvalidArgument(message(path_, ": found ", frames_.word(), " ", index, " of ", count_,
                                  " that are taken, expected 0 to ", count_ - 1));
  }
  if (!files_.empty()) return read_file(index, control);
  frames_.are_slices ? reader_->select_slice(number(index)) : reader_->select_frame(number(index));
  return channels_of(reader_->read(control), path_, control);
} catch (Error& error) {
  name_file(error, path_);
  throw;
}

}  // namespace meander::io
