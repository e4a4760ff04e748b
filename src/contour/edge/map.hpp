// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "meander/edge.hpp"

namespace meander::contour {

/// What is tried when no σ is given, in pixels.
inline constexpr double smallest_sigma = 1, largest_sigma = 8;
/// How the gradient of an image is taken.
SmoothOptions gradient_options(const Scale& sigma);

struct EdgeMap {
  Image edges;  ///< See EdgeStages.
  Scale sigma;
  double noise_floor = 0, largest = 0;
};

/// |∇(Gσ * image)| from the noise floor up. A σ that is not given is the first of 1, √2, 2, … 8
/// pixels under which the strongest edge is 8 times the median. Of noise alone one pixel in 2^(k²)
/// is beyond k times the median (its gradient has a Rayleigh distribution), so none gets there. The
/// image is mirrored at its border: a repeated border would make edges of its noise. Throws
/// InvalidArgument for values that are not finite.
EdgeMap edge_map(const Image& image, const EdgeOptions& options, const Control& control);

/// Which part of some points lies on pixels of an edge map that are not 0.
double part_on_edges(const Image& edges, const Curve& curve);

/// The median of an image of one channel and type f32, or of every k-th row of it where it has more
/// than some quarter million pixels. 0 of none.
double median_of(const Image& image);

}  // namespace meander::contour
