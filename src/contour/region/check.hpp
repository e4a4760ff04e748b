// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "meander/segment.hpp"

namespace meander::contour {

/// Throws InvalidArgument unless it is a simple polygon, not too far away.
void check_start(const Polygon& start);

/// Throws for what segment cannot take; see there.
void check_segment(const Description& image, const SegmentOptions& options, const Device& device,
                   const SegmentInputs& inputs);

}  // namespace meander::contour
