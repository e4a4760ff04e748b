// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "meander/control.hpp"

namespace meander {

// Numbers as the bytes of a file.

/// Bytes one after the other, the highest of a number first or the lowest.
template <std::endian order>
class ByteText {
 public:
  ByteText& u8(std::int64_t value) { return number(value, 1); }
  /// Of numbers that are too large the low bytes.
  ByteText& u16(std::int64_t value) { return number(value, 2); }
  ByteText& u32(std::int64_t value) { return number(value, 4); }
  ByteText& f32(double value) {
    return u32(std::bit_cast<std::uint32_t>(static_cast<float>(value)));
  }
  ByteText& zeros(std::size_t count) {
    bytes_.append(count, '\0');
    return *this;
  }
  ByteText& text(const std::string& more) {
    bytes_ += more;
    return *this;
  }

  std::int64_t size() const { return static_cast<std::int64_t>(bytes_.size()); }
  const std::string& bytes() const { return bytes_; }

 private:
  ByteText& number(std::int64_t value, int count) {
    const auto bits = static_cast<std::uint64_t>(value);
    for (int i = 0; i < count; ++i) {
      const int place = order == std::endian::big ? count - 1 - i : i;
      bytes_ += static_cast<char>(static_cast<unsigned char>(bits >> (8 * place)));
    }
    return *this;
  }

  std::string bytes_;
};

struct ZipEntry {
  std::string name;  ///< ASCII.
  std::string bytes;
};

/// A ZIP archive of entries that are stored as they are, all of one date, so that the same entries
/// give the same bytes. Throws Unsupported for more than 65535 entries or 4 GiB, which the plain
/// format cannot count.
std::string stored_zip(const std::vector<ZipEntry>& entries, const Control& control);

}  // namespace meander
