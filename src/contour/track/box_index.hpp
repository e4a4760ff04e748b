// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "contour/geometry/pixel_set.hpp"

namespace meander::contour {

/// Finds boxes near a place among many: they are listed in every square of the image they reach.
class BoxIndex {
 public:
  explicit BoxIndex(const Shape& image)
      : columns_((image.x + side - 1) / side),
        rows_((image.y + side - 1) / side),
        squares_(static_cast<std::size_t>(columns_ * rows_)) {}

  /// What of the box lies in the image.
  void add(const PixelBox& box, std::size_t name) {
    for (const std::size_t square : squares_of(box)) squares_[square].push_back({box, name});
  }

  /// The names of all boxes that meet this one, in order.
  std::vector<std::size_t> near(const PixelBox& box) const {
    std::vector<std::size_t> names;
    for (const std::size_t square : squares_of(box)) {
      for (const Named& other : squares_[square]) {
        if (other.box.meets(box)) names.push_back(other.name);
      }
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
  }

 private:
  static constexpr std::int64_t side = 64;
  struct Named {
    PixelBox box;
    std::size_t name;
  };

  std::vector<std::size_t> squares_of(const PixelBox& box) const {
    std::vector<std::size_t> squares;
    if (box.x0 >= box.x1 || box.y0 >= box.y1) return squares;
    const auto first = [](std::int64_t at) { return std::max<std::int64_t>(at, 0) / side; };
    const auto end = [](std::int64_t at, std::int64_t count) {
      return std::min((at + side - 1) / side, count);
    };
    for (std::int64_t row = first(box.y0); row < end(box.y1, rows_); ++row) {
      for (std::int64_t column = first(box.x0); column < end(box.x1, columns_); ++column) {
        squares.push_back(static_cast<std::size_t>(row * columns_ + column));
      }
    }
    return squares;
  }

  std::int64_t columns_, rows_;
  std::vector<std::vector<Named>> squares_;
};

}  // namespace meander::contour
