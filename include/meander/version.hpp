// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string_view>

namespace meander {

/// "major.minor.patch" of the library that is linked.
std::string_view version();

}  // namespace meander
