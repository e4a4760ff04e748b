// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "film/frame_source_sink.hpp"

#include <fmt/format.h>

#include "session/compression.hpp"
#include "words/error_text.hpp"

namespace meander::app {

FrameSource::FrameSource(const Session& session, bool takes_slices, bool takes_grey)
    : path_(session.argument(0)), options_(session.read_options()), takes_grey_(takes_grey) {
  if (io::is_sequence(path_)) {
    open_files();
  } else {
    open_file(takes_slices);
  }
}

void FrameSource::open_files() {
  if (input_options.frame) {
    throw InvalidArgument(
        "--frame is for files that hold a film, expected no --frame beside numbered files");
  }
  if (input_options.slice && input_options.slice->end != input_options.slice->first + 1) {
    throw InvalidArgument("--slice: numbered files are frames, expected one slice of each");
  }
  files_ = io::sequence_files(path_);
  reader_ = std::make_unique<io::Reader>(files_.front().string(), options_);
  frame_ = description_of(*reader_);
  if (frame_.shape.z > 1) {
    throw Unsupported(fmt::format("{}: a frame has 2 axes, found {}", files_.front().string(),
                                  to_string(frame_.shape)));
  }
  count_ = static_cast<std::int64_t>(files_.size());
}

void FrameSource::open_file(bool takes_slices) {
  reader_ = std::make_unique<io::Reader>(path_, options_);
  frames_ = chosen_frames(path_, *reader_);
  const std::int64_t depth = reader_->description().shape.z;
  if (takes_slices && frames_.count > 1 && depth > 1) {
    throw InvalidArgument(fmt::format(
        "{}: --frames found {} frames with {} slices each, expected one of them with --frame N",
        path_, frames_.count, depth));
  }
  if (frames_.count == 1 && depth > 1) {
    options_.slice = {input_options.axis.value_or(io::Slice::Across::z), 0};
    reader_ = std::make_unique<io::Reader>(path_, options_);
    frames_ = {0, reader_->slices(), reader_->film(), true};
  }
  frame_ = description_of(*reader_);
  count_ = frames_.count;
}

std::string FrameSource::name(std::int64_t index) const {
  return files_.empty() ? fmt::format("{}, {} {}", path_, frames_.word(), number(index))
                        : files_[static_cast<std::size_t>(index)].string();
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

io::Film FrameSource::film() const {
  return is_film() ? io::Film{count_, frames_.film.seconds} : io::Film{};
}

Image FrameSource::read_file(const std::string& file) {
  reader_ = std::make_unique<io::Reader>(file, options_);
  const Description found = description_of(*reader_);
  if (found.shape != frame_.shape || found.channels != frame_.channels ||
      found.type != frame_.type) {
    throw MalformedFile(
        fmt::format("{}: a frame of {} {} with {} channels, expected {} {} with {} as the first",
                    file, to_string(found.shape), name_of(found.type), found.channels,
                    to_string(frame_.shape), name_of(frame_.type), frame_.channels));
  }
  return channels_of(reader_->read(), file);
}

Description FrameSource::description_of(const io::Reader& reader) const {
  return takes_grey_ ? as_grey(reader) : without_alpha(reader);
}

Image FrameSource::channels_of(const Image& image, const std::string& file) const {
  return takes_grey_ ? grey_of(image, file, channel_advice(3))
                     : first_channels(image, frame_.channels);
}

Image FrameSource::read(std::int64_t index) {
  if (!files_.empty()) return read_file(files_[static_cast<std::size_t>(index)].string());
  frames_.are_slices ? reader_->select_slice(number(index)) : reader_->select_frame(number(index));
  return channels_of(reader_->read(), path_);
}

FrameSink::FrameSink(Session& session, const FrameSource& source, const Description& output)
    : session_(session), source_(source) {
  const std::string& path = session.argument(1);
  if (io::is_sequence(path)) {
    const io::Writer refuses_now(io::sequence_file(path, source.number(0)), output);
    numbered_.emplace(path, [this](const std::string& file) { file_ = file; });
    return;
  }
  if (source.is_film()) check_holds_frames(path, source.count());
  Description all = output;
  all.shape = source.whole().shape;
  together_ = &session.open_out(all, source.film());
}

void FrameSink::write(std::int64_t index, const Image& frame) {
  if (together_ != nullptr) {
    together_->append(frame);
  } else {
    numbered_->choose(source_.number(index));
    write_file(frame);
  }
}

void FrameSink::write_file(const Image& frame) const {
  try {
    io::write(file_, frame, write_options(file_));
  } catch (const Error& fault) {
    throw_again(fault, numbered_->told(fault.what()));
  }
}

void FrameSink::finish() {
  together_ != nullptr ? session_.finish_out() : numbered_->move_into_place();
}

}  // namespace meander::app
