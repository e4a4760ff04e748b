// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/file/input_file.hpp"
#include "io/image/spacing.hpp"
#include "io/image/stored_type.hpp"
#include "meander/image.hpp"

namespace meander::io {

// The structure of a TIFF file: header, chain of directories, their entries. Read here and not by
// libtiff, which loads lists of strips before anyone could compare them with the file's size,
// walks the chain from its start for every page, and copies pixels that could be read in place.
// What libtiff alone can do, decompress, is left to it (tiff_decoder).

struct TiffEntry {
  std::uint16_t tag = 0;
  std::uint16_t type = 0;
  std::uint64_t count = 0;
  std::uint64_t position = 0;  ///< Where in the file the values are, inside the entry or elsewhere.
};

struct TiffDirectory {
  std::uint64_t position = 0;
  std::uint64_t next = 0;  ///< Position of the next one; 0 after the last.
  std::vector<TiffEntry> entries;
  const TiffEntry* find(std::uint16_t tag) const;
};

class TiffStructure {
 public:
  /// Reads the header. Throws MalformedFile when the file is shorter than one.
  explicit TiffStructure(const InputFile& file);

  const InputFile& file() const { return file_; }
  bool swapped() const { return swapped_; }  ///< Numbers are not in this machine's byte order.
  bool big() const { return big_; }

  /// Visits the directories of the main chain; bounded by the file's size, loops are MalformedFile.
  void each_directory(const std::function<void(const TiffDirectory&)>& visit) const;

  /// One directory by its position.
  TiffDirectory directory_at(std::uint64_t position) const;

  /// Values of an integer entry. Throws MalformedFile when they lie outside the file, are no
  /// integers or are fewer than `least`.
  std::vector<std::uint64_t> integers(const TiffEntry& entry, std::uint64_t least = 1) const;
  /// The first value of an integer entry, or `otherwise` when the directory has no such entry.
  std::uint64_t integer(const TiffDirectory& directory, std::uint16_t tag,
                        std::uint64_t otherwise) const;
  /// A positive quotient, or nothing.
  std::optional<Rational> rational(const TiffDirectory& directory, std::uint16_t tag) const;
  /// Characters up to the first NUL; empty when absent.
  std::string text(const TiffDirectory& directory, std::uint16_t tag) const;

 private:
  std::uint64_t number(std::uint64_t position, std::size_t bytes) const;
  std::uint64_t decode(const std::byte* bytes, std::size_t count) const;
  TiffEntry entry_from(const std::byte* bytes, std::uint64_t position) const;
  void check_inside(const TiffEntry& entry) const;

  const InputFile& file_;
  bool swapped_ = false;
  bool big_ = false;
};

namespace tiff_tag {
inline constexpr std::uint16_t new_subfile_type = 254, subfile_type = 255, width = 256,
                               height = 257, bits_per_sample = 258, compression = 259,
                               photometric = 262, fill_order = 266, description = 270,
                               strip_offsets = 273, orientation = 274, samples_per_pixel = 277,
                               rows_per_strip = 278, strip_byte_counts = 279, x_resolution = 282,
                               y_resolution = 283, planar_configuration = 284,
                               resolution_unit = 296, colour_map = 320, tile_width = 322,
                               tile_height = 323, tile_offsets = 324, tile_byte_counts = 325,
                               extra_samples = 338, sample_format = 339;
}  // namespace tiff_tag

/// One page as its directory describes it: strips, or tiles, both called chunks.
struct TiffPage {
  std::uint64_t position = 0;  ///< Of its directory, by which libtiff finds it.
  std::int64_t width = 0;
  std::int64_t height = 0;
  int samples = 1;
  StoredType stored = StoredType::u8;
  PixelType type = PixelType::u8;       ///< As large as what is stored, to move its bytes about.
  int bits = 8;                         ///< Of a sample.
  std::optional<TiffEntry> colour_map;  ///< Of a palette.
  int colours = 1;                      ///< Channels that the samples arrive as.
  bool has_alpha = false;               ///< Whether it says that the fourth sample is opacity.
  int orientation = 1;                  ///< See orientation.hpp.
  std::uint16_t compression = 1;
  bool most_significant_bit_first = true;
  bool separate_planes = false;
  bool tiled = false;
  std::int64_t chunk_width = 0;   ///< Of a tile; the width of the page for strips.
  std::int64_t chunk_height = 0;  ///< Of a tile; rows in a strip.
  TiffEntry offsets;
  std::optional<TiffEntry> byte_counts;

  bool compressed() const { return compression != 1; }
  /// Whether its rows lie in the file as they are, so that they need no decoder.
  bool is_plain() const {
    return !compressed() && !tiled && most_significant_bit_first && !has_small_samples();
  }
  /// Less than a byte each; the decoder makes them bytes.
  bool has_small_samples() const { return bits < 8; }
  /// Whether samples are looked up: in a palette, or among the greys that few bits stand for.
  bool has_palette() const { return colour_map || has_small_samples(); }

  std::int64_t chunks_across() const { return (width + chunk_width - 1) / chunk_width; }
  std::int64_t chunks_down() const { return (height + chunk_height - 1) / chunk_height; }
  std::int64_t chunks() const {
    return chunks_across() * chunks_down() * (separate_planes ? samples : 1);
  }
  /// Samples that are neighbours in a chunk, and bytes of a row of one.
  int samples_in_chunk() const { return separate_planes ? 1 : samples; }
  std::int64_t chunk_row_bytes() const { return (chunk_width * samples_in_chunk() * bits + 7) / 8; }
  bool agrees_with(const TiffPage& other) const {
    return width == other.width && height == other.height && samples == other.samples &&
           stored == other.stored && bits == other.bits && colours == other.colours;
  }
  /// Whether what is stored is what an image holds.
  bool arrives_as_stored() const {
    return !has_palette() && stored_type(arriving_type(stored)) == stored;
  }
};

/// A page of the kind Meander reads. Throws Unsupported for other kinds of samples and
/// MalformedFile for tags that contradict each other. Sizes are not yet held against the file's.
TiffPage page_of(const TiffStructure& structure, const TiffDirectory& directory);

/// What each value of a sample stands for, `colours` numbers for each: the greys or colours of a
/// palette, or greys from 0 to 255.
std::vector<std::uint8_t> palette_of(const TiffStructure& structure, const TiffPage& page);

/// Thumbnails, lower resolutions and masks are not slices of the stack.
bool is_full_page(const TiffStructure& structure, const TiffDirectory& directory);

/// Bytes of the page's largest chunk as it lies in the file, which decoding holds at a time.
std::int64_t largest_chunk(const TiffStructure& structure, const TiffPage& page);

/// Positions of a plain page's strips, each checked to lie in the file with all its rows.
std::vector<std::uint64_t> strip_positions(const TiffStructure& structure, const TiffPage& page);

}  // namespace meander::io
