// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "io/tiff/notes.hpp"
#include "io/tiff/page.hpp"

namespace meander::io {

/// How the planes of an image lie on the pages of a TIFF. A plane is what a page holds: one channel
/// or several (samples) of one slice of one frame.
struct TiffPlanes {
  /// Number of planes along channels, slices and frames, and how far neighbours along each are
  /// apart in the list of pages.
  std::array<std::int64_t, 3> size = {1, 1, 1};
  std::array<std::int64_t, 3> step = {1, 1, 1};
  double seconds = 0;
  /// ImageJ beyond 4 GB: one page, whose pixels all other planes follow without a page of their
  /// own.
  bool contiguous = false;
  /// Which directory of the file each plane is on; empty when it is simply each in turn.
  std::vector<std::size_t> directories;

  std::int64_t place(std::int64_t channel, std::int64_t slice, std::int64_t frame) const {
    return channel * step[0] + slice * step[1] + frame * step[2];
  }
};

/// A stack of slices: what pages are when nobody says otherwise.
TiffPlanes stack_planes(std::int64_t pages);

/// Planes as ImageJ's notes have them, on pages like `page`. Throws MalformedFile when the notes
/// contradict the number of pages, Unsupported for samples and pages that are channels both.
TiffPlanes imagej_planes(const InputFile& file, const ImageJNotes& notes, const TiffPage& page,
                         std::int64_t pages);

/// The directory that shows what the pages of the first image are like.
std::size_t first_directory(const InputFile& file, const OmeNotes& notes, std::size_t directories);

/// Planes of the first image of an OME-TIFF of so many directories, `full_pages` of which are
/// neither thumbnails nor masks. Throws MalformedFile when notes and pages contradict each other,
/// Unsupported when planes are in other files or pages belong to no image.
TiffPlanes ome_planes(const InputFile& file, const OmeNotes& notes, const TiffPage& page,
                      std::size_t directories, std::size_t full_pages);

}  // namespace meander::io
