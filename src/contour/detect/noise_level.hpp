// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <vector>

#include "contour/detect/scales.hpp"

/// How much an image scatters where it has no objects.
namespace meander::contour {

/// How much an image without objects scatters at one scale.
struct ScaleNoise {
  double smooth = 1;  ///< Standard deviation of the smoothed image.
  /// That of a cell if cells were independent, with the same effect on the smoothed image: at this
  /// scale and, for as many pixels, at each coarser one.
  std::vector<double> cell{1};
};

/// Standard deviation of noise that is independent from cell to cell, from the median difference of
/// neighbours; of the lower nine tenths of their squares where most are equal.
double white_noise(const std::vector<float>& cells, std::int64_t columns, std::int64_t rows);
struct PixelNoise {
  double deviation = 0;    ///< Standard deviation.
  double correlation = 1;  ///< Pixels that share it: 4 pi s^2 where a Gaussian of s smoothed it.
};
/// From differences of cells one and two apart; at least 1 cell shares its noise, 43 at most.
PixelNoise pixel_noise(const std::vector<float>& cells, std::int64_t columns, std::int64_t rows);
/// Standard deviation of a smoothed image without its objects: the smaller of two estimates, from
/// differences of cells four apart, a quarter of which lie in the background alone, and from the
/// side of the background, 0, where no object is: below it for bright ones, sign 1, above it for
/// dark ones, sign -1.
double smooth_noise(const ScaleImage& image, float sign);

}  // namespace meander::contour
