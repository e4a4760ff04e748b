// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "meander/io.hpp"

namespace meander::io {

/// How an image or film that is written goes onto pages: channels first, then slices, then frames,
/// ImageJ's order. Channels are samples of one page in a single 2-D image, and in every picture of
/// colours (three or four of u8 or u16); in other volumes and films they are pages, because ImageJ
/// opens no page of other samples.
class TiffStack {
 public:
  explicit TiffStack(const Description& image, const Film& film = {});

  const Description& image() const { return image_; }
  const Film& film() const { return film_; }
  /// One page, with its samples as channels.
  const Description& page() const { return page_; }
  std::int64_t channel_pages() const { return image_.channels / page_.channels; }
  std::int64_t pages() const { return channel_pages() * image_.shape.z * film_.frames; }
  /// Of all pages. The writer has seen to it that this does not overflow.
  std::int64_t bytes() const { return image_.bytes() * film_.frames; }
  bool is_colour() const;

 private:
  Description image_;
  Film film_;
  Description page_;
};

/// A directory under construction, little-endian. Values that do not fit an entry follow it.
class TiffDirectoryBuilder {
 public:
  explicit TiffDirectoryBuilder(bool big) : big_(big) {}

  /// Tags have to come in rising order, as the format demands.
  void add_short(std::uint16_t tag, const std::vector<std::uint16_t>& values);
  void add_long(std::uint16_t tag, std::uint32_t value);
  void add_rational(std::uint16_t tag, double value);
  void add_text(std::uint16_t tag, const std::string& text);
  /// Positions and byte counts: as wide as the kind of file needs.
  void add_positions(std::uint16_t tag, const std::vector<std::uint64_t>& values);

  std::uint64_t bytes() const;
  /// The directory as it stands at `position`, with the next one at `next` (0 for none).
  std::string text_at(std::uint64_t position, std::uint64_t next) const;

 private:
  struct Item {
    std::uint16_t tag, type;
    std::uint64_t count;
    std::string values;
  };
  void add(std::uint16_t tag, std::uint16_t type, std::uint64_t count, std::string values);
  bool fits_entry(const Item& item) const { return item.values.size() <= word(); }
  std::uint64_t entries_bytes() const;
  std::size_t word() const { return big_ ? 8 : 4; }

  bool big_;
  std::vector<Item> items_;
};

/// Where everything in an uncompressed TIFF goes: header, first directory, all pixels without a gap
/// between pages (as ImageJ wants them), then the other directories. Known before the first pixel,
/// so the file is written from front to back.
class TiffLayout {
 public:
  TiffLayout(const TiffStack& stack, const std::string& notes, bool big);

  /// BigTIFF is needed when positions no longer fit 32 bits.
  static bool needs_big(const TiffStack& stack);

  std::string front() const;
  std::int64_t later_pages() const { return stack_.pages() - 1; }
  /// The directory of page `page`, 1 to later_pages(); they follow the pixels in order.
  std::string directory(std::int64_t page) const;

 private:
  TiffDirectoryBuilder builder(std::int64_t page) const;
  TiffDirectoryBuilder directory_of(std::int64_t page, const std::vector<std::uint64_t>& positions,
                                    const std::vector<std::uint64_t>& counts) const;
  void add_extra_samples(TiffDirectoryBuilder& directory) const;
  std::uint64_t directory_position(std::int64_t page) const;
  std::uint64_t header_bytes() const { return big_ ? 16 : 8; }
  std::uint64_t page_bytes() const { return static_cast<std::uint64_t>(stack_.page().bytes()); }
  std::uint64_t row_bytes() const;
  std::uint64_t pixels_end() const;

  const TiffStack stack_;
  const std::string notes_;
  const bool big_;
  std::int64_t rows_per_strip_ = 1;
  std::uint64_t pixels_position_ = 0;
  std::uint64_t later_directory_bytes_ = 0;
};

}  // namespace meander::io
