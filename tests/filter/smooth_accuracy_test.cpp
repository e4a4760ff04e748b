// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Responses of `smooth` to a single pixel, as the devices compute them in float32, beside the
// sampled Gaussian.
#include <cmath>

#include "smooth_testing.hpp"

namespace meander {
namespace {

using namespace testing;

/// max |response - Gaussian| / peak, along a row.
double impulse_error(const Device& device, double sigma, const SmoothOptions& given) {
  const auto reach = static_cast<std::int64_t>(std::ceil(9 * sigma)) + 4;
  Image impulse = Image::allocate({.shape = {2 * reach + 1, 1, 1}});
  float* pixels = impulse.mutable_row<float>(0);
  std::fill_n(pixels, 2 * reach + 1, 0.0f);
  pixels[reach] = 1;
  SmoothOptions options = given;
  options.sigma = {sigma, 0};
  const Image smoothed = smooth(device.upload(impulse), options).download();
  double sum = 0;
  for (std::int64_t n = -reach; n <= reach; ++n)
    sum += std::exp(-0.5 * static_cast<double>(n * n) / (sigma * sigma));
  double worst = 0;
  for (std::int64_t n = -reach; n <= reach; ++n) {
    const double exact = std::exp(-0.5 * static_cast<double>(n * n) / (sigma * sigma)) / sum;
    const double found = static_cast<double>(smoothed.row<float>(0)[reach + n]);
    worst = std::max(worst, std::abs(found - exact) * sum);
  }
  return worst;
}

TEST(SmoothAccuracy, OrderSixIsExactToSixMillionthsInFloat32) {
  for (const Device& device : all_devices()) {
    for (const double sigma :
         {0.7, 0.83, 1.0, 1.4, 2.0, 3.1, 5.0, 8.0, 12.0, 27.0, 50.0, 110.0, 200.0}) {
      const double error = impulse_error(device, sigma, {.method = SmoothMethod::exponential6});
      EXPECT_LE(error, 6e-6) << device.name() << " sigma " << sigma;
      // It is a recursion, not the Gaussian itself.
      EXPECT_GE(error, 1e-8) << device.name() << " sigma " << sigma;
    }
  }
}

TEST(SmoothAccuracy, TheDefaultKeepsItsBound) {
  for (const Device& device : all_devices()) {
    for (const double bound : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5}) {
      for (const double sigma : {0.3, 0.7, 1.2, 1.8, 2.3, 3.4, 4.9, 5.2, 7.0, 12.0, 33.0, 90.0}) {
        EXPECT_LE(impulse_error(device, sigma, {.error_bound = bound}), bound)
            << device.name() << " sigma " << sigma;
      }
    }
  }
}

}  // namespace
}  // namespace meander
