// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <utility>

#include "io/file/named_errors.hpp"
#include "io/file/size_check.hpp"
#include "io/format.hpp"
#include "io/grey.hpp"
#include "io/image/orientation.hpp"
#include "io/image/spacing.hpp"
#include "io/slices.hpp"
#include "meander/device.hpp"

namespace meander::io {
namespace {

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
std::optional<std::int64_t> frame_of(const Reader::Source& source, const Film& film,
                                     std::optional<std::int64_t> wanted) {
  if (!wanted && film.frames == 1) return 0;
  if (!wanted || (*wanted >= 0 && *wanted < film.frames)) return wanted;
  throw InvalidArgument(message(source.file.path().string(), ": found frame ", *wanted,
                                " of a film of ", film.frames, ", expected 0 to ",
                                film.frames - 1));
}

void check_slice(const Reader::Source& source, const Shape& volume, const Slice& slice) {
  const std::string path = source.file.path().string();
  const char letter = "xyz"[static_cast<int>(slice.across)];
  if (volume.z == 1 && slice.across != Slice::Across::z) {
    throw InvalidArgument(message(path, ": found an image of ", to_string(volume),
                                  ", expected a volume for slices across ", letter));
  }
  const std::int64_t count = count_slices(volume, slice.across);
  if (slice.index >= 0 && slice.index < count) return;
  throw InvalidArgument(message(path, ": found slice ", slice.index, " of ", count, " across ",
                                letter, ", expected 0 to ", count - 1));
}

Description part_of(Description whole, std::int64_t begin, std::int64_t end) {
  (whole.shape.z > 1 ? whole.shape.z : whole.shape.y) = end - begin;
  return whole;
}

}  // namespace

std::int64_t slab_length(const Shape& shape) { return shape.z > 1 ? shape.z : shape.y; }

/// Slices [first, first + count) of the part that is read.
struct Reader::Block {
  Image part;
  std::int64_t first = 0, count = 0;
  std::optional<std::int64_t> frame;
};

Reader::Reader(const std::filesystem::path& path, const ReadOptions& options) try
    : source_(with_named_errors(path, [&] { return open(path, options); })),
      volume_(upright(source_->description, source_->orientation)),
      film_(source_->film),
      slice_(options.slice),
      channel_(channel_of(*source_, options)) {
  if (options.grey && channel_) {
    throw InvalidArgument(
        message(path.string(), ": found a channel and a grey, expected the choice of one"));
  }
  if (options.grey) {
    channel_ = channel_of_grey(*source_, *options.grey);
    if (!channel_) grey_ = options.grey;
  }
  if (options.spacing) set_spacing(volume_, *options.spacing);
  settle_pages(options);
  frame_ = frame_of(*source_, film_, options.frame);
  if (slice_) check_slice(*source_, volume_.shape, *slice_);
  roi_ = roi_of(*source_, slice_ ? slice_of(volume_, *slice_).shape : volume_.shape, options);
  describe_part();
} catch (Error& error) {
  name_file(error, path);
}
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;
Reader::~Reader() = default;

void Reader::settle_pages(const ReadOptions& options) {
  const bool has_frames = film_.frames > 1, has_slices = volume_.shape.z > 1;
  if (!has_frames && !has_slices) return;
  const bool says = has_frames || source_->slicing == Slicing::said;
  if (says) {
    if (!options.pages || (*options.pages == Pages::frames ? has_frames : has_slices)) return;
    const char* const found = has_frames ? "frames" : "slices";
    throw InvalidArgument(message(source_->file.path().string(), ": says that it holds ", found,
                                  ", expected to read its pages as ", found, " too"));
  }
  const bool is_unknown = source_->slicing == Slicing::unknown;
  pages_unknown_ = is_unknown && !options.pages;
  if (options.pages.value_or(is_unknown ? options.unknown_pages : Pages::slices) == Pages::slices) {
    return;
  }
  film_.frames = std::exchange(volume_.shape.z, 1);
  slices_are_frames_ = true;
}

/// What is seen of the file, and what is read of that.
void Reader::describe_part() {
  whole_ = slice_ ? slice_of(volume_, *slice_) : volume_;
  description_ = whole_;
  description_.shape.x = roi_.x1 - roi_.x0;
  description_.shape.y = roi_.y1 - roi_.y0;
  if (channel_ || grey_) description_.channels = 1;
  if (description_.placement) {
    description_.placement = description_.placement->moved_to(roi_.x0, roi_.y0, 0);
  }
}

const Shape& Reader::whole_shape() const { return whole_.shape; }
int Reader::whole_channels() const { return whole_.channels; }
int Reader::whole_colours() const { return colours_of(*source_); }
const std::string& Reader::print_density() const { return source_->print_density; }
const std::string& Reader::format() const { return source_->format; }
void Reader::select_frame(std::int64_t frame) {
  with_named_errors(source_->file.path(), [&] { frame_ = frame_of(*source_, film_, frame); });
}

std::int64_t Reader::slices() const {
  return count_slices(volume_.shape, slice_.value_or(Slice{}).across);
}

void Reader::select_slice(std::int64_t index) {
  if (!slice_) throw LogicError("a slice was asked for of an input that was opened whole");
  const Slice wanted{slice_->across, index};
  with_named_errors(source_->file.path(), [&] { check_slice(*source_, volume_.shape, wanted); });
  slice_ = wanted;
  describe_part();
}

/// A part of the volume in the file from a pixel on.
Image Reader::read_part(Description part, std::array<std::int64_t, 3> from,
                        const Control& control) {
  // A source that cannot pick delivers all channels, of which one is kept.
  const bool keeps_one = channel_ && !source_->picks_channels;
  if (keeps_one || grey_) part.channels = whole_channels();
  check_budget(source_->file, part);
  return with_named_errors(source_->file.path(), [&] {
    Progress progress(control, part.bytes());
    Image all = Image::allocate(part);
    const Corner corner{.x = from[0],
                        .y = from[1],
                        .z = from[2] + (slices_are_frames_ ? *frame_ : 0),
                        .channel = keeps_one ? 0 : channel_.value_or(0),
                        .frame = slices_are_frames_ ? 0 : *frame_};
    read_upright(*source_, corner, all, progress);
    if (grey_) return mixed(all, whole_colours(), *grey_);
    return keeps_one ? all.channel(*channel_).clone({.stop = control.stop, .progress = {}}) : all;
  });
}

/// Whoever goes through the slices in order gets many from one reading, because each alone would
/// cost nearly as much.
Image Reader::slab_across(std::int64_t begin, std::int64_t end, const Control& control) {
  constexpr std::uint64_t most_bytes = std::uint64_t{32} << 20;
  const bool is_at_hand = block_ && block_->frame == frame_ && slice_->index >= block_->first &&
                          slice_->index < block_->first + block_->count;
  if (!is_at_hand) {
    const bool in_order = block_ && slice_->index == block_->first + block_->count;
    block_.reset();
    const MemoryUse use = Device::open("cpu").memory();
    const std::uint64_t left = use.budget > use.in_use ? use.budget - use.in_use : 0;
    const auto fit =
        static_cast<std::int64_t>(std::min(left / 4, most_bytes)) / description_.bytes();
    Block block{.first = slice_->index, .frame = frame_};
    block.count =
        in_order ? std::clamp<std::int64_t>(fit, 1, slices() - slice_->index) : std::int64_t{1};
    const auto axes = axes_of(slice_->across);
    std::array<std::int64_t, 3> from{}, extent{};
    from[axes[0]] = roi_.x0, extent[axes[0]] = description_.shape.x;
    from[axes[1]] = roi_.y0, extent[axes[1]] = description_.shape.y;
    from[axes[2]] = block.first, extent[axes[2]] = block.count;
    Description part = volume_;
    part.shape = {extent[0], extent[1], extent[2]};
    part.channels = description_.channels;
    block.part = read_part(part, from, control);
    block_ = std::make_unique<Block>(std::move(block));
  }
  const Slice in_block{slice_->across, slice_->index - block_->first};
  return copied_slice(block_->part, in_block, begin, part_of(description(), begin, end));
}

Image Reader::slab(std::int64_t begin, std::int64_t end, const Control& control) try {
  const std::int64_t length = slab_length(description().shape);
  if (begin < 0 || end <= begin || end > length) {
    throw InvalidArgument(message(source_->file.path().string(), ": slab ", begin, " to ", end,
                                  " was asked for, expected a part of 0 to ", length));
  }
  if (!frame_) {
    throw InvalidArgument(message(source_->file.path().string(), ": found a film of ",
                                  film().frames, " frames, expected the choice of one"));
  }
  if (slice_ && slice_->across != Slice::Across::z) return slab_across(begin, end, control);
  const bool is_volume = description().shape.z > 1;
  const std::int64_t z = slice_ ? slice_->index : is_volume ? begin : 0;
  return read_part(part_of(description(), begin, end),
                   {roi_.x0, roi_.y0 + (is_volume ? 0 : begin), z}, control);
} catch (Error& error) {
  name_file(error, source_->file.path());
  throw;
}

Image Reader::read(const Control& control) {
  return slab(0, slab_length(description().shape), control);
}

Image read(const std::filesystem::path& path, const ReadOptions& options, const Control& control) {
  return Reader(path, options).read(control);
}

std::string read_text(const std::filesystem::path& path, std::int64_t most_bytes) {
  return with_named_errors(path, [&] {
    const InputFile file(path);
    if (file.size() > most_bytes) {
      file.unsupported("found ", file.size(), " bytes of text, expected at most ", most_bytes);
    }
    std::string text(static_cast<std::size_t>(file.size()), ' ');
    file.read(0, std::as_writable_bytes(std::span(text)));
    return text;
  });
}

}  // namespace meander::io
