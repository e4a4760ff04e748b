// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "meander/image.hpp"

/// What ImageJ and OME programs note in the description of a TIFF's first page.
namespace meander::io {

/// ImageJ: lines of key=value.
struct ImageJNotes {
  std::int64_t images = 1;
  std::int64_t channels = 1;
  std::int64_t slices = 1;
  std::int64_t frames = 1;
  std::string unit;
  std::optional<double> slice_distance;
  std::optional<Spacing> exact;  ///< Meander's own line.
};
/// Nothing when the text is not ImageJ's.
std::optional<ImageJNotes> imagej_notes(std::string_view text);
std::string imagej_text(const Description& description);

/// OME: the attributes of the first Pixels element.
struct OmeNotes {
  std::int64_t size_z = 1;
  std::int64_t size_c = 1;
  std::int64_t size_t = 1;
  std::array<std::optional<double>, 3> physical_size;    ///< x, y, z
  std::array<std::string, 3> unit = {"um", "um", "um"};  ///< OME's default
};
/// Nothing when the text is not OME-XML. A small scanner, not an XML parser: it looks at one
/// element.
std::optional<OmeNotes> ome_notes(std::string_view text);
std::string ome_text(const Description& description);

/// Spacing that OME gives, in the unit of x; nothing when x has none.
std::optional<Spacing> spacing_of(const OmeNotes& notes);

}  // namespace meander::io
