// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <vector>

#include "bench/flow/flow.hpp"
#include "session/session.hpp"

namespace meander::app {

/// Each in words and in the report.
void report_flow(Session& session, const bench::FlowBench& found);
void report_flow_memory(Session& session, const Shape& size,
                        const std::vector<bench::FlowMemory>& found);
/// What multigrid costs for each pixel, over the planes and over the volumes that were measured.
void report_flow_growth(Session& session, const std::vector<bench::FlowBench>& found);
/// The paper's tables 1 and 2, for the sizes that were measured.
void report_flow_paper(Session& session, const std::vector<bench::FlowBench>& found);
/// Its table 3, as Markdown.
void report_flow_accuracy(Session& session, const bench::FlowAccuracies& found);
/// Nanoseconds over the number of pixels: for each step, and of multigrid in all.
std::string flow_plot(const std::vector<bench::FlowBench>& found);

}  // namespace meander::app
