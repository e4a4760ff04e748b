// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "outline_io/roi_zip.hpp"

#include <zlib.h>

#include <limits>

#include "core/control_part.hpp"
#include "core/message.hpp"
#include "meander/error.hpp"

namespace meander {
namespace {

using Bytes = ByteText<std::endian::little>;

constexpr std::size_t most_entries = std::numeric_limits<std::uint16_t>::max();
constexpr std::int64_t most_bytes = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t entry_mark = 0x04034b50, listing_mark = 0x02014b50, end_mark = 0x06054b50;
constexpr std::int64_t version = 10;      // stored files, no folders
constexpr std::int64_t first_day = 0x21;  // 1 January 1980, the earliest the format has
constexpr std::size_t unused_bytes = 10;  // comment, disk, kinds of file

void check_count(std::size_t entries) {
  if (entries <= most_entries) return;
  throw Unsupported(
      message("a ZIP archive of ", entries, " files, expected at most ", most_entries));
}

void check_size(std::int64_t bytes) {
  if (bytes <= most_bytes) return;
  throw Unsupported(message("a ZIP archive of ", bytes, " bytes, expected at most ", most_bytes));
}

/// What both heads of an entry say: stored, its date, checksum, sizes and the length of its name.
void add_facts(Bytes& text, const ZipEntry& entry) {
  const auto size = static_cast<std::int64_t>(entry.bytes.size());
  const uLong checksum =
      crc32_z(0, reinterpret_cast<const Bytef*>(entry.bytes.data()), entry.bytes.size());
  text.u16(version).u16(0).u16(0).u16(0).u16(first_day);
  text.u32(static_cast<std::int64_t>(checksum)).u32(size).u32(size);
  text.u16(static_cast<std::int64_t>(entry.name.size())).u16(0);
}

void add_listing(Bytes& listing, const ZipEntry& entry, std::int64_t offset) {
  listing.u32(listing_mark).u16(version);
  add_facts(listing, entry);
  listing.zeros(unused_bytes).u32(offset).text(entry.name);
}

}  // namespace

std::string stored_zip(const std::vector<ZipEntry>& entries, const Control& control) {
  check_count(entries.size());
  Bytes archive, listing;
  for_each_step(entries, control, [&](const ZipEntry& entry) {
    add_listing(listing, entry, archive.size());
    archive.u32(entry_mark);
    add_facts(archive, entry);
    archive.text(entry.name).text(entry.bytes);
    check_size(archive.size());
  });
  const auto count = static_cast<std::int64_t>(entries.size());
  const std::int64_t begin = archive.size();
  check_size(begin + listing.size());
  archive.text(listing.bytes()).u32(end_mark).u16(0).u16(0).u16(count).u16(count);
  return archive.u32(listing.size()).u32(begin).u16(0).bytes();
}

}  // namespace meander
