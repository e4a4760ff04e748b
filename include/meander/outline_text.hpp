// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "meander/edge.hpp"
#include "meander/image.hpp"
#include "meander/measure.hpp"
#include "meander/segment.hpp"

/// Outlines that were found, as the text of files that other programs open. Coordinates are those
/// of pixel centres times the spacing, in its unit; with the spacing of pixels they are multiples
/// of 1/256, finite decimals of which nothing is rounded. Other numbers are the shortest that come
/// back as the same float64. y runs down the rows.
namespace meander {

/// A FeatureCollection as RFC 7946 has it, a Polygon for each outline with its rings closed, the
/// outer one of positive area and holes reversed. The members `spacing` (x, y) and `unit` of the
/// collection lead back to pixels. Properties: id, nodes, area, perimeter, unit, criterion, gain,
/// noise, mean and sigma inside and outside, circularity and contrast (see objects_as_csv), holes,
/// and confidence, a number for each node of the outer ring.
std::string outlines_as_geojson(const SegmentResult& result, const Spacing& spacing = {},
                                const Control& control = {});

/// The header `outline,vertex,x,y,confidence` and one line a vertex; `outline` is the id. Where an
/// outline has holes the column `ring` follows, 0 for the outer ring and from 1 on for its holes,
/// of whose vertices no confidence is known. A spacing that is not in pixels adds the column
/// `unit`.
std::string outlines_as_csv(const SegmentResult& result, const Spacing& spacing = {},
                            const Control& control = {});

/// A drawing of the size of the image, to lie on top of it: a path for each outline, holes in it,
/// with its id, and a dot for each node of the outer ring, from red for no confidence to green for
/// the most of the outline. Its coordinates are pixels. It has its true size where the spacing is
/// in mm, cm or m; one measured in um or nm would be too small to see and has a pixel of the screen
/// for the smaller side of a pixel.
std::string outlines_as_svg(const SegmentResult& result, const Shape& image,
                            const Spacing& spacing = {}, const Control& control = {});

/// One line an object: `id,area,perimeter,circularity,x,y,mean,sigma,background_mean,
/// background_sigma,contrast,confidence,nodes,holes`, areas and lengths in the spacing's unit, x
/// and y the centroid; a spacing that is not in pixels adds the column `unit`. See ObjectMeasure.
std::string objects_as_csv(const SegmentResult& result, const Spacing& spacing = {},
                           const Control& control = {});

/// The bytes of ImageJ's file of one region of interest, named by its id, `0001` and so on: a
/// polygon whose coordinates are parts of pixels, or, with holes or more than 65535 nodes, a
/// composite. ImageJ counts from the corner of the first pixel: coordinates are those of Outline
/// plus a half and in pixels, exactly so below 65536 and beyond that the nearest float32. Throws
/// InvalidArgument for an outline without a node.
std::string outline_as_roi(const Outline& outline);
/// Its set of them, a ZIP archive of such files, `0001.roi` and so on by id; the same outlines give
/// the same bytes. Throws Unsupported for more than 65535 of them or 4 GiB.
std::string outlines_as_roi_zip(const SegmentResult& result, const Control& control = {});

/// The same of curves that moved to edges. GeoJSON has a LineString for an open one; properties:
/// id, nodes, area and perimeter or, of an open one, length, unit, end (a name of SnakeEnd), steps,
/// loops and model, which is said by the caller. A curve that vanished has no coordinates. CSV has
/// the header `outline,vertex,x,y`, SVG has no dots. Curves are numbered from 1 on. The table has
/// the columns `id,area,perimeter,circularity,x,y,nodes,end`, those of an open or vanished curve
/// empty where they have no meaning.
std::string outlines_as_geojson(const EdgeResult& result, std::string_view model,
                                const Spacing& spacing = {}, const Control& control = {});
/// The header `outline,vertex,x,y` and one line a vertex.
std::string outlines_as_csv(const EdgeResult& result, const Spacing& spacing = {},
                            const Control& control = {});
/// A drawing of the size of the image, without dots.
std::string outlines_as_svg(const EdgeResult& result, const Shape& image,
                            const Spacing& spacing = {}, const Control& control = {});
/// One line a curve, with the columns above.
std::string objects_as_csv(const EdgeResult& result, const Spacing& spacing = {},
                           const Control& control = {});
/// An open curve is a polyline, of at most 65535 points (more: Unsupported).
std::string outline_as_roi(const Curve& curve, std::int64_t id = 1);
/// Curves without a point are left out.
std::string outlines_as_roi_zip(const EdgeResult& result, const Control& control = {});

}  // namespace meander
