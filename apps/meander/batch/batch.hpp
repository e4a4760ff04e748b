// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "batch/plan.hpp"

namespace meander::app {

/// Runs a verb once for each of many files: this program again, as the user would run it for that
/// file alone, so that no file sees another's options, memory or end. Results appear on stdout in
/// the order of the files, as one object a line with --json; what went wrong, a line for each file,
/// on stderr at the end, and the exit code is then some_failed. Throws what BatchPlan does before
/// any work; Cancelled when stopped, with outputs that are whole or not there.
int run_batch(const Verb& verb, const std::vector<std::string>& inputs, const CommonOptions& common,
              const std::vector<OptionEntry>& common_entries, const std::stop_token& stop);

}  // namespace meander::app
