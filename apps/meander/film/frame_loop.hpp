// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <stop_token>
#include <vector>

#include "input/frames.hpp"
#include "session/session.hpp"

namespace meander::app {

/// Runs a verb once for each of these frames or slices. OUT becomes a film or a stack, or numbered
/// files as all other outputs; they appear when all runs are done, or none of them. Prints one
/// report of all. Returns the first exit code that is not 0. Throws InvalidArgument, before
/// anything is computed, for outputs that cannot hold the frames, and whatever a run throws, with
/// the frame. A frame that does not converge and is kept all the same is thrown as NotConverged at
/// the end.
int run_frames(Verb& verb, const FrameRange& frames, const CommonOptions& common,
               const std::vector<OptionEntry>& common_entries, const std::stop_token& stop);

}  // namespace meander::app
