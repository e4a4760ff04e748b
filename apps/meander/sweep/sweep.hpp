// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <stop_token>
#include <vector>

#include "session/session.hpp"
#include "session/verb.hpp"

namespace meander::app {

/// Runs a verb once for each value of the options that --sweep names, or for each pair of values.
/// OUT becomes the sheet of all results and OUT with the suffix .json their reports; both appear
/// when all runs are done, or neither. Returns the exit code.
/// Throws InvalidArgument and Unsupported, before anything is computed, for what cannot be swept or
/// shown, and whatever a run throws. Only a run that does not converge leaves its tile empty and
/// the sweep goes on; NotConverged is thrown at the end when all of them were such.
int run_sweep(Verb& verb, CommonOptions& common, const std::vector<OptionEntry>& common_entries,
              const std::stop_token& stop);

}  // namespace meander::app
