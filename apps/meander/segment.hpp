// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "segment_options.hpp"
#include "segment_place.hpp"
#include "session.hpp"

namespace meander::app {

/// The files that one run reads, opened, and found to fit each other by their headers.
struct SegmentFiles {
  /// Throws InvalidArgument, with the file, for axes, channels or shapes that do not fit.
  SegmentFiles(Session& session, const SegmentVerbOptions& given);

  io::Reader& input;
  Description image;  ///< What is taken of the input.
  SegmentPlace place;
  std::optional<io::Reader> truth, start_mask, field;
  /// None when found by itself; those of a mask or of labels are found when these are read.
  std::vector<Region> regions;  ///< Of a region model.
  std::vector<Curve> starts;    ///< Of model edge.
};

/// What a run found: of the models in use.
struct SegmentFindings {
  std::optional<SegmentResult> region;
  std::optional<EdgeResult> edge;
  std::vector<Curve> starts;  ///< Of the edge snake, as far as they are known.
};
/// The outlines at the end, of whichever model.
std::vector<Curve> curves_of(const SegmentFindings& found);
std::vector<Polygon> polygons_of(const SegmentFindings& found);

/// Starts by numbers or of a file with outlines, in the coordinates of the whole image; none when
/// they are found.
std::vector<Region> regions_to_start(const SegmentVerbOptions& given, const Spacing& image);
std::vector<Curve> curves_to_start(const SegmentVerbOptions& given, const Spacing& image);
/// Every part of a mask, with its holes; of an image with several values besides 0 every part of
/// every label. Throws InvalidArgument when there is none or a label is no whole number,
/// Unsupported for more than may be.
std::vector<Region> regions_in(const std::string& path, const Image& mask, const Control& control);
/// Throws InvalidArgument for starts that overlap, hold no pixel or all pixels of an image. Of
/// several those without a pixel are left out where the image is a part of another.
void check_starts(Session& session, std::vector<Region>& starts, const SegmentFiles& files);
/// Whether the search is one for objects side by side: one outline without holes moves alone.
bool are_objects(const std::vector<Region>& starts);
std::string words(const SegmentStart& start);

/// The spacing that files of outlines are written with.
Spacing spacing_of_files(const SegmentVerbOptions& given, const Spacing& image);

/// Throws OutOfMemory, with the need and the store that would fit, for what the budget cannot hold.
void check_segment_memory(Session& session, const SegmentVerbOptions& given,
                          const SegmentFiles& files);

void report_region_plan(Session& session, const SegmentVerbOptions& given);
void report_edge_plan(Session& session, const SegmentVerbOptions& given);
void report_region_result(Session& session, const SegmentResult& result, const Spacing& spacing);
void report_edge_result(Session& session, const SegmentVerbOptions& given, const EdgeResult& result,
                        const Spacing& spacing);
/// One line that says which curves did not settle and why; nothing when all did.
std::optional<std::string> shortfall(const SegmentVerbOptions& given, const EdgeResult& result);

/// Of the pixels that a mask file holds and those inside the outlines: intersection over union, 1
/// when both are empty.
double overlap_with(Session& session, io::Reader& truth, const std::vector<Polygon>& outlines);

}  // namespace meander::app
