// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace meander::app {

/// Cells of any text, as RFC 4180 has them: in quotes where there is a comma, a quote or a line
/// break.
std::string csv_line(const std::vector<std::string>& cells);
std::vector<std::vector<std::string>> csv_cells(std::string_view text);

}  // namespace meander::app
