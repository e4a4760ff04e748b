// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "meander/io.hpp"

/// Reads a file that anybody may have made, in every way that a reader offers, and says what is
/// wrong with the reader.
namespace meander::io {

/// A refusal that a file may be answered with: one line, which begins with the file's path, or with
/// that of one beside it where the header's pixels are.
inline std::string fault_of_refusal(const std::filesystem::path& path, std::string_view text) {
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  if (std::any_of(text.begin(), text.end(), is_control)) return "an error of several lines";
  if (!text.starts_with(path.parent_path().string()))
    return "an error without its file: " + std::string(text);
  return "";
}

/// Whether `part` is what `whole` has from `begin` on, along the axis of slabs.
inline bool is_part(const Image& part, const Image& whole, std::int64_t begin) {
  const bool is_volume = whole.shape().z > 1;
  const auto bytes = static_cast<std::size_t>(part.shape().x) * size_of(part.type());
  for (int c = 0; c < part.channels(); ++c) {
    for (std::int64_t z = 0; z < part.shape().z; ++z) {
      for (std::int64_t y = 0; y < part.shape().y; ++y) {
        const std::byte* const expected =
            is_volume ? whole.row_bytes(y, z + begin, c) : whole.row_bytes(y + begin, z, c);
        if (std::memcmp(part.row_bytes(y, z, c), expected, bytes) != 0) return false;
      }
    }
  }
  return true;
}

/// The second half, all of it, and its last slice or row once more, which means going back.
inline std::string fault_of_slabs(Reader& reader) {
  const std::int64_t length = slab_length(reader.description().shape);
  const Image half = reader.slab(length / 2, length);
  const Image whole = reader.read();
  if (!is_part(half, whole, length / 2)) return "the second half differs from that of the whole";
  const Image last = reader.slab(length - 1, length);
  return is_part(last, whole, length - 1) ? "" : "the end differs from that of the whole";
}

/// What is read of a file is chosen by its last bytes, so that it is the same in every run.
inline std::uint32_t choice_from(std::span<const std::uint8_t> file) {
  std::uint32_t choice = 0;
  for (const std::uint8_t byte : file.last(std::min<std::size_t>(3, file.size()))) {
    choice = choice * 256 + byte;
  }
  return choice;
}

/// Options for some frame, channel and part of an image, as `choice` has them.
inline ReadOptions some_part(const Reader& reader, ReadOptions options, std::uint32_t choice) {
  const Shape& shape = reader.whole_shape();
  const Roi roi{.x0 = choice % shape.x, .y0 = choice / 7 % shape.y, .x1 = shape.x, .y1 = shape.y};
  options.roi = roi;
  if ((choice & 4) != 0) options.roi->x1 = roi.x0 + 1;
  options.frame = choice % reader.film().frames;
  options.channel = static_cast<int>(choice % static_cast<std::uint32_t>(reader.whole_channels()));
  return options;
}

/// Empty when the reader behaved: it read the file, or refused it with an error that a file can
/// deserve. `opened` says whether it was opened. Files of other formats than `format` are left
/// alone, unless that is empty.
inline std::string fault_of_reading(const std::filesystem::path& path, std::string_view format,
                                    std::uint32_t choice, bool& opened) {
  try {
    const ReadOptions options{.channels_last = (choice & 1) != 0};
    Reader reader(path, options);
    if (!format.empty() && reader.format() != format) return "";
    opened = true;
    reader.select_frame(choice % reader.film().frames);
    std::string fault = fault_of_slabs(reader);
    if (fault.empty()) Reader(path, some_part(reader, options, choice)).read();
    return fault;
  } catch (const MalformedFile& error) {
    return fault_of_refusal(path, error.what());
  } catch (const Unsupported& error) {
    return fault_of_refusal(path, error.what());
  } catch (const OutOfMemory& error) {
    return fault_of_refusal(path, error.what());
  } catch (const std::exception& error) {
    return std::string("an error that no file deserves: ") + error.what();
  }
}

}  // namespace meander::io
