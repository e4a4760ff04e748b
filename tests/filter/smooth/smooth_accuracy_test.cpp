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

/// Largest difference to the constant, in units of its last place.
double drift(const Device& device, SmoothMethod method, double sigma, Border border) {
  Image image = Image::allocate({.shape = {4001, 3, 1}});
  constexpr float constant = 1234.567f;
  for (std::int64_t y = 0; y < 3; ++y) std::fill_n(image.mutable_row<float>(y), 4001, constant);
  SmoothOptions options{.sigma = {sigma, 0}, .method = method};
  options.border.kind = border;
  const Image smoothed = smooth(device.upload(image), options).download();
  double worst = 0;
  for (std::int64_t x = 0; x < 4001; ++x)
    worst = std::max(worst, std::abs(static_cast<double>(smoothed.row<float>(1)[x]) -
                                     static_cast<double>(constant)));
  return worst / static_cast<double>(std::nextafter(constant, 2 * constant) - constant);
}

/// A steady state stays where it is, at any scale: cascades to the bit, sums within the rounding of
/// their output, whose terms cancel the more the higher the order (see gauss_design_test.cpp).
TEST(SmoothAccuracy, ConstantsDoNotDrift) {
  using enum SmoothMethod;
  for (const Device& device : all_devices()) {
    for (const double sigma : {2.0, 30.0, 500.0}) {
      for (const Border border : {Border::clamp, Border::reflect, Border::periodic}) {
        const auto where = device.name() + " sigma " + std::to_string(sigma) + " border " +
                           std::to_string(static_cast<int>(border));
        for (const SmoothMethod method : {yvv2002, vanvliet3, vanvliet4, vanvliet5})
          EXPECT_EQ(drift(device, method, sigma, border), 0) << where;
        EXPECT_LE(drift(device, exponential4, sigma, border), 3) << where;
        EXPECT_LE(drift(device, exponential6, sigma, border), 5) << where;
        EXPECT_LE(drift(device, exponential8, sigma, border), 9) << where;
      }
    }
  }
}

/// A row and the same row that goes on as it ends, far beyond where the filter reaches.
double border_error(const Device& device, SmoothMethod method, double sigma, PixelType type) {
  constexpr std::int64_t length = 300;
  const auto reach = static_cast<std::int64_t>(std::ceil(14 * sigma));
  const Grid line = random_grid({length, 1, 1}, 41);
  const std::array<std::int64_t, 3> by{reach, 0, 0};
  SmoothOptions options{.sigma = sigma, .method = method};
  const auto smoothed = [&](const Grid& grid) {
    return grid_of(smooth(device.upload(image_of(grid, type)), options));
  };
  const Grid found = smoothed(line), expected = smoothed(extended(line, by, {}));
  double worst = 0;
  for (std::int64_t x = 0; x < length; ++x)
    worst = std::max(worst, std::abs(found.at(x, 0, 0) - expected.at(x + reach, 0, 0)));
  return worst / 255;
}

TEST(SmoothAccuracy, BordersEqualTheExtensionWrittenOut) {
  using enum SmoothMethod;
  for (const Device& device : all_devices()) {
    for (const SmoothMethod method :
         {yvv2002, vanvliet3, vanvliet4, vanvliet5, exponential4, exponential6}) {
      for (const double sigma : {1.0, 12.0, 50.0, 200.0, 500.0}) {
        const auto what = device.name() + " " + OptionText<SmoothMethod>::format(method) +
                          " sigma " + std::to_string(sigma);
        EXPECT_LE(border_error(device, method, sigma, PixelType::f32), 3e-6) << what;
        if (device.info().has_float64) {
          EXPECT_LE(border_error(device, method, sigma, PixelType::f64), 1e-12) << what;
        }
      }
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
