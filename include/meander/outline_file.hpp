// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <vector>

#include "meander/image.hpp"
#include "meander/outline.hpp"

namespace meander {

/// So many starts may be in one file: as many as labels of 16 bits tell apart.
inline constexpr std::size_t most_outlines = 65535;

/// Whether the suffix is one of outlines that can be read: .geojson, .json or .csv.
bool is_outline_file(const std::string& path);

/// Whether a file of starts, of outlines or of pixels, has the shapes of objects, not boxes and
/// points alone.
bool has_shapes(const std::string& path);

/// What the polygons of a file cover, in pixels, in their order. GeoJSON: Polygons with their
/// holes, MultiPolygons, Features and FeatureCollections of them. CSV: outlines as the program
/// writes them (header outline,vertex,x,y and more; a column `ring` tells holes), boxes (header
/// x0,y0,x1,y1) or points (header x,y or x,y,r): circles of r pixels, without r of 8, and of less
/// where two points are near each other. GeoJSON comes back to pixels by its own members `spacing`
/// and `unit`; CSV with a column `unit` by the spacing of the image; without them coordinates are
/// pixels. Throws MalformedFile for what is no outline, Unsupported for other geometries and more
/// than most_outlines, InvalidArgument when a ring touches itself.
std::vector<Region> read_regions(const std::string& path, const Spacing& image);

/// All curves of such a file: closed ones without holes, or open ones (LineString and
/// MultiLineString in GeoJSON; CSV of outlines does not tell and is taken as asked). Throws like
/// read_regions, Unsupported for holes, and InvalidArgument for open ones where closed ones are
/// asked for and the reverse.
std::vector<Curve> read_curves(const std::string& path, const Spacing& image, bool open);

}  // namespace meander
