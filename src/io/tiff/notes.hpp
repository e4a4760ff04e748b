// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "io/tiff/layout.hpp"

/// What ImageJ and OME programs note in the description of a TIFF's first page. Numbers of things
/// are 1 where the notes do not give them.
namespace meander::io {

/// How many of something there are; 0 when the text is not a positive whole number.
std::int64_t count_in(std::string_view text);

/// ImageJ: lines of key=value.
struct ImageJNotes {
  std::int64_t images = 1;
  std::int64_t channels = 1;
  std::int64_t slices = 1;
  std::int64_t frames = 1;
  std::string order = "czt";  ///< Of the pages, the fastest axis first.
  double seconds = 0;         ///< From frame to frame; 0 when that is not known.
  std::string unit;
  std::optional<double> slice_distance;
  std::optional<Spacing> exact;        ///< Meander's own lines.
  std::optional<Placement> placement;  ///< Counts where `exact` does.

  bool names_axes() const { return channels > 1 || slices > 1 || frames > 1; }
};
/// Nothing when the text is not ImageJ's.
std::optional<ImageJNotes> imagej_notes(std::string_view text);
/// Of `pages_unknown` slices it does not say that they are slices.
std::string imagej_text(const TiffStack& stack, bool pages_unknown = false);

/// A TiffData element: some planes of the image, on directories that follow each other.
struct OmeTiffData {
  std::optional<std::int64_t> directory;          ///< The first of them; -1 for nonsense.
  std::array<std::int64_t, 3> first = {0, 0, 0};  ///< Channel, slice, frame of the first.
  std::optional<std::int64_t> planes;             ///< How many; -1 for nonsense.
};

/// OME: the first Pixels element and what it contains. Other images (series) of the same file are
/// only counted.
struct OmeNotes {
  std::int64_t images = 0;
  std::int64_t size_z = 1;
  std::int64_t size_c = 1;
  std::int64_t size_t = 1;
  std::string order = "XYCZT";                           ///< DimensionOrder
  double seconds = 0;                                    ///< As in ImageJNotes.
  std::array<std::optional<double>, 3> physical_size;    ///< x, y, z
  std::array<std::string, 3> unit = {"um", "um", "um"};  ///< OME's default
  std::set<std::int64_t> samples;                        ///< That channels claim to have each.
  std::vector<OmeTiffData> data;
  std::set<std::string> other_files;         ///< Which a UUID other than this file's goes with.
  std::optional<std::string> metadata_file;  ///< Of a BinaryOnly element, which stands for all.

  bool names_directories() const;
};
/// Nothing when the text is not OME-XML or tells of no pixels.
std::optional<OmeNotes> ome_notes(std::string_view text);
std::string ome_text(const TiffStack& stack);

/// Spacing that OME gives, in the unit of x; nothing when x has none.
std::optional<Spacing> spacing_of(const OmeNotes& notes);

}  // namespace meander::io
