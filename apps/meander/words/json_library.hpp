// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <nlohmann/json.hpp>

namespace meander::app {

using LibraryJson = nlohmann::ordered_json;

}  // namespace meander::app
