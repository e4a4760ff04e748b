// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>

namespace meander::app {

/// In lower case, with its dot; empty when there is none.
std::string suffix_of(const std::string& path);

/// Whether two names lead to one file, which need not exist.
bool is_same_file(const std::string& a, const std::string& b);

}  // namespace meander::app
