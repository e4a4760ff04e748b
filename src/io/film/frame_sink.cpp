// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "core/message.hpp"
#include "io/file/descriptor.hpp"
#include "io/file/named_errors.hpp"
#include "meander/film.hpp"

namespace meander::io {
namespace {

namespace fs = std::filesystem;

/// Before anything is moved: most of what would keep a file from its place.
void check_places(const fs::path& from, const fs::path& to) {
  for (const fs::directory_entry& entry : fs::directory_iterator(from)) {
    const fs::path target = to / entry.path().filename();
    std::error_code unknown;
    const bool is_folder = fs::is_directory(target, unknown);
    if (is_folder && !entry.is_directory()) {
      refuse_by_system(target, "cannot be put in its place", EISDIR);
    }
    if (is_folder) check_places(entry.path(), target);
  }
}

void move_files(const fs::path& from, const fs::path& to) {
  for (const fs::directory_entry& entry : fs::directory_iterator(from)) {
    const fs::path target = to / entry.path().filename();
    std::error_code fault;
    if (entry.is_directory()) {
      fs::create_directory(target, fault);
      if (!fault) move_files(entry.path(), target);
    } else {
      fs::rename(entry.path(), target, fault);
    }
    if (fault) refuse_by_system(target, "cannot be put in its place", fault.value());
  }
}

}  // namespace

/// One that nobody else uses, inside another one; gone with what it holds when this is.
class NumberedFiles::Folder {
 public:
  explicit Folder(const fs::path& inside) {
    const fs::path parent = inside.empty() ? fs::path(".") : inside;
    std::string name = (parent / ".meander-frames-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      refuse_by_system(parent, "a temporary folder cannot be made here", errno);
    }
    path_ = name;
  }
  ~Folder() {
    std::error_code nothing_to_be_done;
    fs::remove_all(path_, nothing_to_be_done);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

NumberedFiles::NumberedFiles(const fs::path& pattern)
    : pattern_(pattern), folder_(std::make_unique<Folder>(pattern.parent_path())) {}
NumberedFiles::NumberedFiles(NumberedFiles&&) noexcept = default;
NumberedFiles& NumberedFiles::operator=(NumberedFiles&&) noexcept = default;
NumberedFiles::~NumberedFiles() = default;

fs::path NumberedFiles::waiting(std::int64_t number) const {
  return folder_->path() / sequence_file(pattern_, number).filename();
}

void NumberedFiles::write(std::int64_t number, const Image& image, const WriteOptions& options,
                          const Control& control) const {
  try {
    try {
      io::write(waiting(number), image, options, control);
    } catch (Error& fault) {
      fault.about.path = told(fault.about.path);
      throw;
    }
  } catch (const FileSystemError& fault) {
    throw FileSystemError(told(fault.what()), fault.about);
  } catch (const Unsupported& fault) {
    throw Unsupported(told(fault.what()), fault.about);
  } catch (const OutOfMemory& fault) {
    throw OutOfMemory(told(fault.what()), fault.about);
  }
}

void NumberedFiles::finish() const {
  const fs::path place = pattern_.parent_path();
  check_places(folder_->path(), place);
  move_files(folder_->path(), place);
}

std::string NumberedFiles::told(std::string text) const {
  const std::string hidden = (folder_->path() / "").string();
  const fs::path parent = pattern_.parent_path();
  const std::string shown = parent.empty() ? "" : (parent / "").string();
  for (auto at = text.find(hidden); at != std::string::npos; at = text.find(hidden, at)) {
    text.replace(at, hidden.size(), shown);
  }
  return text;
}

FrameSink::FrameSink(const fs::path& path, const Description& frame,
                     const FrameSinkOptions& options) try
    : path_(path.string()), frame_(frame), options_(options) {
  if (options.count < 1 || (options.are_slices && frame.shape.z > 1)) {
    throw InvalidArgument(message(path_, ": found ", options.count, " slices or frames of ",
                                  to_string(frame.shape),
                                  ", expected at least 1, and slices of 2 axes"));
  }
  WriteOptions how{.compress = options.compress};
  if (is_sequence(path)) {
    const Writer refuses_now(sequence_file(path, options.first), frame, how);
    numbered_ = std::make_unique<NumberedFiles>(path);
    return;
  }
  Description all = frame;
  if (options.are_slices) {
    all.shape.z = options.count;
  } else if (options.count > 1) {
    check_holds_frames(path, options.count);
    how.film = {options.count, options.seconds};
  }
  together_.emplace(path, all, how);
} catch (Error& error) {
  name_file(error, path);
}

void FrameSink::append(const Image& frame, const Control& control) try {
  check_open();
  if (frame.shape() != frame_.shape || frame.channels() != frame_.channels ||
      frame.type() != frame_.type || done_ == options_.count) {
    throw InvalidArgument(message(
        path_, ": a frame of ", to_string(frame.shape()), " ", name_of(frame.type()), " with ",
        frame.channels(), " channels does not go on after ", done_, " of ", options_.count, " of ",
        to_string(frame_.shape), " ", name_of(frame_.type), " with ", frame_.channels));
  }
  if (together_) {
    together_->append(frame, control);
  } else {
    numbered_->write(options_.first + done_, frame, {.compress = options_.compress}, control);
  }
  ++done_;
} catch (Error& error) {
  name_file(error, path_);
  throw;
}

void FrameSink::check_open() const {
  if (together_ || numbered_) return;
  throw LogicError("a film was written on that is complete or was moved from", {.path = path_});
}

void FrameSink::finish() {
  check_open();
  if (done_ != options_.count) {
    throw LogicError(message(path_, ": finished after ", done_, " of ", options_.count, " frames"),
                     {.path = path_});
  }
  together_ ? together_->finish() : numbered_->finish();
  together_.reset();
  numbered_.reset();
}

}  // namespace meander::io
