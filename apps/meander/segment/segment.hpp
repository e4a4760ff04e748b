// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "meander/score.hpp"
#include "meander/starts.hpp"
#include "segment/options.hpp"
#include "segment/place.hpp"
#include "session/session.hpp"

namespace meander::app {

/// The files that one run reads, opened, and found to fit each other by their headers.
struct SegmentFiles {
  /// Throws InvalidArgument, with the file, for axes, channels or shapes that do not fit.
  SegmentFiles(Session& session, const SegmentVerbOptions& given);

  io::Reader& input;
  Description image;  ///< What is taken of the input.
  SegmentPlace place;
  std::optional<io::Reader> truth, start_mask, mask, field;
  /// None when found by itself; those of a mask or of labels are found when these are read.
  std::vector<Region> regions;  ///< Of a region model.
  std::vector<Curve> starts;    ///< Of model edge.
};

/// Starts by numbers or of a file with outlines, in the coordinates of the whole image; none when
/// they are found.
std::vector<Region> regions_to_start(const SegmentVerbOptions& given, const Spacing& image,
                                     const Control& control);
std::vector<Curve> curves_to_start(const SegmentVerbOptions& given, const Spacing& image,
                                   const Control& control);
/// See starts_of_mask; what it throws begins with the name of the file.
std::vector<Region> starts_in(const std::string& path, const Image& mask, const Control& control);
/// See ObjectInputs::mask. Throws InvalidArgument where every pixel is 0.
Image bounds_in(const std::string& path, const Image& mask);
/// See ObjectInputs::has_shapes.
bool has_shapes(const SegmentStart& start);
/// Warns where more than half of an image lies within outer outlines: the most frequent level is
/// taken for the background.
void warn_of_cover(Session& session, double covered, const Shape& image);
std::string words(const SegmentStart& start);

/// The spacing that areas, lengths and coordinates have in files, reports and words alike.
Spacing spacing_of_results(const SegmentVerbOptions& given, const Spacing& image);

/// Of one image; with a field that is given no flow is solved.
Work work_of(const SegmentVerbOptions& given, const Description& image, bool has_field);
/// Plans the work. Throws OutOfMemory, with the need and the store that would fit, for what the
/// budget cannot hold.
void check_segment_memory(Session& session, const SegmentVerbOptions& given,
                          const SegmentFiles& files);

void report_region_plan(Session& session, const SegmentVerbOptions& given);
void report_edge_plan(Session& session, const SegmentVerbOptions& given);
void report_region_result(Session& session, const FindResult& found, const Spacing& spacing);
void report_edge_result(Session& session, const SegmentVerbOptions& given, const EdgeResult& result,
                        const Spacing& spacing);
/// Of more outlines than this one line is said for all.
inline constexpr std::size_t most_sentences = 8;
std::string area_words(const std::vector<double>& areas, const Spacing& spacing);
/// One line that says which curves did not settle and why; nothing when all did.
std::optional<std::string> shortfall(const SegmentVerbOptions& given, const EdgeResult& result,
                                     const std::vector<std::size_t>& unsettled);

/// Throws InvalidArgument, with the file, for a truth of colours: before the search, not after it.
void check_truth(Session& session, const std::string& path, io::Reader& truth);
/// Slab by slab.
TruthScore score_of(Session& session, const std::string& path, io::Reader& truth,
                    std::vector<LabelledRegion> objects);
void report_score(Session& session, const TruthScore& score);

}  // namespace meander::app
