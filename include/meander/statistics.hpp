// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>

#include "meander/image.hpp"

namespace meander {

/// Figures over all finite numbers of an image, channels included. With none of them finite, the
/// first four are NaN and the norms 0.
struct Statistics {
  /// Least, largest and average number.
  double min = 0, max = 0, mean = 0;
  double standard_deviation = 0;  ///< Of the population (divided by the count).
  double sum = 0;                 ///< Of the numbers.
  double norm1 = 0;               ///< Sum of magnitudes.
  double norm2 = 0;               ///< Root of the sum of squares.
  std::int64_t finite = 0;        ///< How many numbers that is.
  std::int64_t nonfinite = 0;     ///< NaN and infinities.
};

/// One pass over integer images, two over floats (so that the deviation keeps its digits whatever
/// the mean), each with a wait for its result. Does not depend on the number of threads; integer
/// sums are exact.
Statistics statistics(const Image& image, const Control& control = {});

/// Bytes of device memory that the statistics of an image like this one hold at their peak, input
/// included.
std::int64_t estimate_statistics_bytes(const Description& image);

/// The figures of two images taken together, so that a file can be described slab by slab.
Statistics combined(const Statistics& a, const Statistics& b);

}  // namespace meander
