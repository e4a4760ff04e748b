// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/tiff/page.hpp"

#include <algorithm>
#include <limits>

#include "io/image/orientation.hpp"

namespace meander::io {
namespace {

constexpr std::uint64_t palette = 3;  // the photometric interpretation
constexpr std::int64_t longest_axis = std::numeric_limits<std::uint32_t>::max();

std::int64_t extent(const TiffStructure& structure, const TiffDirectory& directory,
                    std::uint16_t tag) {
  const std::uint64_t value = structure.integer(directory, tag, 0);
  if (value == 0 || value > static_cast<std::uint64_t>(longest_axis)) {
    structure.file().malformed("TIFF tag ", tag, " is ", value, ", expected 1 to ", longest_axis);
  }
  return static_cast<std::int64_t>(value);
}

/// The one value of a tag that has one per sample.
std::uint64_t common_value(const TiffStructure& structure, const TiffDirectory& directory,
                           std::uint16_t tag, std::uint64_t otherwise) {
  const TiffEntry* entry = directory.find(tag);
  if (entry == nullptr) return otherwise;
  const auto values = structure.integers(*entry);
  const bool equal = std::ranges::all_of(values, [&](auto value) { return value == values[0]; });
  if (!equal) structure.file().unsupported("found samples of different kinds in one pixel");
  return values[0];
}

std::string_view kind_of(std::uint64_t format) {
  constexpr std::string_view kinds[] = {"unsigned", "signed",          "float",
                                        "untyped",  "complex integer", "complex"};
  return format >= 1 && format <= std::size(kinds) ? kinds[format - 1] : "unknown";
}

StoredType type_of(const TiffStructure& structure, const TiffDirectory& directory,
                   std::uint64_t bits) {
  struct Known {
    std::uint64_t bits, format;
    StoredType type;
  };
  constexpr Known known[] = {
      {1, 1, StoredType::u8},   {2, 1, StoredType::u8},   {4, 1, StoredType::u8},
      {8, 1, StoredType::u8},   {8, 4, StoredType::u8},   {8, 2, StoredType::i8},
      {16, 1, StoredType::u16}, {16, 4, StoredType::u16}, {16, 2, StoredType::i16},
      {16, 3, StoredType::f16}, {32, 1, StoredType::u32}, {32, 2, StoredType::i32},
      {32, 3, StoredType::f32}, {64, 3, StoredType::f64}};
  const std::uint64_t format = common_value(structure, directory, tiff_tag::sample_format, 1);
  for (const Known& one : known) {
    if (one.bits == bits && one.format == format) return one.type;
  }
  structure.file().unsupported(
      "found TIFF samples of ", bits, " bits, ", kind_of(format),
      ", expected 1, 2, 4 or 8 bits unsigned, 8, 16 or 32 unsigned or signed, or 16, 32 or 64 "
      "float");
}

PixelType as_large_as(StoredType type) {
  if (type == StoredType::i8) return PixelType::u8;
  const bool wide = type == StoredType::u32 || type == StoredType::i32;
  return wide ? PixelType::f32 : arriving_type(type);
}

void check_photometric(const TiffStructure& structure, const TiffDirectory& directory) {
  constexpr std::string_view others[] = {"a transparency mask", "separated inks", "YCbCr"};
  const std::uint64_t value = structure.integer(directory, tiff_tag::photometric, 1);
  if (value <= palette) return;
  structure.file().unsupported(
      "found a TIFF of ", value <= 6 ? others[value - 4] : "a special colour space",
      " (photometric interpretation ", value, "), expected grey, RGB or a palette");
}

std::vector<std::uint64_t> colour_map_of(const TiffStructure& structure, const TiffPage& page) {
  const auto entries = std::uint64_t{3} << page.bits;
  auto values = structure.integers(*page.colour_map, entries);
  values.resize(entries);
  return values;
}

/// Small samples and palettes are those of one sample a pixel.
void set_palette(const TiffStructure& structure, const TiffDirectory& directory, TiffPage& page) {
  page.colours = page.samples;
  const bool is_palette = structure.integer(directory, tiff_tag::photometric, 1) == palette;
  if (!is_palette && !page.has_small_samples()) return;
  const bool one_byte = page.stored == StoredType::u8;
  if (page.samples != 1 || !one_byte) {
    structure.file().unsupported("found TIFF pixels of ", page.samples, " samples of ", page.bits,
                                 " bits", is_palette ? " with a palette" : "",
                                 ", expected one sample of at most 8 bits");
  }
  if (!is_palette) return;
  const TiffEntry* const map = directory.find(tiff_tag::colour_map);
  if (map == nullptr) structure.file().malformed("found a TIFF of a palette without its colours");
  page.colour_map = *map;
  const auto values = colour_map_of(structure, page);
  const std::size_t third = values.size() / 3;
  for (std::size_t i = 0; i < third; ++i) {
    const bool grey = values[i] == values[i + third] && values[i] == values[i + 2 * third];
    if (!grey) page.colours = 3;
  }
}

/// Of RGB only: what else samples beyond a grey are, writers seldom say.
bool has_alpha(const TiffStructure& structure, const TiffDirectory& directory,
               const TiffPage& page) {
  constexpr std::uint64_t rgb = 2, unspecified = 0;
  return page.samples == 4 && structure.integer(directory, tiff_tag::photometric, 1) == rgb &&
         structure.integer(directory, tiff_tag::extra_samples, unspecified) != unspecified;
}

void set_chunks(const TiffStructure& structure, const TiffDirectory& directory, TiffPage& page) {
  page.tiled = directory.find(tiff_tag::tile_width) != nullptr;
  if (page.tiled) {
    page.chunk_width = extent(structure, directory, tiff_tag::tile_width);
    page.chunk_height = extent(structure, directory, tiff_tag::tile_height);
  } else {
    page.chunk_width = page.width;
    const auto all = static_cast<std::uint64_t>(page.height);
    const std::uint64_t rows = structure.integer(directory, tiff_tag::rows_per_strip, all);
    page.chunk_height = static_cast<std::int64_t>(std::clamp<std::uint64_t>(rows, 1, all));
  }
  const std::uint16_t tag = page.tiled ? tiff_tag::tile_offsets : tiff_tag::strip_offsets;
  // Some writers list tiles under the tag of strips; libtiff reads that too.
  const TiffEntry* offsets = directory.find(tag);
  if (offsets == nullptr) offsets = directory.find(tiff_tag::strip_offsets);
  if (offsets == nullptr) structure.file().malformed("found a TIFF page without pixels");
  page.offsets = *offsets;
  const TiffEntry* counts =
      directory.find(page.tiled ? tiff_tag::tile_byte_counts : tiff_tag::strip_byte_counts);
  if (counts != nullptr) page.byte_counts = *counts;
}

}  // namespace

TiffPage page_of(const TiffStructure& structure, const TiffDirectory& directory) {
  TiffPage page{.position = directory.position};
  page.width = extent(structure, directory, tiff_tag::width);
  page.height = extent(structure, directory, tiff_tag::height);
  page.compression =
      static_cast<std::uint16_t>(structure.integer(directory, tiff_tag::compression, 1));
  check_photometric(structure, directory);
  const std::uint64_t bits = common_value(structure, directory, tiff_tag::bits_per_sample, 1);
  page.stored = type_of(structure, directory, bits);
  page.bits = static_cast<int>(bits);
  page.type = as_large_as(page.stored);
  const std::uint64_t samples = structure.integer(directory, tiff_tag::samples_per_pixel, 1);
  if (samples < 1 || samples > 65535) {
    structure.file().malformed("found ", samples, " TIFF samples in a pixel, expected 1 to 65535");
  }
  page.samples = static_cast<int>(samples);
  set_palette(structure, directory, page);
  page.has_alpha = has_alpha(structure, directory, page);
  page.orientation = known_orientation(structure.integer(directory, tiff_tag::orientation, 1));
  page.most_significant_bit_first = structure.integer(directory, tiff_tag::fill_order, 1) != 2;
  // One sample is the same either way.
  page.separate_planes =
      samples > 1 && structure.integer(directory, tiff_tag::planar_configuration, 1) == 2;
  set_chunks(structure, directory, page);
  return page;
}

std::vector<std::uint8_t> palette_of(const TiffStructure& structure, const TiffPage& page) {
  std::vector<std::uint8_t> found;
  const std::size_t count = std::size_t{1} << page.bits;
  if (!page.colour_map) {
    for (std::size_t i = 0; i < count; ++i) {
      found.push_back(static_cast<std::uint8_t>(i * 255 / (count - 1)));
    }
    return found;
  }
  const auto values = colour_map_of(structure, page);
  // Colours have 16 bits, but some programs write 8.
  const bool is_wide = std::ranges::any_of(values, [](std::uint64_t value) { return value > 255; });
  for (std::size_t i = 0; i < count; ++i) {
    for (int c = 0; c < page.colours; ++c) {
      const std::uint64_t value = values[i + static_cast<std::size_t>(c) * count];
      found.push_back(static_cast<std::uint8_t>(is_wide ? value >> 8 : value));
    }
  }
  return found;
}

bool is_full_page(const TiffStructure& structure, const TiffDirectory& directory) {
  constexpr std::uint64_t reduced = 1, mask = 4;
  constexpr std::uint64_t old_reduced = 2;
  const std::uint64_t flags = structure.integer(directory, tiff_tag::new_subfile_type, 0);
  const std::uint64_t old = structure.integer(directory, tiff_tag::subfile_type, 1);
  return (flags & (reduced | mask)) == 0 && old != old_reduced;
}

std::int64_t largest_chunk(const TiffStructure& structure, const TiffPage& page) {
  const std::int64_t all = structure.file().size();
  if (!page.byte_counts) return all;
  const auto counts = structure.integers(*page.byte_counts);
  // A count may lie; more than the file has cannot be read.
  return static_cast<std::int64_t>(
      std::min(*std::ranges::max_element(counts), static_cast<std::uint64_t>(all)));
}

std::vector<std::uint64_t> strip_positions(const TiffStructure& structure, const TiffPage& page) {
  const auto count = static_cast<std::uint64_t>(page.chunks());
  auto positions = structure.integers(page.offsets, count);
  positions.resize(count);
  const auto size = static_cast<std::uint64_t>(structure.file().size());
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::int64_t strip = static_cast<std::int64_t>(i) % page.chunks_down();
    const std::int64_t rows = std::min(page.chunk_height, page.height - strip * page.chunk_height);
    const auto bytes = static_cast<std::uint64_t>(rows * page.chunk_row_bytes());
    if (positions[i] <= size && bytes <= size - positions[i]) continue;
    structure.file().malformed("TIFF strip ", i, " needs ", bytes, " bytes at byte ", positions[i],
                               ", found a file of ", size);
  }
  return positions;
}

}  // namespace meander::io
