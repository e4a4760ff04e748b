// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <string_view>

namespace meander::io {

/// Bytes of a file as part of a one-line message: RIFF, \x1f\x8b. Long ones are cut off with "...".
std::string printable(std::string_view bytes);

}  // namespace meander::io
