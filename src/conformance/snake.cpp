// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cmath>
#include <limits>

#include "conformance/snake_samples.hpp"

namespace meander::conformance {
namespace {

/// Infinite where either is not a number.
double distance(const std::vector<float>& a, const std::vector<float>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    largest = std::isnan(difference) ? std::numeric_limits<double>::infinity()
                                     : std::max(largest, difference);
  }
  return largest;
}

}  // namespace

/// Places of the samples are below 128, so that a float is at most 2^-18 off, and changes below 64,
/// so that the roundings of one do not add up to 2^-17: 2^-16 a step. A step takes a difference d
/// between two contours to M⁻¹(d + g·d), where g is at most step·(change of the force from pixel to
/// pixel) + 2·balloon (normals grow by less than 1.5·normal times as much as differences do), and
/// no power of M⁻¹ makes the largest number of a contour more than twice as large. So after T steps
/// the difference is at most 2·T·2^-16·exp(2·T·g), and in the samples T·g < .6.
Deviation check_snake(const Device& device) {
  Deviation found{.engine = "contour",
                  .check = "moved contours, pixels a step",
                  .tolerance = 2 * 0x1p-16 * std::exp(2 * 0.6)};
  const Device reference = Device::open("reference");
  for (const SnakeSample& sample : snake_samples()) {
    const SnakePlaces expected = sample.moved_on(reference), result = sample.moved_on(device);
    const double steps = static_cast<double>(std::max<std::int64_t>(1, sample.steps));
    raise(found, std::max(distance(expected.x, result.x), distance(expected.y, result.y)) / steps);
  }
  return found;
}

}  // namespace meander::conformance
