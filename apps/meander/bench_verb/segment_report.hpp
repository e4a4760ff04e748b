// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <vector>

#include "bench/segment/segment.hpp"
#include "session/session.hpp"

namespace meander::app {

/// Each in words and in the report.
void report_segment(Session& session, const bench::SegmentBench& found);
/// What a pixel costs over the sizes that were measured.
void report_segment_growth(Session& session, const std::vector<bench::SegmentBench>& found);
/// The paper's statements beside the same of what was measured.
void report_segment_paper(Session& session, const std::vector<bench::SegmentBench>& found);
/// Scores against the truth, as Markdown.
void report_segment_accuracy(Session& session, const bench::SegmentAccuracies& found);
/// Milliseconds over the number of pixels.
std::string segment_plot(const std::vector<bench::SegmentBench>& found);

}  // namespace meander::app
