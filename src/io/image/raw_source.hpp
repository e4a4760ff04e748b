// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <memory>
#include <optional>

#include "io/file/deflate.hpp"
#include "io/image/source.hpp"
#include "io/image/stored_type.hpp"

/// Formats that are a header and then plain numbers: the header's parser says where the numbers
/// are, and the rest is the same for all of them.
namespace meander::io {

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

}  // namespace meander::io
