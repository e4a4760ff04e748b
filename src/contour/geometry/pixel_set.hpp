// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "contour/geometry/polyline.hpp"
#include "meander/image.hpp"
#include "meander/outline.hpp"

namespace meander::contour {

// Sets of pixels, with which objects of one frame are compared with those of another, exactly.

/// Pixels [begin, end) of a row.
struct RowRun {
  std::int64_t y, begin, end;
  friend bool operator==(const RowRun&, const RowRun&) = default;
};

/// Columns [x0, x1) and rows [y0, y1); empty when there are none of either.
struct PixelBox {
  std::int64_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  bool meets(const PixelBox& other) const {
    return x0 < other.x1 && other.x0 < x1 && y0 < other.y1 && other.y0 < y1;
  }
};

/// From the top and from the left, with gaps between neighbours.
struct PixelSet {
  std::vector<RowRun> runs;
  std::int64_t count() const;
  PixelBox box() const;
};

/// The pixels of an image that a region holds.
PixelSet pixels_of(const Region& region, const Shape& image);
/// How many pixels both have.
std::int64_t count_common(const PixelSet& a, const PixelSet& b);
PixelSet common(const PixelSet& a, const PixelSet& b);
PixelSet without(const PixelSet& a, const PixelSet& b);
/// With all neighbours by sides and corners, as far as the image goes.
PixelSet grown(const PixelSet& pixels, const Shape& image);
/// What is left of a set in squares of two by two pixels: its parts with their holes, the largest
/// first. None where it is one part.
std::vector<Region> parts_without_necks(const PixelSet& pixels);
/// The outline of the largest part; none of no pixels. Its holes are filled.
std::optional<Region> largest_part(const PixelSet& pixels);

/// Of what a region covers, in pixels, a corner where that is nothing; that of the line of an open
/// curve.
Point centroid_of(const Region& region);
Point centroid_of(const Curve& curve);

/// By whole steps of the grid, rounded.
std::vector<GridPoint> moved(std::vector<GridPoint> points, double dx, double dy);
Region moved(const Region& region, double dx, double dy);

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
