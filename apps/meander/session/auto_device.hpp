// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdio>
#include <functional>
#include <string>

#include "session/session.hpp"

namespace meander::app {

/// What --device auto means for such work: see Device::for_work. A GPU for which `fits` is false is
/// passed over; after a GPU has failed it is `cpu`.
Choice chosen_device(const Verb& verb, const CommonOptions& common, const Work& work,
                     const std::function<bool(const Device&)>& fits);

/// Runs a verb, and where that fails on a GPU that was chosen so, once more on `cpu`, after a line
/// on stderr. Nothing of the first run is left: outputs appear only when they are complete, and
/// lines wait.
int run_or_go_on_with_cpu(Verb& verb, CommonOptions& common, const std::function<int()>& work);

/// Prints, at the end of the run where that may have to be done once more.
void print_in_time(Invocation& invocation, std::FILE* to, const std::string& text);

}  // namespace meander::app
