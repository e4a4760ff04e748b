// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "contour/geometry/polyline.hpp"
#include "meander/image.hpp"
#include "meander/outline.hpp"

/// Sets of pixels, with which objects of one frame are compared with those of another, exactly.
namespace meander::contour {

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

/// Of what a region covers, in pixels; that of the line of an open curve.
Point centroid_of(const Region& region);
Point centroid_of(const Curve& curve);

/// By whole steps of the grid, rounded.
std::vector<GridPoint> moved(std::vector<GridPoint> points, double dx, double dy);
Region moved(const Region& region, double dx, double dy);

}  // namespace meander::contour
