// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/outline_text.hpp"
#include "meander/track.hpp"
#include "outline_io/roi_zip.hpp"

namespace meander {
namespace {

/// Where the file of a region of interest says which image of a stack it belongs to, from 1 on.
constexpr std::size_t place_of_position = 56;

std::string at_position(std::string bytes, std::int64_t position) {
  for (int i = 0; i < 4; ++i) {
    bytes[place_of_position + static_cast<std::size_t>(i)] =
        static_cast<char>(position >> (24 - 8 * i) & 0xff);
  }
  return bytes;
}

std::string roi_of(const TrackedObject& object) {
  if (object.holes.empty()) return outline_as_roi(object.curve, object.id);
  return outline_as_roi(
      Outline{.id = object.id, .polygon = {object.curve.points}, .holes = object.holes});
}

std::string four_digits(std::int64_t number) {
  const std::string digits = std::to_string(number);
  return std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') + digits;
}

}  // namespace

std::string tracks_as_roi_zip(std::span<const TrackFrame> frames) {
  std::vector<ZipEntry> entries;
  for (const TrackFrame& frame : frames) {
    const std::int64_t position = frame.frame + 1;
    for (const TrackedObject& object : frame.objects) {
      entries.push_back({four_digits(position) + "-" + four_digits(object.id) + ".roi",
                         at_position(roi_of(object), position)});
    }
  }
  return stored_zip(entries);
}

}  // namespace meander
