// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>

#include "meander/error.hpp"

namespace meander::app {

/// Throws an error of the same kind with another text.
[[noreturn]] void throw_again(const Error& error, const std::string& text);

}  // namespace meander::app
