// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "contour/geometry/polygon_testing.hpp"

/// Small masks written as text, and flood fill as the independent word on what hangs together.
namespace meander::testing {

using Bits = std::vector<std::string>;  ///< A row each; '#' is set.

inline std::int64_t width_of(const Bits& bits) { return static_cast<std::int64_t>(bits[0].size()); }
inline std::int64_t height_of(const Bits& bits) { return static_cast<std::int64_t>(bits.size()); }

inline bool is_set(const Bits& bits, std::int64_t x, std::int64_t y) {
  return x >= 0 && y >= 0 && x < width_of(bits) && y < height_of(bits) &&
         bits[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] == '#';
}

inline Image image_of(const Bits& bits, PixelType type = PixelType::u8) {
  Image mask = Image::allocate({.shape = {width_of(bits), height_of(bits), 1}, .type = type});
  visit(type, [&]<class T>(std::type_identity<T>) {
    for (std::int64_t y = 0; y < height_of(bits); ++y) {
      for (std::int64_t x = 0; x < width_of(bits); ++x)
        mask.mutable_row<T>(y)[x] = from_double<T>(is_set(bits, x, y) ? 3 : 0);
    }
  });
  return mask;
}

inline Bits bits_of(const Image& mask) {
  Bits bits;
  for (std::int64_t y = 0; y < mask.shape().y; ++y) {
    const auto* row = mask.row<std::uint8_t>(y);
    std::string& line = bits.emplace_back();
    for (std::int64_t x = 0; x < mask.shape().x; ++x)
      line += row[x] == 255 ? '#' : row[x] == 0 ? '.' : '?';
  }
  return bits;
}

/// Marks what can be reached from (x, y) over pixels that are `from`, by sides or also by corners.
inline std::int64_t flood(Bits& bits, std::int64_t x, std::int64_t y, char from, char to,
                          bool corners) {
  std::vector<GridPoint> open{{x, y}};
  std::int64_t count = 0;
  while (!open.empty()) {
    const GridPoint p = open.back();
    open.pop_back();
    if (p.x < 0 || p.y < 0 || p.x >= width_of(bits) || p.y >= height_of(bits)) continue;
    char& pixel = bits[static_cast<std::size_t>(p.y)][static_cast<std::size_t>(p.x)];
    if (pixel != from) continue;
    pixel = to;
    ++count;
    for (std::int64_t dy = -1; dy <= 1; ++dy) {
      for (std::int64_t dx = -1; dx <= 1; ++dx) {
        if (corners || dx == 0 || dy == 0) open.push_back({p.x + dx, p.y + dy});
      }
    }
  }
  return count;
}

inline Bits random_bits(phantoms::UniformSequence& random, std::int64_t width, std::int64_t height,
                        double density) {
  Bits bits;
  for (std::int64_t y = 0; y < height; ++y) {
    std::string& row = bits.emplace_back();
    for (std::int64_t x = 0; x < width; ++x) row += random.next() < density ? '#' : '.';
  }
  return bits;
}

inline std::int64_t cross(const GridPoint& a, const GridPoint& b, const GridPoint& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Vertices are middles between pixels, none twice, no three of them in line.
inline void expect_tidy(const Polygon& outline) {
  const std::size_t count = outline.vertices.size();
  std::set<std::pair<std::int64_t, std::int64_t>> seen;
  ASSERT_GE(count, 4u);
  for (std::size_t i = 0; i < count; ++i) {
    const GridPoint& v = outline.vertices[i];
    ASSERT_EQ(v.x % 128, 0);
    ASSERT_EQ(v.y % 128, 0);
    ASSERT_NE(v.x % 256 == 0, v.y % 256 == 0);
    ASSERT_TRUE(seen.insert({v.x, v.y}).second);
    ASSERT_NE(cross(v, outline.vertices[(i + 1) % count], outline.vertices[(i + 2) % count]), 0);
  }
}

}  // namespace meander::testing
