// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/format.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "io/bmp/bmp.hpp"
#include "io/file/input_file.hpp"
#include "io/gif/gif.hpp"
#include "io/image/volume_header.hpp"
#include "io/jpeg/jpeg.hpp"
#include "io/meta_image/meta_image.hpp"
#include "io/nifti/nifti.hpp"
#include "io/npy/npy.hpp"
#include "io/nrrd/nrrd.hpp"
#include "io/png/png.hpp"
#include "io/tiff/tiff.hpp"

namespace meander::io {
namespace {

using namespace std::string_view_literals;

#ifndef MEANDER_WITH_GIF
constexpr CreateSink create_gif = nullptr;
#endif
#ifndef MEANDER_WITH_JPEG
constexpr OpenSource open_jpeg = nullptr;
#endif
#ifndef MEANDER_WITH_TIFF
constexpr OpenSource open_tiff = nullptr;
constexpr CreateSink create_tiff = nullptr;
constexpr CreateSink create_ome_tiff = nullptr;
#endif
#ifndef MEANDER_WITH_PNG
constexpr OpenSource open_png = nullptr;
constexpr CreateSink create_png = nullptr;
#endif

using enum PixelType;

// With a variable each: of nested lists g++ 12 destroys some twice when memory runs out on the way.

FormatEntry tiff() {
  Format format{.name = "TIFF",
                .suffixes = {".tif", ".tiff"},
                .types = {u8, u16, i16, f16, f32, f64},
                .films = true,
                .placement = true};
  return {std::move(format), {"II*\0"sv, "MM\0*"sv, "II+\0"sv, "MM\0+"sv}, open_tiff, create_tiff};
}

FormatEntry ome_tiff() {
  Format format{.name = "OME-TIFF",
                .suffixes = {".ome.tif", ".ome.tiff"},
                .types = {u8, u16, i16, f32, f64},
                .films = true};
  return {std::move(format), {}, open_tiff, create_ome_tiff};
}

FormatEntry png() {
  Format format{"PNG", {".png"}, {u8, u16}};
  return {std::move(format), {"\x89PNG\r\n\x1a\n"sv}, open_png, create_png};
}

FormatEntry jpeg() {
  Format format{.name = "JPEG", .suffixes = {".jpg", ".jpeg"}, .types = {}, .writable = false};
  return {std::move(format), {"\xff\xd8\xff"sv}, open_jpeg, nullptr};
}

FormatEntry bmp() {
  Format format{.name = "BMP", .suffixes = {".bmp"}, .types = {}, .writable = false};
  return {std::move(format), {}, open_bmp, nullptr, is_bmp};
}

FormatEntry nifti() {
  Format format{.name = "NIfTI",
                .suffixes = {".nii", ".nii.gz", ".hdr", ".img"},
                .types = {u8, u16, i16, f32, f64},
                .films = true,
                .placement = true};
  return {std::move(format),
          {"\x5c\x01\0\0"sv, "\0\0\x01\x5c"sv, "\x1c\x02\0\0"sv, "\0\0\x02\x1c"sv, "\x1f\x8b"sv},
          open_nifti,
          create_nifti,
          recognise_nifti};
}

FormatEntry nrrd() {
  Format format{.name = "NRRD",
                .suffixes = {".nrrd", ".nhdr"},
                .types = {u8, u16, i16, f32, f64},
                .films = true,
                .compresses = true,
                .placement = true};
  return {std::move(format), {"NRRD"sv}, open_nrrd, create_nrrd};
}

FormatEntry meta_image() {
  Format format{.name = "MetaImage",
                .suffixes = {".mha", ".mhd"},
                .types = {u8, u16, i16, f32, f64},
                .films = true,
                .compresses = true,
                .placement = true};
  return {std::move(format), {}, open_meta_image, create_meta_image, is_meta_image};
}

FormatEntry gif() {
  Format format{
      .name = "GIF", .suffixes = {".gif"}, .types = {u8}, .readable = false, .films = true};
  return {std::move(format), {"GIF8"sv}, nullptr, create_gif};
}

FormatEntry npy() {
  Format format{
      .name = "NPY", .suffixes = {".npy"}, .types = {u8, u16, i16, f16, f32, f64}, .films = true};
  return {std::move(format), {"\x93NUMPY"sv}, open_npy, create_npy};
}

const std::vector<FormatEntry>& table() {
  static const std::vector<FormatEntry> entries = [] {
    std::vector<FormatEntry> all;
    for (const auto make : {tiff, ome_tiff, png, jpeg, bmp, nifti, nrrd, meta_image, gif, npy})
      all.push_back(make());
    return all;
  }();
  return entries;
}

bool is_built(const FormatEntry& entry) { return entry.open != nullptr || entry.create != nullptr; }

/// "a, b or c".
std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

std::string readable_formats() {
  std::vector<std::string> names;
  for (const FormatEntry& entry : table()) {
    const bool has_content = !entry.magics.empty() || entry.recognise != nullptr;
    if (entry.format.readable && has_content) names.push_back(entry.format.name);
  }
  return listed(names);
}

std::string known_suffixes() {
  std::vector<std::string> suffixes;
  for (const FormatEntry& entry : table()) {
    if (entry.create != nullptr)
      std::ranges::copy(entry.format.suffixes, std::back_inserter(suffixes));
  }
  return listed(suffixes);
}

/// The longest suffix wins, so that .ome.tif is not taken for .tif.
const FormatEntry* find_by_suffix(const std::filesystem::path& path) {
  const std::string name = lower_case(path.filename().string());
  const FormatEntry* best = nullptr;
  std::size_t length = 0;
  for (const FormatEntry& entry : table()) {
    for (const std::string& suffix : entry.format.suffixes) {
      if (suffix.size() <= length || !name.ends_with(suffix)) continue;
      best = &entry;
      length = suffix.size();
    }
  }
  return best;
}

}  // namespace

const FormatEntry& format_of_content(const InputFile& file) {
  if (file.size() == 0) file.malformed("found an empty file, expected ", readable_formats());
  char head[8] = {};
  const auto length = std::min<std::int64_t>(file.size(), sizeof head);
  const std::string_view bytes(head, static_cast<std::size_t>(length));
  file.read(0, std::as_writable_bytes(std::span(head, bytes.size())));
  for (const FormatEntry& entry : table()) {
    for (const std::string_view magic : entry.magics) {
      if (!bytes.starts_with(magic)) continue;
      if (!entry.format.readable) {
        file.unsupported("found ", entry.format.name, ", which can only be written, expected ",
                         readable_formats());
      }
      if (!is_built(entry)) file.unsupported("this build has no ", entry.format.name);
      return entry;
    }
  }
  for (const FormatEntry& entry : table()) {
    if (entry.recognise != nullptr && entry.recognise(file)) return entry;
  }
  if (const auto name = name_of_content(file)) {
    // What to do about it is said in place of what would be read.
    const bool says_what_to_do = name->find(':') != std::string::npos;
    file.unsupported("found ", *name, says_what_to_do ? "" : ", expected " + readable_formats());
  }
  file.unsupported("found a file that begins with '", printable(bytes), "', expected ",
                   readable_formats());
}

const FormatEntry& format_of_suffix(const std::filesystem::path& path) {
  const FormatEntry* entry = find_by_suffix(path);
  if (entry == nullptr) {
    throw Unsupported(message(path.string(), ": found suffix '", path.extension().string(),
                              "', expected ", known_suffixes()));
  }
  if (!entry->format.writable) {
    throw Unsupported(message(path.string(), ": found suffix '", path.extension().string(),
                              "' of a format that can only be read, expected ", known_suffixes()));
  }
  if (!is_built(*entry)) {
    throw Unsupported(message(path.string(), ": this build has no ", entry->format.name));
  }
  return *entry;
}

std::vector<Format> formats() {
  std::vector<Format> built;
  for (const FormatEntry& entry : table()) {
    if (is_built(entry)) built.push_back(entry.format);
  }
  return built;
}

const Format* known_format(const std::filesystem::path& path) {
  const FormatEntry* const entry = find_by_suffix(path);
  return entry != nullptr && is_built(*entry) ? &entry->format : nullptr;
}

bool can_hold(const std::filesystem::path& path, PixelType type) {
  const Format* const format = known_format(path);
  return format != nullptr && std::ranges::find(format->types, type) != format->types.end();
}

}  // namespace meander::io
