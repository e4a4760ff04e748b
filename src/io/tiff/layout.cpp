// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/tiff/layout.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "io/image/spacing.hpp"
#include "io/tiff/page.hpp"

namespace meander::io {

TiffStack::TiffStack(const Description& image, const Film& film)
    : image_(image), film_(film), page_(image) {
  const bool is_single = image.shape.z == 1 && film.frames == 1;
  page_.shape.z = 1;
  if (!is_single && !is_colour()) page_.channels = 1;
}

bool TiffStack::is_colour() const {
  return (image_.channels == 3 || image_.channels == 4) &&
         (image_.type == PixelType::u8 || image_.type == PixelType::u16);
}

namespace {

static_assert(std::endian::native == std::endian::little, "files are written in memory order");

constexpr std::uint16_t ascii_type = 2, short_type = 3, long_type = 4, rational_type = 5,
                        long8_type = 16;
constexpr std::int64_t strip_bytes = 1 << 20;
constexpr std::uint64_t pixel_alignment = 64;
// 4 GiB less room for directories, the exact need of which depends on the kind of file.
constexpr std::int64_t most_classic_bytes = 3'900'000'000;
constexpr std::int64_t directory_bytes = 512;

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// The lowest `bytes` bytes.
void append_number(std::string& text, std::uint64_t value, std::size_t bytes) {
  text.append(reinterpret_cast<const char*>(&value), bytes);
}

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t to) {
  return (value + to - 1) / to * to;
}

std::uint16_t sample_format(PixelType type) {
  if (!is_integer(type)) return 3;
  return lowest_of(type) < 0 ? 2 : 1;
}

}  // namespace

void TiffDirectoryBuilder::add(std::uint16_t tag, std::uint16_t type, std::uint64_t count,
                               std::string values) {
  items_.push_back({tag, type, count, std::move(values)});
}

void TiffDirectoryBuilder::add_short(std::uint16_t tag, const std::vector<std::uint16_t>& values) {
  add(tag, short_type, values.size(), bytes_of(values));
}

void TiffDirectoryBuilder::add_long(std::uint16_t tag, std::uint32_t value) {
  add(tag, long_type, 1, bytes_of(std::vector{value}));
}

void TiffDirectoryBuilder::add_rational(std::uint16_t tag, double value) {
  const Rational rational = nearest_rational(value, std::numeric_limits<std::uint32_t>::max());
  add(tag, rational_type, 1, bytes_of(std::vector{rational.numerator, rational.denominator}));
}

void TiffDirectoryBuilder::add_text(std::uint16_t tag, const std::string& text) {
  add(tag, ascii_type, text.size() + 1, text + '\0');
}

void TiffDirectoryBuilder::add_positions(std::uint16_t tag,
                                         const std::vector<std::uint64_t>& values) {
  if (big_) return add(tag, long8_type, values.size(), bytes_of(values));
  std::vector<std::uint32_t> narrow;
  for (const std::uint64_t value : values) narrow.push_back(static_cast<std::uint32_t>(value));
  add(tag, long_type, values.size(), bytes_of(narrow));
}

std::uint64_t TiffDirectoryBuilder::entries_bytes() const {
  const std::uint64_t count_bytes = big_ ? 8 : 2;
  const std::uint64_t entry_bytes = 4 + 2 * word();
  return rounded_up(count_bytes + items_.size() * entry_bytes + word(), 8);
}

std::uint64_t TiffDirectoryBuilder::bytes() const {
  std::uint64_t total = entries_bytes();
  for (const Item& item : items_) {
    if (!fits_entry(item)) total += rounded_up(item.values.size(), 8);
  }
  return total;
}

std::string TiffDirectoryBuilder::text_at(std::uint64_t position, std::uint64_t next) const {
  std::string text;
  std::string outside;
  append_number(text, items_.size(), big_ ? 8 : 2);
  for (const Item& item : items_) {
    append_number(text, item.tag, 2);
    append_number(text, item.type, 2);
    append_number(text, item.count, word());
    if (fits_entry(item)) {
      text += item.values + std::string(word() - item.values.size(), '\0');
      continue;
    }
    append_number(text, position + entries_bytes() + outside.size(), word());
    outside += item.values;
    outside.resize(rounded_up(outside.size(), 8), '\0');
  }
  append_number(text, next, word());
  text.resize(entries_bytes(), '\0');
  return text + outside;
}

TiffLayout::TiffLayout(const TiffStack& stack, const std::string& notes, bool big)
    : stack_(stack), notes_(notes), big_(big) {
  const std::int64_t rows = strip_bytes / static_cast<std::int64_t>(row_bytes());
  rows_per_strip_ = std::clamp<std::int64_t>(rows, 1, stack.page().shape.y);
  pixels_position_ = rounded_up(header_bytes() + builder(0).bytes(), pixel_alignment);
  later_directory_bytes_ = builder(1).bytes();
}

bool TiffLayout::needs_big(const TiffStack& stack) {
  return stack.bytes() / most_classic_bytes > 0 ||
         stack.bytes() + stack.pages() * directory_bytes > most_classic_bytes;
}

std::uint64_t TiffLayout::row_bytes() const {
  return page_bytes() / static_cast<std::uint64_t>(stack_.page().shape.y);
}

std::uint64_t TiffLayout::pixels_end() const {
  return pixels_position_ + static_cast<std::uint64_t>(stack_.bytes());
}

/// The pixels of a classic file end at most 3.9 GB, and each directory takes less than what
/// needs_big reserves for it, except for lists of many strips, which exist only for pages of many
/// megabytes.
std::uint64_t TiffLayout::directory_position(std::int64_t page) const {
  if (page == 0) return header_bytes();
  if (page > later_pages()) return 0;
  return rounded_up(pixels_end(), 8) +
         static_cast<std::uint64_t>(page - 1) * later_directory_bytes_;
}

TiffDirectoryBuilder TiffLayout::builder(std::int64_t page) const {
  const std::int64_t strips = (stack_.page().shape.y + rows_per_strip_ - 1) / rows_per_strip_;
  const std::uint64_t first = pixels_position_ + static_cast<std::uint64_t>(page) * page_bytes();
  const std::uint64_t full = row_bytes() * static_cast<std::uint64_t>(rows_per_strip_);
  std::vector<std::uint64_t> positions, counts;
  for (std::int64_t strip = 0; strip < strips; ++strip) {
    positions.push_back(first + static_cast<std::uint64_t>(strip) * full);
    counts.push_back(std::min(full, first + page_bytes() - positions.back()));
  }
  return directory_of(page, positions, counts);
}

TiffDirectoryBuilder TiffLayout::directory_of(std::int64_t page,
                                              const std::vector<std::uint64_t>& positions,
                                              const std::vector<std::uint64_t>& counts) const {
  constexpr std::uint16_t uncompressed = 1, grey = 1, rgb = 2, interleaved = 1, no_unit = 1;
  const Description& one = stack_.page();
  const auto samples = static_cast<std::uint16_t>(one.channels);
  const auto bits = static_cast<std::uint16_t>(8 * size_of(one.type));
  TiffDirectoryBuilder directory(big_);
  directory.add_long(tiff_tag::width, static_cast<std::uint32_t>(one.shape.x));
  directory.add_long(tiff_tag::height, static_cast<std::uint32_t>(one.shape.y));
  directory.add_short(tiff_tag::bits_per_sample, std::vector(samples, bits));
  directory.add_short(tiff_tag::compression, {uncompressed});
  directory.add_short(tiff_tag::photometric, {stack_.is_colour() ? rgb : grey});
  if (page == 0) directory.add_text(tiff_tag::description, notes_);
  directory.add_positions(tiff_tag::strip_offsets, positions);
  directory.add_short(tiff_tag::samples_per_pixel, {samples});
  directory.add_long(tiff_tag::rows_per_strip, static_cast<std::uint32_t>(rows_per_strip_));
  directory.add_positions(tiff_tag::strip_byte_counts, counts);
  directory.add_rational(tiff_tag::x_resolution, 1 / one.spacing.x);
  directory.add_rational(tiff_tag::y_resolution, 1 / one.spacing.y);
  directory.add_short(tiff_tag::planar_configuration, {interleaved});
  directory.add_short(tiff_tag::resolution_unit, {no_unit});
  add_extra_samples(directory);
  directory.add_short(tiff_tag::sample_format, std::vector(samples, sample_format(one.type)));
  return directory;
}

/// Samples beyond those the photometric interpretation explains: alpha in RGBA, unspecified
/// elsewhere.
void TiffLayout::add_extra_samples(TiffDirectoryBuilder& directory) const {
  constexpr std::uint16_t unspecified = 0, alpha = 2;
  const int explained = stack_.is_colour() ? 3 : 1;
  if (stack_.page().channels == explained) return;
  const auto extra = static_cast<std::size_t>(stack_.page().channels - explained);
  directory.add_short(tiff_tag::extra_samples,
                      std::vector<std::uint16_t>(extra, explained == 3 ? alpha : unspecified));
}

std::string TiffLayout::front() const {
  std::string text = big_ ? std::string("II+\0\x08\0\0\0", 8) : std::string("II*\0", 4);
  append_number(text, header_bytes(), big_ ? 8 : 4);
  text += builder(0).text_at(header_bytes(), directory_position(1));
  text.resize(pixels_position_, '\0');
  return text;
}

std::string TiffLayout::directory(std::int64_t page) const {
  // The first of them also brings the file to an even position, as the format demands.
  const std::uint64_t padding = page == 1 ? directory_position(1) - pixels_end() : 0;
  return std::string(padding, '\0') +
         builder(page).text_at(directory_position(page), directory_position(page + 1));
}

}  // namespace meander::io
