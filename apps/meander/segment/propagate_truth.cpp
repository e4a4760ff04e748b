// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "segment/propagate_truth.hpp"

#include <fmt/format.h>

namespace meander::app {

TruthFrames::TruthFrames(Session& session, const FrameSource& source, const std::string& path)
    : source_(source), path_(path), options_{.roi = source.options().roi} {
  std::string first = path;
  if (io::is_sequence(path)) {
    kind_ = Kind::files;
    files_ = io::sequence_files(path);
    first = files_.front().string();
  }
  const io::Reader header(first);
  const auto across = source.options().slice.value_or(io::Slice{}).across;
  std::int64_t found =
      files_.empty() ? header.film().frames : static_cast<std::int64_t>(files_.size());
  if (kind_ != Kind::files) {
    kind_ = found > 1 ? Kind::frames : header.description().shape.z > 1 ? Kind::slices : Kind::same;
  }
  if (kind_ == Kind::slices) options_.slice = io::Slice{across, 0};
  if (kind_ == Kind::frames && header.description().shape.z > 1) {
    options_.slice = source.options().slice;  // of the volume that each frame is
  }
  open(first);
  if (kind_ == Kind::slices) found = reader_->slices();
  if (kind_ != Kind::same && found != source.total()) {
    throw InvalidArgument(fmt::format("{}: a truth of {} frames, expected {} as beside it, or one",
                                      path, found, source.total()));
  }
  session.report().add_input(path, header.description(), header.film());
}

void TruthFrames::open(const std::string& file) {
  reader_.emplace(file, options_);
  frame_ = without_alpha(*reader_);
  if (frame_.shape == source_.frame().shape && frame_.channels == 1) return;
  throw InvalidArgument(fmt::format("{}: a mask of {} with {} channels, expected {} with 1", file,
                                    to_string(frame_.shape), frame_.channels,
                                    to_string(source_.frame().shape)));
}

Image TruthFrames::read(std::int64_t index) {
  const std::int64_t number = source_.number(index);
  if (kind_ == Kind::files) open(files_[static_cast<std::size_t>(number)].string());
  if (kind_ == Kind::frames) reader_->select_frame(number);
  if (kind_ == Kind::slices) reader_->select_slice(number);
  return first_channels(reader_->read(), 1);
}

}  // namespace meander::app
