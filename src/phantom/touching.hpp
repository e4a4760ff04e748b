// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "phantom/blob.hpp"

namespace meander::phantoms {

/// Two blobs that share a straight piece of their outlines, left and right of it.
struct TouchingPair {
  Polygon left, right;
};

/// Two cells side by side, in pixels but for `reach`, which is in cells as a single blob's.
struct DoubleCell {
  double x, y;  ///< Its middle, where the two meet.
  double pitch;
  double reach;
};

/// Where the piece lies and how it leans is drawn; the blobs' own shifts are not used. The piece is
/// one edge of both, each polygon stays on its side of it, so no pixel belongs to both and none
/// between them to neither.
TouchingPair touching_pair(const Blob& left, const Blob& right, const DoubleCell& cell,
                           UniformSequence uniforms);

}  // namespace meander::phantoms
