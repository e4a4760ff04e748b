// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/tiff_sink.hpp"

#include <limits>

#include "io/pixel_rows.hpp"
#include "io/tiff.hpp"
#include "io/tiff_notes.hpp"

namespace meander::io {
namespace {

/// What the widths of the tags allow.
void check(const AtomicFile& file, const Description& description) {
  constexpr std::int64_t longest_axis = std::numeric_limits<std::uint32_t>::max();
  constexpr int most_channels = std::numeric_limits<std::uint16_t>::max();
  const Shape& shape = description.shape;
  if (shape.x <= longest_axis && shape.y <= longest_axis && description.channels <= most_channels) {
    return;
  }
  throw Unsupported(message(file.path().string(), ": found an image of ", to_string(shape),
                            " with ", description.channels, " channels, expected for TIFF at most ",
                            longest_axis, " pixels along x and y and ", most_channels,
                            " channels"));
}

}  // namespace

TiffSink::TiffSink(AtomicFile opened, const Description& announced, const std::string& notes,
                   bool big)
    : Sink(std::move(opened), announced), layout_(announced, notes, big) {
  check(file, description);
  file.write(layout_.front());
}

void TiffSink::append(const Image& slab, Progress& progress) { write_raw(file, slab, progress); }

void TiffSink::complete() {
  for (std::int64_t page = 1; page <= layout_.later_pages(); ++page) {
    file.write(layout_.directory(page));
  }
}

std::unique_ptr<Writer::Sink> create_tiff(AtomicFile file, const Description& description) {
  file.check_room(description.bytes());
  return std::make_unique<TiffSink>(std::move(file), description, imagej_text(description),
                                    TiffLayout::needs_big(description));
}

std::unique_ptr<Writer::Sink> create_ome_tiff(AtomicFile file, const Description& description) {
  file.check_room(description.bytes());
  return std::make_unique<TiffSink>(std::move(file), description, ome_text(description),
                                    TiffLayout::needs_big(description));
}

}  // namespace meander::io
