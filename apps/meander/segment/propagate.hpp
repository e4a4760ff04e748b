// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "segment/options.hpp"
#include "session/session.hpp"

namespace meander::app {

/// Follows objects through the frames of a film, the slices of a volume or numbered files: one run
/// over all of them, with one frame in memory at a time.
int run_propagate(Session& session, const SegmentVerbOptions& given);

}  // namespace meander::app
