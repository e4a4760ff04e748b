// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <stop_token>

namespace meander::app {

/// Makes Ctrl-C, SIGTERM and SIGHUP, unless they are ignored, request a stop, so that the work
/// unwinds and removes what it had begun; a second one ends the program at once. Call before any
/// thread is started. A broken pipe or a file-size limit becomes an error of the write instead of a
/// signal.
std::stop_token stop_on_signals();

}  // namespace meander::app
