// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "core/control_part.hpp"
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

std::string tracks_as_roi_zip(std::span<const TrackFrame> frames, const Control& control) {
  std::vector<ZipEntry> entries;
  const Control stop{.stop = control.stop, .progress = {}};
  for_each_step(frames, part_of(control, 0, 0.5), [&](const TrackFrame& frame) {
    const std::int64_t position = frame.frame + 1;
    for (const TrackedObject& object : frame.objects) {
      stop.step(0);
      entries.push_back({four_digits(position) + "-" + four_digits(object.id) + ".roi",
                         at_position(roi_of(object), position)});
    }
  });
  return stored_zip(entries, part_of(control, 0.5, 1));
}

}  // namespace meander
