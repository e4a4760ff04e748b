// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "meander/edge.hpp"

namespace meander::contour {

struct EdgeMap {
  Image edges;  ///< See EdgeStages.
  double noise_floor = 0, largest = 0;
};

/// |∇(Gσ * image)| from the noise floor up. Throws InvalidArgument for values that are not finite.
EdgeMap edge_map(const Image& image, const EdgeOptions& options, const Control& control);

/// The median of an image of one channel and type f32, or of every k-th row of it where it has more
/// than some quarter million pixels. 0 of none.
double median_of(const Image& image);

}  // namespace meander::contour
