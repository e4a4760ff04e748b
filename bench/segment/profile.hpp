// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "meander/segment.hpp"

namespace meander::bench {

/// Part of one run of segment(), on the cpu and as many threads as are set, that passes in the
/// backend's sums along edges and over triangles.
double share_of_sums(const Image& host_image, const SegmentOptions& options,
                     const Control& control);

}  // namespace meander::bench
