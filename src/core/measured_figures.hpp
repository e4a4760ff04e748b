// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <filesystem>

namespace meander {

/// What can be made again: MEANDER_CACHE, XDG_CACHE_HOME/meander or ~/.cache/meander; empty when
/// none is set.
std::filesystem::path cache_folder();

}  // namespace meander
