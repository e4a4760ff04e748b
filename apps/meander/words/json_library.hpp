// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <exception>

// A value whose construction ran out of memory is broken and notices it when it is destroyed: see
// out_of_memory.hpp, which can end the program in good order from there. The library's reader of
// GeoJSON has the same line, for both share what the compiler makes of these templates.
#define JSON_ASSERT(holds) ((holds) ? void() : std::terminate())
#include <nlohmann/json.hpp>

namespace meander::app {

using LibraryJson = nlohmann::ordered_json;

}  // namespace meander::app
