// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <vector>

#include "meander/image.hpp"

namespace meander::bench {

/// exp(-n²/2σ²) for |n| <= radius, adding up to 1.
std::vector<double> exact_weights(double sigma, std::int64_t radius);

/// How far two images are apart, of the range of the image they were made from.
struct Deviation {
  double rms = 0, max = 0;
};

/// What the exact Gaussian makes of an image: direct convolution in float64 along every axis, with
/// weights to 8 sigma and clamped borders. Taken at all pixels of up to 32 columns, the first and
/// the last among them, which makes it cheap enough for any image.
class ExactGaussian {
 public:
  /// `image` is in host memory, f32 or f64.
  ExactGaussian(const Image& image, double sigma);

  /// Of `smoothed`, a host image of the same shape, f32 or f64; `range` is the image's.
  Deviation deviation_of(const Image& smoothed, double range) const;

 private:
  Description description_;
  std::vector<std::int64_t> columns_;
  std::vector<double> values_;  ///< Channel, z, y, column; the last runs fastest.
};

}  // namespace meander::bench
