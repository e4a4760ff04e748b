// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstddef>
#include <span>

#include "io/image/source.hpp"

/// How pixels are stored against how the image is seen, by the number that EXIF and TIFF give it
/// (tag 274): 1 upright, 2 to 4 mirrored or upside down, 5 to 8 with rows for columns.
namespace meander::io {

inline constexpr std::uint16_t orientation_tag = 274;

/// The number itself, or 1 for one that has no meaning, as other programs take it.
int known_orientation(std::uint64_t number);

/// The orientation in an EXIF block, which is a TIFF without pixels; 1 when it has none.
int exif_orientation(std::span<const std::byte> block);

/// Of the image as it is seen. A placement is lost where pixels move: whoever wrote it did not mean
/// another order of them.
Description upright(Description stored, int orientation);

/// Fills all of `out`, the part of the upright image that starts at `from`.
void read_upright(Reader::Source& source, const Corner& from, Image& out, Progress& progress);

}  // namespace meander::io
