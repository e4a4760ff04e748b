// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/format.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "io/gif.hpp"
#include "io/npy.hpp"
#include "io/png.hpp"
#include "io/tiff.hpp"

namespace meander::io {
namespace {

using namespace std::string_view_literals;

#ifndef MEANDER_WITH_GIF
constexpr CreateSink create_gif = nullptr;
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

const std::vector<FormatEntry>& table() {
  using enum PixelType;
  static const std::vector<FormatEntry> entries = {
      {{"TIFF", {".tif", ".tiff"}, {u8, u16, i16, f16, f32, f64}},
       {"II*\0"sv, "MM\0*"sv, "II+\0"sv, "MM\0+"sv},
       open_tiff,
       create_tiff},
      {{"OME-TIFF", {".ome.tif", ".ome.tiff"}, {u8, u16, i16, f32, f64}},
       {},
       open_tiff,
       create_ome_tiff},
      {{"PNG", {".png"}, {u8, u16}}, {"\x89PNG\r\n\x1a\n"sv}, open_png, create_png},
      {{"GIF", {".gif"}, {u8}, false}, {"GIF8"sv}, nullptr, create_gif},
      {{"NPY", {".npy"}, {u8, u16, i16, f16, f32, f64}}, {"\x93NUMPY"sv}, open_npy, create_npy},
  };
  return entries;
}

bool is_built(const FormatEntry& entry) { return entry.create != nullptr; }

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
    if (entry.format.readable && !entry.magics.empty()) names.push_back(entry.format.name);
  }
  return listed(names);
}

std::string known_suffixes() {
  std::vector<std::string> suffixes;
  for (const FormatEntry& entry : table()) {
    if (is_built(entry)) std::ranges::copy(entry.format.suffixes, std::back_inserter(suffixes));
  }
  return listed(suffixes);
}

/// The bytes as text a person can compare with a format's description: RIFF, \x1f\x8b.
std::string printable(std::string_view bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= ' ' && byte < 127) {
      text += c;
    } else {
      text += {'\\', 'x', digits[byte / 16], digits[byte % 16]};
    }
  }
  return text;
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// The longest suffix wins, so that .ome.tif is not taken for .tif.
const FormatEntry* find_by_suffix(const std::filesystem::path& path) {
  const std::string name = lower(path.filename().string());
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
  file.unsupported("found a file that begins with '", printable(bytes), "', expected ",
                   readable_formats());
}

const FormatEntry& format_of_suffix(const std::filesystem::path& path) {
  const FormatEntry* entry = find_by_suffix(path);
  if (entry == nullptr) {
    throw Unsupported(message(path.string(), ": found suffix '", path.extension().string(),
                              "', expected ", known_suffixes()));
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

bool can_hold(const std::filesystem::path& path, PixelType type) {
  const FormatEntry* entry = find_by_suffix(path);
  return entry != nullptr && is_built(*entry) &&
         std::ranges::find(entry->format.types, type) != entry->format.types.end();
}

}  // namespace meander::io
