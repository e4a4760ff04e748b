// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>

#include "segment/segment.hpp"

namespace meander::app {

/// What OUT is, by its suffix.
enum class OutKind : std::uint8_t { geojson, svg, csv, roi, roi_set, mask };
/// Throws Unsupported for a suffix that stands for none.
OutKind out_kind_of(const std::string& path);

/// What is told of outlines beside them.
struct OutlineContext {
  SegmentModel model = SegmentModel::region;
  Shape image;
  Spacing spacing;  ///< That files are written with.
};

/// A file of outlines; `path` is its name. Throws Unsupported for a .roi of none or several.
std::string outline_file_of(const std::string& path, const FindResult& found,
                            const OutlineContext& context, const Control& control);
/// Throws what outline_file_of would for the number of outlines, without making any.
void check_number_of_outlines(const std::string& path, const FindResult& found);

/// A line an object.
std::string table_of(const FindResult& found, const Spacing& spacing, const Control& control);

}  // namespace meander::app
