// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "io/file/deflate.hpp"
#include "io/image/source.hpp"
#include "io/image/stored_type.hpp"

namespace meander::io {

// Formats that are a header and then plain numbers: the header's parser says where the numbers
// are, and the rest is the same for all of them.

/// Where the numbers of an image are. Distances are in numbers, from one neighbour to the next.
/// Along x it is 1, or the number of channels where those are neighbours (channel_step 1).
struct RawLayout {
  StoredType type = StoredType::u8;
  Scaling scaling;
  bool swapped = false;  ///< Bytes in the other order than this machine's.
  Compression compression = Compression::none;
  std::int64_t data_begin = 0;  ///< Of the file, where numbers or the compressed stream begin.
  std::int64_t skipped = 0;     ///< Bytes of that stream (or of the file from there) to pass over.
  std::int64_t y_step = 0;
  std::int64_t z_step = 0;
  std::int64_t channel_step = 1;
  std::int64_t frame_step = 0;
};

/// The step across `count` neighbours. Steps are made before the claim is checked; one beyond 63
/// bits is anything, because such a claim is refused.
std::int64_t step_over(std::int64_t step, std::int64_t count);

/// Steps for numbers without gaps in the order channel, x, y, z, frame, the first one fastest.
void set_interleaved(RawLayout& layout, const Description& description);
/// In the order x, y, z, frame, channel.
void set_planar(RawLayout& layout, const Description& description, const Film& film);

/// What a parser has found out. `description.type` is filled in from the layout.
struct RawImage {
  Description description;
  Film film;
  RawLayout layout;
};

/// Checks the claim against the file's size, then hands out a source. `data` is the file of the
/// numbers where that is not `header` itself. The steps must have been made from the description.
std::unique_ptr<Reader::Source> open_raw(InputFile header, std::optional<InputFile> data,
                                         const RawImage& image);

/// How a header and the plain numbers that belong to it are written.
struct RawRecipe {
  std::string header;
  /// The numbers go into this file and the header into the output's own; without, one follows the
  /// other in one file. The numbers are moved into place first, then the header.
  std::optional<std::filesystem::path> data;
  /// Of the numbers; `header_too` for a file that is compressed from its first byte on.
  Compression compression = Compression::none;
  bool header_too = false;
  /// Each channel after the last frame of the one before, rather than neighbours in each pixel.
  bool planar = false;
  /// Where in the header 20 characters wait for the number of bytes that the numbers take.
  std::optional<std::int64_t> size_at;
};

std::unique_ptr<Writer::Sink> create_raw(AtomicFile file, const Description& description,
                                         const WriteOptions& options, const RawRecipe& recipe);

}  // namespace meander::io
