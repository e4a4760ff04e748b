// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

/// What tells a format, so that mutations stay within one.
namespace meander::io {

struct Signature {
  std::size_t offset = 0;
  std::string_view bytes;
};

inline std::vector<Signature> signatures_of(std::string_view format) {
  using namespace std::string_view_literals;
  if (format == "NPY") return {{0, "\x93NUMPY"sv}};
  if (format == "JPEG") return {{0, "\xff\xd8\xff"sv}};
  if (format == "BMP") return {{0, "BM"sv}};
  if (format == "PNG") return {{0, "\x89PNG\r\n\x1a\n"sv}};
  if (format == "TIFF") {
    return {{0, "II*\0"sv}, {0, "MM\0*"sv}, {0, "II+\0"sv}, {0, "MM\0+"sv}};
  }
  if (format == "NRRD") return {{0, "NRRD000"sv}};
  if (format == "NIfTI") {
    return {
        {0, "\x5c\x01\0\0"sv}, {0, "\0\0\x01\x5c"sv}, {0, "\x1c\x02\0\0"sv}, {0, "\0\0\x02\x1c"sv}};
  }
  if (format == "MetaImage") return {{0, "ObjectType ="sv}, {0, "NDims ="sv}, {0, "Comment ="sv}};
  return {};
}

inline bool has(std::span<const std::uint8_t> file, const Signature& signature) {
  const auto [offset, bytes] = signature;
  return file.size() >= offset + bytes.size() &&
         std::memcmp(file.data() + offset, bytes.data(), bytes.size()) == 0;
}

inline bool has_any(std::span<const std::uint8_t> file, std::span<const Signature> signatures) {
  return std::any_of(signatures.begin(), signatures.end(),
                     [&](const Signature& signature) { return has(file, signature); });
}

}  // namespace meander::io
