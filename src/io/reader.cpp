// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <new>
#include <utility>

#include "io/claim.hpp"
#include "io/format.hpp"
#include "io/grey.hpp"
#include "io/orientation.hpp"
#include "io/signature.hpp"
#include "io/spacing.hpp"

namespace meander::io {
namespace {

/// Memory that runs out inside is reported with the file's name, whoever ran out of it.
template <class Work>
auto with_named_memory_errors(const std::filesystem::path& path, Work&& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    throw OutOfMemory(message(path.string(), ": the system has no memory left to read it"));
  } catch (const OutOfMemory& error) {
    const std::string_view text = error.what();
    if (text.starts_with(path.string())) throw;
    throw OutOfMemory(message(path.string(), ": ", text));
  }
}

std::unique_ptr<Reader::Source> open(const std::filesystem::path& path,
                                     const ReadOptions& options) {
  if (const auto name = name_of_folder(path)) {
    throw Unsupported(message(path.string(), ": found ", *name, ", expected a file"));
  }
  InputFile file(path);
  // One that opens as an image is one, whatever else it is.
  const bool may_be_dicom = is_dicom(file);
  try {
    const FormatEntry& entry = format_of_content(file);
    auto source = entry.open(std::move(file), options);
    source->format = entry.format.name;
    return source;
  } catch (const FileSystemError&) {
    throw;
  } catch (const Error&) {
    if (!may_be_dicom) throw;
    throw Unsupported(message(path.string(), ": found ", dicom_name));
  }
}

Roi roi_of(const Reader::Source& source, const Shape& shape, const ReadOptions& options) {
  const Roi roi = options.roi.value_or(Roi{0, 0, shape.x, shape.y});
  const bool holds_pixels = roi.x0 < roi.x1 && roi.y0 < roi.y1;
  if (holds_pixels && roi.x0 >= 0 && roi.y0 >= 0 && roi.x1 <= shape.x && roi.y1 <= shape.y) {
    return roi;
  }
  throw InvalidArgument(message(source.file.path().string(), ": found the part ", roi.x0, ",",
                                roi.y0, ",", roi.x1, ",", roi.y1, " of an image of ",
                                to_string(shape), ", expected x0 < x1 <= ", shape.x,
                                " and y0 < y1 <= ", shape.y, ", from 0 on"));
}

std::optional<int> channel_of(const Reader::Source& source, const ReadOptions& options) {
  const int channels = source.description.channels;
  if (!options.channel || (*options.channel >= 0 && *options.channel < channels)) {
    return options.channel;
  }
  throw InvalidArgument(message(source.file.path().string(), ": found channel ", *options.channel,
                                " of an image of ", channels, ", expected 0 to ", channels - 1));
}

int colours_of(const Reader::Source& source) {
  return source.description.channels - (source.has_alpha ? 1 : 0);
}

/// The channel that a grey is, without a look at others; nothing where they are mixed.
std::optional<int> channel_of_grey(const Reader::Source& source, Grey grey) {
  const int colours = colours_of(source);
  if (colours == 1) return 0;
  if (grey == Grey::max || grey == Grey::mean) return {};
  if (colours == 3) {
    return grey == Grey::luminance
               ? std::nullopt
               : std::optional(static_cast<int>(grey) - static_cast<int>(Grey::red));
  }
  throw InvalidArgument(message(source.file.path().string(), ": found ", colours,
                                " channels, expected red, green and blue for such a grey; of any "
                                "others take max, mean or one channel"));
}

/// The one there is, the one that was asked for, or none.
std::optional<std::int64_t> frame_of(const Reader::Source& source,
                                     std::optional<std::int64_t> wanted) {
  const std::int64_t frames = source.film.frames;
  if (!wanted && frames == 1) return 0;
  if (!wanted || (*wanted >= 0 && *wanted < frames)) return wanted;
  throw InvalidArgument(message(source.file.path().string(), ": found frame ", *wanted,
                                " of a film of ", frames, ", expected 0 to ", frames - 1));
}

Description part_of(Description whole, std::int64_t begin, std::int64_t end) {
  (whole.shape.z > 1 ? whole.shape.z : whole.shape.y) = end - begin;
  return whole;
}

}  // namespace

std::int64_t slab_length(const Shape& shape) { return shape.z > 1 ? shape.z : shape.y; }

Reader::Reader(const std::filesystem::path& path, const ReadOptions& options)
    : source_(with_named_memory_errors(path, [&] { return open(path, options); })),
      whole_(upright(source_->description, source_->orientation)),
      roi_(roi_of(*source_, whole_.shape, options)),
      channel_(channel_of(*source_, options)),
      frame_(frame_of(*source_, options.frame)),
      description_(whole_) {
  description_.shape.x = roi_.x1 - roi_.x0;
  description_.shape.y = roi_.y1 - roi_.y0;
  if (options.grey && channel_) {
    throw InvalidArgument(
        message(path.string(), ": found a channel and a grey, expected the choice of one"));
  }
  if (options.grey) {
    channel_ = channel_of_grey(*source_, *options.grey);
    if (!channel_) grey_ = options.grey;
  }
  if (channel_ || grey_) description_.channels = 1;
  if (options.spacing) set_spacing(description_, *options.spacing);
  if (description_.placement) {
    description_.placement = description_.placement->moved_to(roi_.x0, roi_.y0, 0);
  }
}
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;
Reader::~Reader() = default;

const Shape& Reader::whole_shape() const { return whole_.shape; }
int Reader::whole_channels() const { return whole_.channels; }
int Reader::whole_colours() const { return colours_of(*source_); }
const std::string& Reader::print_density() const { return source_->print_density; }
const Film& Reader::film() const { return source_->film; }
const std::string& Reader::format() const { return source_->format; }
void Reader::select_frame(std::int64_t frame) { frame_ = frame_of(*source_, frame); }

Image Reader::slab(std::int64_t begin, std::int64_t end, const Control& control) {
  const std::int64_t length = slab_length(description().shape);
  if (begin < 0 || end <= begin || end > length) {
    throw InvalidArgument(message(source_->file.path().string(), ": slab ", begin, " to ", end,
                                  " was asked for, expected a part of 0 to ", length));
  }
  if (!frame_) {
    throw InvalidArgument(message(source_->file.path().string(), ": found a film of ",
                                  film().frames, " frames, expected the choice of one"));
  }
  Description part = part_of(description(), begin, end);
  // A source that cannot pick delivers all channels, of which one is kept.
  const bool keeps_one = channel_ && !source_->picks_channels;
  if (keeps_one || grey_) part.channels = whole_channels();
  check_budget(source_->file, part);
  return with_named_memory_errors(source_->file.path(), [&] {
    Progress progress(control, part.bytes());
    Image all = Image::allocate(part);
    const bool is_volume = description().shape.z > 1;
    const Corner from{.x = roi_.x0,
                      .y = roi_.y0 + (is_volume ? 0 : begin),
                      .z = is_volume ? begin : 0,
                      .channel = keeps_one ? 0 : channel_.value_or(0),
                      .frame = *frame_};
    read_upright(*source_, from, all, progress);
    if (grey_) return mixed(all, whole_colours(), *grey_);
    return keeps_one ? all.channel(*channel_).clone() : all;
  });
}

Image Reader::read(const Control& control) {
  return slab(0, slab_length(description().shape), control);
}

Image read(const std::filesystem::path& path, const ReadOptions& options, const Control& control) {
  return Reader(path, options).read(control);
}

std::string read_text(const std::filesystem::path& path, std::int64_t most_bytes) {
  const InputFile file(path);
  if (file.size() > most_bytes) {
    file.unsupported("found ", file.size(), " bytes of text, expected at most ", most_bytes);
  }
  std::string text(static_cast<std::size_t>(file.size()), ' ');
  file.read(0, std::as_writable_bytes(std::span(text)));
  return text;
}

}  // namespace meander::io
