// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <vector>

#include "meander/device.hpp"
#include "meander/smooth.hpp"

namespace meander::bench {

/// What a method makes of one bright pixel in a dark line, beside the sampled Gaussian. Heights
/// are of the Gaussian's peak.
struct ImpulseResponse {
  std::vector<double> found, exact;  ///< From -radius to radius, which is 14 sigma and more.
  double error = 0;                  ///< Largest difference.
  double sigma = 0;                  ///< Root of the variance of the response.
  double lowest = 0;                 ///< Below 0 when the response rings.
};

ImpulseResponse impulse_response(SmoothMethod method, double sigma, Precision precision,
                                 const Device& device);

}  // namespace meander::bench
