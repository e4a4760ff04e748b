// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace meander {

/// A point on a grid of 1/256 pixel, held as integers so that every question about a polygon has
/// one exact answer. Pixel centres are at multiples of 256; x runs to the right, y down the rows.
struct GridPoint {
  std::int64_t x = 0;
  std::int64_t y = 0;
  friend bool operator==(const GridPoint&, const GridPoint&) = default;
};

inline constexpr std::int64_t grid_steps_per_pixel = 256;

/// A closed outline: the last vertex is joined to the first. Pixel (x, y) is inside when an odd
/// number of edges that cover its row cross it at or left of x; an edge covers the rows y_min <= y
/// < y_max. So neighbouring polygons share no pixel and leave none out.
struct Polygon {
  std::vector<GridPoint> vertices;
  friend bool operator==(const Polygon&, const Polygon&) = default;

  /// In pixels squared; positive when the vertices run from the x axis towards the y axis.
  double signed_area() const;
  /// In pixels.
  double perimeter() const;
};

/// Whether no two edges touch but neighbours at the vertex they share, and there are at least three
/// vertices. Cost: about the number of vertices.
bool is_simple(const Polygon& polygon);

/// Outlines as the text of a file, coordinates in pixels. Multiples of 1/256 are finite decimals,
/// so nothing is rounded. GeoJSON: a FeatureCollection of one Polygon each, the ring closed and of
/// positive area as RFC 7946 asks. CSV: the header `outline,vertex,x,y` and one line a vertex.
std::string outlines_as_geojson(std::span<const Polygon> outlines);
std::string outlines_as_csv(std::span<const Polygon> outlines);

}  // namespace meander
