// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "segment/outline_output.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "meander/outline_text.hpp"
#include "system/file_names.hpp"

namespace meander::app {
namespace {

/// The one curve that has points.
std::string roi_of(const EdgeResult& result) {
  const auto& outlines = result.outlines;
  const auto found = std::find_if(outlines.begin(), outlines.end(), [](const EdgeOutline& outline) {
    return !outline.curve.points.empty();
  });
  return outline_as_roi(found->curve, found - outlines.begin() + 1);
}

std::string roi_of(const std::string& path, const FindResult& found) {
  check_number_of_outlines(path, found);
  return found.edge ? roi_of(*found.edge) : outline_as_roi(found.region->outlines.front());
}

}  // namespace

OutKind out_kind_of(const std::string& path) {
  const std::string suffix = suffix_of(path);
  if (suffix == ".geojson" || suffix == ".json") return OutKind::geojson;
  if (suffix == ".svg") return OutKind::svg;
  if (suffix == ".csv") return OutKind::csv;
  if (suffix == ".roi") return OutKind::roi;
  if (suffix == ".zip") return OutKind::roi_set;
  if (io::can_hold(path, PixelType::u8)) return OutKind::mask;
  throw Unsupported(fmt::format(
      "{}: found the suffix '{}', expected .geojson, .json, .svg, .csv, .roi or .zip for outlines "
      "or that of an image for a mask",
      path, suffix));
}

void check_number_of_outlines(const std::string& path, const FindResult& found) {
  if (out_kind_of(path) != OutKind::roi) return;
  const std::vector<Curve> curves = curves_of(found);
  const auto count = std::count_if(curves.begin(), curves.end(),
                                   [](const Curve& curve) { return !curve.points.empty(); });
  if (count == 1) return;
  throw Unsupported(fmt::format(
      "{}: found {} outlines, expected 1 for a .roi; a .zip holds any number", path, count));
}

std::string outline_file_of(const std::string& path, const FindResult& found,
                            const OutlineContext& context, const Control& control) {
  const auto& [model, image, spacing] = context;
  switch (out_kind_of(path)) {
    case OutKind::geojson:
      return found.edge ? outlines_as_geojson(*found.edge, OptionText<SegmentModel>::format(model),
                                              spacing, control)
                        : outlines_as_geojson(*found.region, spacing, control);
    case OutKind::svg:
      return found.edge ? outlines_as_svg(*found.edge, image, spacing, control)
                        : outlines_as_svg(*found.region, image, spacing, control);
    case OutKind::csv:
      return found.edge ? outlines_as_csv(*found.edge, spacing, control)
                        : outlines_as_csv(*found.region, spacing, control);
    case OutKind::roi:
      return roi_of(path, found);
    case OutKind::roi_set:
      return found.edge ? outlines_as_roi_zip(*found.edge, control)
                        : outlines_as_roi_zip(*found.region, control);
    case OutKind::mask:
      break;
  }
  throw LogicError("a mask was asked for as text");
}

std::string table_of(const FindResult& found, const Spacing& spacing, const Control& control) {
  return found.edge ? objects_as_csv(*found.edge, spacing, control)
                    : objects_as_csv(*found.region, spacing, control);
}

}  // namespace meander::app
