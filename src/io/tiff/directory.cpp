// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/tiff/page.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_set>

namespace meander::io {
namespace {

constexpr std::uint16_t rational_type = 5;
constexpr std::uint64_t longest_text = 16 << 20;  // OME descriptions of large plates are megabytes

/// Bytes of a value of each TIFF type; 0 for those that do not exist.
std::size_t value_bytes(std::uint16_t type) {
  constexpr std::uint8_t sizes[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8};
  return type < std::size(sizes) ? sizes[type] : 0;
}

bool is_unsigned_integer(std::uint16_t type) {
  constexpr std::uint16_t types[] = {1, 3, 4, 13, 16, 18};  // byte, short, long, ifd, long8, ifd8
  return std::ranges::find(types, type) != std::end(types);
}

}  // namespace

const TiffEntry* TiffDirectory::find(std::uint16_t tag) const {
  const auto found = std::ranges::find(entries, tag, &TiffEntry::tag);
  return found == entries.end() ? nullptr : &*found;
}

TiffStructure::TiffStructure(const InputFile& file) : file_(file) {
  char head[4];
  file.read(0, std::as_writable_bytes(std::span(head)));
  swapped_ = head[0] == 'M';
  big_ = (swapped_ ? head[3] : head[2]) == '+';
}

std::uint64_t TiffStructure::decode(const std::byte* bytes, std::size_t count) const {
  std::byte ordered[8] = {};
  std::memcpy(ordered, bytes, count);
  if (swapped_) std::reverse(ordered, ordered + count);
  std::uint64_t value = 0;
  std::memcpy(&value, ordered, sizeof value);
  return value;
}

std::uint64_t TiffStructure::number(std::uint64_t position, std::size_t bytes) const {
  std::byte buffer[8];
  const auto size = static_cast<std::uint64_t>(file_.size());
  if (position > size || bytes > size - position) {
    file_.malformed("TIFF structure points to byte ", position, " of ", size);
  }
  file_.read(static_cast<std::int64_t>(position), std::span(buffer).first(bytes));
  return decode(buffer, bytes);
}

TiffEntry TiffStructure::entry_from(const std::byte* bytes, std::uint64_t position) const {
  const std::size_t word = big_ ? 8 : 4;
  TiffEntry entry{.tag = static_cast<std::uint16_t>(decode(bytes, 2)),
                  .type = static_cast<std::uint16_t>(decode(bytes + 2, 2)),
                  .count = decode(bytes + 4, word),
                  .position = position + 4 + word};
  const std::size_t size = value_bytes(entry.type);
  if (size != 0 && entry.count > word / size) entry.position = decode(bytes + 4 + word, word);
  return entry;
}

TiffDirectory TiffStructure::directory_at(std::uint64_t position) const {
  const std::size_t count_bytes = big_ ? 8 : 2;
  const std::size_t entry_bytes = big_ ? 20 : 12;
  const std::uint64_t count = number(position, count_bytes);
  const std::uint64_t start = position + count_bytes;
  const std::uint64_t room = static_cast<std::uint64_t>(file_.size()) - start;
  if (count == 0 || count > room / entry_bytes) {
    file_.malformed("found a TIFF directory of ", count, " entries at byte ", position,
                    ", expected at least 1 and room for them");
  }
  std::vector<std::byte> bytes(count * entry_bytes);
  file_.read(static_cast<std::int64_t>(start), bytes);
  TiffDirectory directory{.position = position};
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t at = i * entry_bytes;
    directory.entries.push_back(entry_from(bytes.data() + at, start + at));
  }
  // A file cut right after its last entry has lost nothing but the word that ends the chain.
  const std::uint64_t end = start + bytes.size();
  const std::size_t word = big_ ? 8 : 4;
  const bool has_next = static_cast<std::uint64_t>(file_.size()) - end >= word;
  directory.next = has_next ? number(end, word) : 0;
  return directory;
}

void TiffStructure::each_directory(const std::function<void(const TiffDirectory&)>& visit) const {
  std::unordered_set<std::uint64_t> seen;
  // Entries of true directories do not overlap, so together they cannot exceed the file.
  auto room = static_cast<std::uint64_t>(file_.size());
  std::uint64_t next = big_ ? number(8, 8) : number(4, 4);
  if (next == 0) file_.malformed("found a TIFF without pages");
  while (next != 0) {
    if (!seen.insert(next).second) file_.malformed("TIFF directories form a loop at byte ", next);
    const TiffDirectory directory = directory_at(next);
    const std::uint64_t used = directory.entries.size() * (big_ ? 20 : 12);
    if (used > room) file_.malformed("TIFF directories overlap");
    room -= used;
    visit(directory);
    next = directory.next;
  }
}

void TiffStructure::check_inside(const TiffEntry& entry) const {
  const auto size = static_cast<std::uint64_t>(file_.size());
  const std::size_t bytes = value_bytes(entry.type);
  if (bytes != 0 && entry.position <= size && entry.count <= (size - entry.position) / bytes)
    return;
  file_.malformed("TIFF tag ", entry.tag, " claims ", entry.count, " values of type ", entry.type,
                  " at byte ", entry.position, " of ", size);
}

std::vector<std::uint64_t> TiffStructure::integers(const TiffEntry& entry,
                                                   std::uint64_t least) const {
  check_inside(entry);
  if (!is_unsigned_integer(entry.type) || entry.count < least) {
    file_.malformed("TIFF tag ", entry.tag, " has ", entry.count, " values of type ", entry.type,
                    ", expected ", least, " integers");
  }
  const std::size_t size = value_bytes(entry.type);
  std::vector<std::byte> bytes(entry.count * size);
  file_.read(static_cast<std::int64_t>(entry.position), bytes);
  std::vector<std::uint64_t> values(entry.count);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = decode(bytes.data() + i * size, size);
  }
  return values;
}

std::uint64_t TiffStructure::integer(const TiffDirectory& directory, std::uint16_t tag,
                                     std::uint64_t otherwise) const {
  const TiffEntry* entry = directory.find(tag);
  if (entry == nullptr) return otherwise;
  check_inside(*entry);
  TiffEntry first = *entry;
  first.count = std::min<std::uint64_t>(first.count, 1);
  return integers(first).front();
}

std::optional<Rational> TiffStructure::rational(const TiffDirectory& directory,
                                                std::uint16_t tag) const {
  const TiffEntry* entry = directory.find(tag);
  if (entry == nullptr || entry->type != rational_type || entry->count < 1) return std::nullopt;
  check_inside(*entry);
  const auto top = static_cast<std::uint32_t>(number(entry->position, 4));
  const auto bottom = static_cast<std::uint32_t>(number(entry->position + 4, 4));
  if (top == 0 || bottom == 0) return std::nullopt;
  return Rational{top, bottom};
}

std::string TiffStructure::text(const TiffDirectory& directory, std::uint16_t tag) const {
  const TiffEntry* entry = directory.find(tag);
  if (entry == nullptr || value_bytes(entry->type) != 1) return {};
  check_inside(*entry);
  std::string text(std::min(entry->count, longest_text), '\0');
  file_.read(static_cast<std::int64_t>(entry->position), std::as_writable_bytes(std::span(text)));
  return text.substr(0, text.find('\0'));
}

}  // namespace meander::io
