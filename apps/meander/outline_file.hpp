// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <vector>

#include "meander/meander.hpp"

namespace meander::app {

/// Whether the suffix is one of outlines that can be read: .geojson, .json or .csv.
bool is_outline_file(const std::string& path);

/// The one outline of a GeoJSON file (Polygon, MultiPolygon of one, Feature or FeatureCollection of
/// one) or of a CSV file as the program writes them, in pixels and of positive area. GeoJSON comes
/// back to pixels by its own members `spacing` and `unit`; CSV with a column `unit` by the spacing
/// of the image; without them coordinates are pixels. Throws MalformedFile for what is no outline,
/// Unsupported for several outlines and for holes, InvalidArgument when the outline crosses itself.
Curve read_outline(const std::string& path, const Spacing& image);

/// All curves of such a file: closed ones, or open ones (LineString and MultiLineString in GeoJSON;
/// CSV does not tell and is taken as asked). Throws like read_outline, and InvalidArgument for open
/// ones where closed ones are asked for and the reverse.
std::vector<Curve> read_curves(const std::string& path, const Spacing& image, bool open);

}  // namespace meander::app
