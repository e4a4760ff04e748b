// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "meander/control.hpp"
#include "meander/image.hpp"

namespace meander {

/// A point on a grid of 1/256 pixel, held as integers so that every question about a polygon has
/// one exact answer. Pixel centres are at multiples of 256; x runs to the right, y down the rows.
struct GridPoint {
  std::int64_t x = 0;  ///< In steps of 1/256 pixel.
  std::int64_t y = 0;  ///< In steps of 1/256 pixel.
  friend bool operator==(const GridPoint&, const GridPoint&) = default;
};

inline constexpr std::int64_t grid_steps_per_pixel = 256;  ///< Of GridPoint.

/// A place, or the way from one to another, in pixels.
struct Point {
  double x = 0;  ///< To the right.
  double y = 0;  ///< Down the rows.
  /// The sum of each coordinate.
  friend Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
  /// The way from b to a.
  friend Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
  /// So many times as far.
  friend Point operator*(double factor, Point a) { return {factor * a.x, factor * a.y}; }
  /// The scalar product.
  friend double dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }
  friend bool operator==(const Point&, const Point&) = default;
};
/// The same point in pixels, exactly.
inline Point in_pixels(GridPoint point) {
  return {static_cast<double>(point.x) / grid_steps_per_pixel,
          static_cast<double>(point.y) / grid_steps_per_pixel};
}

/// So many outlines or starts there may be together: as many as labels of 16 bits tell apart.
inline constexpr std::size_t most_outlines = 65535;
/// Outlines reach no further than this many pixels in either direction, so that no product of two
/// coordinates overflows.
inline constexpr std::int64_t largest_coordinate = std::int64_t{1} << 20;

/// The nearest point of the grid, halves rounded up; x and y in pixels. Throws InvalidArgument when
/// one is not finite or beyond largest_coordinate.
GridPoint on_grid(double x, double y);

/// A closed outline: the last vertex is joined to the first. Pixel (x, y) is inside when an odd
/// number of edges that cover its row cross it at or left of x; an edge covers the rows y_min <= y
/// < y_max. So neighbouring polygons share no pixel and leave none out.
struct Polygon {
  std::vector<GridPoint> vertices;  ///< In order; the first is not repeated.
  friend bool operator==(const Polygon&, const Polygon&) = default;

  /// In pixels squared; positive when the vertices run from the x axis towards the y axis.
  double signed_area() const;
  /// In pixels.
  double perimeter() const;
};

/// A node of a spline: a control point, beside which the curve passes smoothly, or a corner, in
/// which two curves end.
struct SplineNode {
  GridPoint at;            ///< The control point or corner.
  bool is_corner = false;  ///< Whether two curves end in it.
  friend bool operator==(const SplineNode&, const SplineNode&) = default;
};

/// A closed curve: the uniform cubic B-spline of its nodes, corners counted three times. Between
/// two corners that follow each other it is straight.
struct Spline {
  std::vector<SplineNode> nodes;  ///< In order; the first is not repeated.
  friend bool operator==(const Spline&, const Spline&) = default;
};
/// As a polygon, nowhere farther than 1/20 pixel from it (cubics of up to some 10,000 pixels), with
/// vertices rounded to the grid. Cost: about the number of its vertices.
Polygon flattened(const Spline& spline);
/// The vertex of that polygon which is a node's: at a corner, or where the curve passes beside it.
std::vector<std::size_t> vertices_of_nodes(const Spline& spline);

/// What an object covers: the pixels inside `outer` and inside none of its holes. The outer ring is
/// of positive area, holes are reversed, of negative area: sums over all rings are those of what is
/// covered. Rings do not touch each other, holes lie in the outer ring and not in one another.
struct Region {
  Polygon outer;               ///< Of positive area.
  std::vector<Polygon> holes;  ///< Of negative area.
  friend bool operator==(const Region&, const Region&) = default;

  /// In pixels squared, without the holes.
  double area() const;
  /// In pixels, of all rings.
  double perimeter() const;
};

/// A region and the number that stands for it in an image of labels.
struct LabelledRegion {
  std::int64_t label = 0;  ///< From 1 on; 0 is no object.
  Region region;           ///< What it stands for.
  friend bool operator==(const LabelledRegion&, const LabelledRegion&) = default;
};

/// A line through points, closed like a polygon or open.
struct Curve {
  std::vector<GridPoint> points;  ///< In order; closed ones do not repeat the first.
  bool is_open = false;           ///< Whether the last point is not joined to the first.
  friend bool operator==(const Curve&, const Curve&) = default;

  /// In pixels.
  double length() const;
};

/// Whether no two edges touch but neighbours at the vertex they share, and there are at least three
/// vertices. Cost: about the number of vertices.
bool is_simple(const Polygon& polygon);

/// A rectangle between two opposite corners, in any order, in pixels: (-0.5, -0.5) is the corner of
/// the first pixel. Rounded to the grid, of positive area. Throws InvalidArgument when nothing is
/// left between them, and like on_grid.
Polygon box_outline(double x0, double y0, double x1, double y1);

/// A polygon whose vertices are on the circle (rounded to the grid), of positive area: one vertex
/// about every 4 pixels of its length, but at least 8 and at most 64.
/// Throws InvalidArgument for a radius below 1/16 pixel, and like on_grid.
Polygon circle_outline(double x, double y, double radius);

/// The outer outline of the largest part of a mask: pixels that are not 0 and hang together by
/// their sides; of parts of one size the first from the top. Its holes are filled. The vertices lie
/// halfway between the centre of a pixel of the part and one that is not of it, beyond the image's
/// border too; those within a straight line are left out. The polygon is simple, of positive area,
/// and holds exactly the pixels of the part and of its holes. The mask is a 2-D host image of one
/// channel and any type. One pass over the pixels, on one thread, and a walk along the outline;
/// memory for the runs of two rows. Throws InvalidArgument when every pixel is 0, for volumes,
/// several channels and sides longer than largest_coordinate.
Polygon outline_of_mask(const Image& mask, const Control& control = {});

/// All parts of a mask with their holes: pixels that are not 0 and hang together by their sides, in
/// the order of their first pixels from the top. Rings are made like outline_of_mask's, which says
/// what else holds; a region holds exactly the pixels of its part, and holes are what lies inside
/// it and hangs together by sides or corners. None when every pixel is 0. Throws like
/// outline_of_mask otherwise.
std::vector<Region> regions_of_mask(const Image& mask, const Control& control = {});
/// The same of pixels of one value: an entry for each part of each label, by label and then by
/// place. Labels are whole numbers from 0 to 2^53, 0 is no object. Throws InvalidArgument for other
/// values.
std::vector<LabelledRegion> regions_of_labels(const Image& labels, const Control& control = {});

/// The label of the region that holds each pixel, 0 where none does; of several the last one's. The
/// slab is of type u16, otherwise as for fill_mask. Throws InvalidArgument for labels beyond 1 to
/// 65535 too.
void fill_labels(std::span<const LabelledRegion> regions, Image& slab, std::int64_t begin,
                 const Control& control = {});
/// 255 at the pixels that a region holds, as fill_mask does for polygons.
void fill_mask(std::span<const Region> regions, Image& slab, std::int64_t begin,
               const Control& control = {});
/// The same whatever the labels are.
void fill_mask(std::span<const LabelledRegion> regions, Image& slab, std::int64_t begin,
               const Control& control = {});

/// 255 at the pixels that are inside at least one of the outlines (see Polygon), 0 at the others.
/// The slab, a 2-D host image of one channel and type u8, holds the rows of an image from `begin`
/// on. One pass over its pixels, on all threads; memory for where outlines cross some rows. Throws
/// InvalidArgument for another slab, and for outlines beyond largest_coordinate.
void fill_mask(std::span<const Polygon> outlines, Image& slab, std::int64_t begin,
               const Control& control = {});

/// Outlines as the text of a file, coordinates in pixels. Multiples of 1/256 are finite decimals,
/// so nothing is rounded. GeoJSON: a FeatureCollection of one Polygon each, the ring closed and of
/// positive area as RFC 7946 asks. CSV: the header `outline,vertex,x,y` and one line a vertex.
std::string outlines_as_geojson(std::span<const Polygon> outlines, const Control& control = {});
/// CSV: one line a vertex.
std::string outlines_as_csv(std::span<const Polygon> outlines, const Control& control = {});

}  // namespace meander
