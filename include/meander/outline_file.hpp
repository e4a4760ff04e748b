// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <filesystem>
#include <vector>

#include "meander/control.hpp"
#include "meander/image.hpp"
#include "meander/outline.hpp"

namespace meander {

/// Whether the suffix is one of outlines that can be read: .geojson, .json or .csv.
bool is_outline_file(const std::filesystem::path& path);

/// Whether a file of starts, of outlines or of pixels, has the shapes of objects, not boxes and
/// points alone.
bool has_shapes(const std::filesystem::path& path);

/// What the polygons of a file cover, in pixels, in their order. GeoJSON: Polygons with their
/// holes, MultiPolygons, Features and FeatureCollections of them. CSV: outlines as the program
/// writes them (header outline,vertex,x,y and more; a column `ring` tells holes), boxes (header
/// x0,y0,x1,y1) or points (header x,y or x,y,r): circles of radius r, without r of 8 pixels, and of
/// less where two points are near each other. GeoJSON comes back to pixels by its own member
/// `spacing`; CSV with a column `unit` by the spacing of the image, a radius by that along x;
/// without them coordinates are pixels. Throws FileSystemError; MalformedFile for what is no
/// outline; Unsupported for other geometries, more than most_outlines, files of more than 16 MiB,
/// and GeoJSON in a build without MEANDER_JSON; InvalidArgument when a ring touches itself, and for
/// a column `unit` where the image has no spacing in a unit of length.
std::vector<Region> read_regions(const std::filesystem::path& path, const Spacing& image,
                                 const Control& control = {});

/// All curves of such a file: closed ones without holes, or open ones (LineString and
/// MultiLineString in GeoJSON; CSV of outlines does not tell and is taken as asked). Throws like
/// read_regions, Unsupported for holes, and InvalidArgument for open ones where closed ones are
/// asked for and the reverse.
std::vector<Curve> read_curves(const std::filesystem::path& path, const Spacing& image, bool open,
                               const Control& control = {});

}  // namespace meander
