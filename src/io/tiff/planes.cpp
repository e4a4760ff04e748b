// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/tiff/planes.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "io/file/input_file.hpp"

namespace meander::io {
namespace {

using Sizes = std::array<std::int64_t, 3>;

std::optional<std::int64_t> product(const Sizes& sizes) {
  std::int64_t result = 1;
  for (const std::int64_t size : sizes) {
    if (__builtin_mul_overflow(result, size, &result)) return std::nullopt;
  }
  return result;
}

/// Steps for the axes c, z and t in the order of `letters`, the fastest first; nothing when those
/// are other letters. The product of the sizes must not overflow.
std::optional<Sizes> steps_of(std::string_view letters, const Sizes& sizes) {
  constexpr std::string_view axes = "czt";
  Sizes steps = {0, 0, 0};
  std::int64_t step = 1;
  for (const char letter : letters) {
    const auto axis = axes.find(letter);
    if (axis == std::string_view::npos || steps[axis] != 0) return std::nullopt;
    steps[axis] = step;
    step *= sizes[axis];
  }
  return letters.size() == axes.size() ? std::optional(steps) : std::nullopt;
}

std::string in_words(const Sizes& sizes) {
  return message(sizes[0], " channels, ", sizes[1], " slices and ", sizes[2], " frames");
}

void check_files(const InputFile& file, const OmeNotes& notes) {
  if (notes.metadata_file) {
    file.unsupported("found an OME-TIFF described by another file, '",
                     printable(*notes.metadata_file), "', expected its description in itself");
  }
  const std::string own = file.path().filename().string();
  for (const std::string& name : notes.other_files) {
    if (name == own) continue;
    file.unsupported("found a multi-file OME-TIFF with planes in '", printable(name),
                     "', expected all planes in one file");
  }
}

/// SizeC counts samples, however many of them are on a page.
std::int64_t channel_pages(const InputFile& file, const OmeNotes& notes, const TiffPage& page) {
  for (const std::int64_t samples : notes.samples) {
    if (samples == page.samples) continue;
    file.malformed("found OME-XML of channels of ", samples, " samples, expected ", page.samples,
                   " as the pages have");
  }
  if (notes.size_c % page.samples != 0) {
    file.malformed("found OME-XML of ", notes.size_c, " channels on pages of ", page.samples,
                   " samples, expected a multiple of these");
  }
  return notes.size_c / page.samples;
}

Sizes ome_steps(const InputFile& file, const OmeNotes& notes, const Sizes& sizes) {
  std::string letters = notes.order;
  if (letters.starts_with("XY")) letters.erase(0, 2);
  for (char& letter : letters) {
    letter = letter == 'C' ? 'c' : letter == 'Z' ? 'z' : letter == 'T' ? 't' : '?';
  }
  const auto steps = steps_of(letters, sizes);
  if (steps && notes.order.starts_with("XY")) return *steps;
  file.malformed("found OME-XML of the dimension order '", printable(notes.order),
                 "', expected XY and then an order of C, Z and T");
}

/// Collects on which directory each plane is.
class PlaneList {
 public:
  PlaneList(const InputFile& file, const OmeNotes& notes, const Sizes& sizes,
            std::int64_t directories)
      : file_(file),
        sizes_(sizes),
        steps_(ome_steps(file, notes, sizes)),
        count_(*product(sizes)),
        directories_(directories),
        found_(static_cast<std::size_t>(count_), nowhere) {}

  void add(const OmeTiffData& data) {
    const std::int64_t directory = data.directory.value_or(0);
    const std::int64_t start = start_of(data);
    const std::int64_t rest = count_ - start;
    const std::int64_t many = data.planes.value_or(data.directory ? 1 : rest);
    if (directory < 0 || many < 0 || many > rest || many > directories_ - directory) {
      file_.malformed("found OME-XML of ", many, " planes from directory ", directory,
                      " on, expected at most ", rest, " planes and ", directories_, " directories");
    }
    for (std::int64_t i = 0; i < many; ++i) put(start + i, directory + i);
  }

  std::vector<std::size_t> complete() {
    const auto missing = std::ranges::count(found_, nowhere);
    if (missing == 0) return std::move(found_);
    file_.malformed("found OME-XML of ", in_words(sizes_), " that gives no page for ", missing,
                    " of these planes");
  }

 private:
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

  std::int64_t start_of(const OmeTiffData& data) const {
    std::int64_t start = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (data.first[axis] < 0 || data.first[axis] >= sizes_[axis]) {
        file_.malformed("found OME-XML of a plane beyond its ", in_words(sizes_));
      }
      start += data.first[axis] * steps_[axis];
    }
    return start;
  }
  /// Each plane once, which also bounds the work.
  void put(std::int64_t index, std::int64_t directory) {
    const std::int64_t channel = index / steps_[0] % sizes_[0];
    const std::int64_t slice = index / steps_[1] % sizes_[1];
    const std::int64_t frame = index / steps_[2] % sizes_[2];
    std::size_t& place =
        found_[static_cast<std::size_t>((frame * sizes_[1] + slice) * sizes_[0] + channel)];
    if (place != nowhere) file_.malformed("found OME-XML that gives a page for one plane twice");
    place = static_cast<std::size_t>(directory);
  }

  const InputFile& file_;
  const Sizes sizes_;
  const Sizes steps_;
  const std::int64_t count_;
  const std::int64_t directories_;
  std::vector<std::size_t> found_;  ///< By channel, slice and frame, the first one fastest.
};

bool all_positive(const Sizes& sizes) {
  return std::ranges::all_of(sizes, [](std::int64_t size) { return size > 0; });
}

}  // namespace

TiffPlanes stack_planes(std::int64_t pages) { return {.size = {1, pages, 1}, .step = {1, 1, 1}}; }

TiffPlanes imagej_planes(const InputFile& file, const ImageJNotes& notes, const TiffPage& page,
                         std::int64_t pages) {
  TiffPlanes planes{.size = {notes.channels, notes.slices, notes.frames}, .seconds = notes.seconds};
  if (!all_positive(planes.size) || notes.images < 1) {
    file.malformed("found ImageJ's notes of other than positive numbers of images, channels, ",
                   "slices or frames");
  }
  planes.contiguous = pages == 1 && notes.images > 1 && page.is_plain() && !page.separate_planes;
  const std::int64_t found = planes.contiguous ? notes.images : pages;
  // Some programs count the samples of a page as channels.
  const Sizes without_channels = {1, notes.slices, notes.frames};
  if (notes.channels == page.samples && product(without_channels) == found) {
    planes.size = without_channels;
  }
  if (planes.size == Sizes{1, 1, 1}) planes.size[1] = found;
  if (product(planes.size) != found) {
    file.malformed("found ImageJ's notes of ", in_words(planes.size), " on ", found,
                   " pages, expected a page for each");
  }
  if (planes.size[0] > 1 && page.samples > 1) {
    file.unsupported("found an ImageJ hyperstack of ", planes.size[0], " channels on pages of ",
                     page.samples, " samples, expected pages of one");
  }
  const auto steps = steps_of(notes.order == "default" ? "czt" : notes.order, planes.size);
  if (!steps) {
    file.unsupported("found ImageJ's order '", printable(notes.order),
                     "', expected an order of the letters c, z and t");
  }
  planes.step = *steps;
  return planes;
}

std::size_t first_directory(const InputFile& file, const OmeNotes& notes, std::size_t directories) {
  check_files(file, notes);
  const std::int64_t first = notes.data.empty() ? 0 : notes.data.front().directory.value_or(0);
  if (first >= 0 && first < static_cast<std::int64_t>(directories)) {
    return static_cast<std::size_t>(first);
  }
  file.malformed("found OME-XML of a plane on directory ", first, ", expected one of ",
                 directories);
}

TiffPlanes ome_planes(const InputFile& file, const OmeNotes& notes, const TiffPage& page,
                      std::size_t directories, std::size_t full_pages) {
  TiffPlanes planes{.size = {channel_pages(file, notes, page), notes.size_z, notes.size_t},
                    .seconds = notes.seconds};
  if (!all_positive(planes.size)) {
    file.malformed("found OME-XML of other than positive numbers of channels, slices or frames");
  }
  const auto count = product(planes.size);
  if (!count || *count > static_cast<std::int64_t>(directories)) {
    file.malformed("found OME-XML of ", in_words(planes.size), " on ", directories,
                   " pages, expected a page for each");
  }
  // Pages beyond those of the first image may be those of other images, which are not read.
  if (notes.images < 2 && *count < static_cast<std::int64_t>(full_pages)) {
    file.unsupported("found an OME-TIFF of ", in_words(planes.size), " on ", full_pages,
                     " pages, expected no other pages");
  }
  PlaneList list(file, notes, planes.size, static_cast<std::int64_t>(directories));
  for (const OmeTiffData& data : notes.data) list.add(data);
  if (notes.data.empty()) list.add({});
  planes.directories = list.complete();
  planes.step = {1, planes.size[0], planes.size[0] * planes.size[1]};
  return planes;
}

}  // namespace meander::io
