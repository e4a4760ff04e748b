// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/version.hpp"

#include "core/version_text.hpp"

namespace meander {

std::string_view version() { return MEANDER_VERSION_TEXT; }

}  // namespace meander
