// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/tiff/sink.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "io/image/pixel_rows.hpp"
#include "io/tiff/notes.hpp"
#include "io/tiff/tiff.hpp"

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

TiffSink::TiffSink(AtomicFile opened, const TiffStack& stack, const std::string& notes, bool big)
    : Sink(std::move(opened), stack.image(), stack.film()),
      stack_(stack),
      layout_(stack, notes, big) {
  check(file, description);
  file.write(layout_.front());
  const std::int64_t later = stack.channel_pages() - 1;
  if (later > 0 && description.shape.z == 1) {
    waiting_ = SpillFile(file.path().parent_path(), later * stack.page().bytes());
  }
}

void TiffSink::append(const Image& slab, Progress& progress) {
  if (stack_.channel_pages() == 1) return write_raw(file, slab, progress);
  if (description.shape.z == 1) return append_rows(slab, progress);
  for (std::int64_t z = 0; z < slab.shape().z; ++z) {
    for (int c = 0; c < slab.channels(); ++c) {
      write_raw(file, slab.slices(z, z + 1).channel(c), progress);
    }
  }
}

/// Rows arrive with all channels, but a page holds all rows of one channel.
void TiffSink::append_rows(const Image& slab, Progress& progress) {
  write_raw(file, slab.channel(0), progress);
  for (int c = 1; c < slab.channels(); ++c) {
    std::int64_t at = (c - 1) * stack_.page().bytes() + waiting_bytes_;
    write_raw(
        [&](std::span<const std::byte> bytes) {
          waiting_.write(at, bytes);
          at += static_cast<std::int64_t>(bytes.size());
        },
        slab.channel(c), progress);
  }
  waiting_bytes_ += slab.description().bytes() / slab.channels();
  if (waiting_bytes_ == stack_.page().bytes()) append_waiting();
}

void TiffSink::append_waiting() {
  const std::int64_t end = (stack_.channel_pages() - 1) * stack_.page().bytes();
  std::vector<std::byte> piece;
  for (std::int64_t at = 0; at < end; at += bytes_per_step) {
    piece.resize(static_cast<std::size_t>(std::min(bytes_per_step, end - at)));
    waiting_.read(at, piece);
    file.write(piece);
  }
  waiting_bytes_ = 0;
}

void TiffSink::complete() {
  for (std::int64_t page = 1; page <= layout_.later_pages(); ++page) {
    file.write(layout_.directory(page));
  }
}

std::unique_ptr<Writer::Sink> create_tiff(AtomicFile file, const Description& description,
                                          const WriteOptions& options) {
  const TiffStack stack(description, options.film);
  file.check_room(stack.bytes());
  return std::make_unique<TiffSink>(std::move(file), stack,
                                    imagej_text(stack, options.pages_unknown),
                                    TiffLayout::needs_big(stack));
}

std::unique_ptr<Writer::Sink> create_ome_tiff(AtomicFile file, const Description& description,
                                              const WriteOptions& options) {
  const TiffStack stack(description, options.film);
  file.check_room(stack.bytes());
  return std::make_unique<TiffSink>(std::move(file), stack, ome_text(stack),
                                    TiffLayout::needs_big(stack));
}

}  // namespace meander::io
