// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "filter/axis_pass.hpp"

/// Normalised convolution: smooth(w·x) / smooth(w), with weight w = 1 where a pixel counts and 0
/// elsewhere. A pixel counts if it is finite and the mask, if there is one, is above 0 there.
namespace meander {

/// w·x and w, of the type of the arithmetic and with the channels of the image.
struct WeightedImage {
  Image values;
  Image weights;
};

/// `mask` has one channel, or is empty. `values` goes where it is told, or into an image of its own
/// when that is empty.
WeightedImage weighted_image(const Image& image, const Image& mask, PixelType type,
                             const Image& values = {});

/// Replaces the smoothed values by the average; uses up the smoothed weights. Pixels outside the
/// mask keep what they hold, and so do those near which nothing counts. NaN and infinities are
/// filled when they are to be ignored and stay otherwise.
void divide_by_weights(const WeightedImage& smoothed, const Image& image, const Image& mask,
                       Nonfinite nonfinite);

/// The border beyond which the weights of an image with `border` continue.
BorderRule border_of_weights(const BorderRule& border);

}  // namespace meander
