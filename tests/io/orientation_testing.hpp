// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "io_testing.hpp"

namespace meander::io {

/// A block of EXIF with one entry, the orientation, in either byte order.
inline std::string exif_of(int orientation, bool big_endian) {
  const auto number = [&](int value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) {
      text += static_cast<char>(value >> 8 * (big_endian ? bytes - 1 - i : i));
    }
    return text;
  };
  return std::string(big_endian ? "MM" : "II") + number(42, 2) + number(8, 4) + number(1, 2) +
         number(274, 2) + number(3, 2) + number(1, 4) + number(orientation, 2) + number(0, 2) +
         number(0, 4);
}

/// What the image of `width` times `height` pixels shows at the place where pixel (x, y) is stored,
/// by the words of the EXIF standard: which side the first row and the first column are.
struct Place {
  std::int64_t x, y;
};
inline Place seen_place(std::int64_t x, std::int64_t y, const Shape& stored, int orientation) {
  const std::int64_t right = stored.x - 1 - x, bottom = stored.y - 1 - y;
  switch (orientation) {
    case 2:  // first row top, first column right
      return {right, y};
    case 3:  // bottom, right
      return {right, bottom};
    case 4:  // bottom, left
      return {x, bottom};
    case 5:  // left, top
      return {y, x};
    case 6:  // right, top
      return {bottom, x};
    case 7:  // right, bottom
      return {bottom, right};
    case 8:  // left, bottom
      return {y, right};
    default:
      return {x, y};
  }
}

/// Expects the file to show the pixels of `stored` upright: whole, in slabs and in part.
inline void expect_upright(const std::filesystem::path& path, const Image& stored,
                           int orientation) {
  Reader reader(path);
  const bool turned = orientation >= 5 && orientation <= 8;
  const Shape shape = stored.shape();
  ASSERT_EQ(reader.whole_shape(), (turned ? Shape{shape.y, shape.x, shape.z} : shape))
      << orientation;
  const Image whole = reader.read();
  const std::size_t size = size_of(stored.type());
  std::int64_t wrong = 0;
  for (int c = 0; c < stored.channels(); ++c) {
    for (std::int64_t z = 0; z < shape.z; ++z) {
      for (std::int64_t y = 0; y < shape.y; ++y) {
        for (std::int64_t x = 0; x < shape.x; ++x) {
          const Place seen = seen_place(x, y, shape, orientation);
          const std::byte* const found =
              whole.row_bytes(seen.y, z, c) + seen.x * std::int64_t(size);
          wrong +=
              std::memcmp(found, stored.row_bytes(y, z, c) + x * std::int64_t(size), size) != 0;
        }
      }
    }
  }
  EXPECT_EQ(wrong, 0) << orientation;
  const Shape seen = whole.shape();
  const Roi roi{.x0 = 1, .y0 = 2, .x1 = seen.x - 2, .y1 = seen.y - 1};
  Reader part(path, {.roi = roi});
  const Image found = part.read();
  for (std::int64_t y = roi.y0; y < roi.y1; ++y) {
    const auto bytes = static_cast<std::size_t>(roi.x1 - roi.x0) * size;
    const std::byte* const row = whole.row_bytes(y, seen.z - 1) + roi.x0 * std::int64_t(size);
    ASSERT_EQ(std::memcmp(found.row_bytes(y - roi.y0, seen.z - 1), row, bytes), 0) << orientation;
  }
  if (seen.z > 1) return;
  EXPECT_TRUE(same_pixels(reader.slab(seen.y / 2, seen.y), whole.rows(seen.y / 2, seen.y)));
  EXPECT_TRUE(same_pixels(reader.slab(1, 2), whole.rows(1, 2))) << orientation;
}

}  // namespace meander::io
