// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <vector>

#include "bench/react/react.hpp"
#include "session/session.hpp"

namespace meander::app {

/// Each in words and in the report.
void report_react(Session& session, const bench::ReactResult& found);
void report_react_accuracy(Session& session, const Shape& size,
                           const std::vector<bench::ReactAccuracy>& found);
/// The paper's tables 2, 4 and 6, for the sizes that were measured.
void report_react_paper(Session& session, const std::vector<bench::ReactResult>& found);
/// One size, beside the paper's tables 3 and 5 where they have it.
void report_react_groups(Session& session, const Shape& size,
                         const std::vector<bench::ReactGroups>& found);
/// Nanoseconds for each cell and step over the number of cells.
std::string react_plot(const std::vector<bench::ReactResult>& found);

}  // namespace meander::app
