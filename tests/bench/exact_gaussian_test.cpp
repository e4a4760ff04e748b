// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench/smooth/exact_gaussian.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace meander::bench {
namespace {

using Value = std::function<double(std::int64_t x, std::int64_t y, std::int64_t z)>;

Image image_of(const Shape& shape, const Value& value) {
  Image image = Image::allocate({.shape = shape, .type = PixelType::f64});
  for (std::int64_t z = 0; z < shape.z; ++z) {
    for (std::int64_t y = 0; y < shape.y; ++y) {
      for (std::int64_t x = 0; x < shape.x; ++x) {
        image.mutable_row<double>(y, z)[x] = value(x, y, z);
      }
    }
  }
  return image;
}

TEST(ExactGaussian, OfAnImpulseIsTheProductOfThreeGaussians) {
  const Shape shape{101, 31, 29};  // more columns than are looked at
  const Image impulse = image_of(
      shape, [](auto x, auto y, auto z) { return x == 48 && y == 15 && z == 14 ? 1.0 : 0.0; });
  const double sigma = 1.5;
  const double norm = std::pow(2 * 3.14159265358979323846 * sigma * sigma, -1.5);
  const auto gaussian = [&](auto x, auto y, auto z) {
    const auto square =
        static_cast<double>((x - 48) * (x - 48) + (y - 15) * (y - 15) + (z - 14) * (z - 14));
    return norm * std::exp(-square / (2 * sigma * sigma));
  };
  const ExactGaussian exact(impulse, sigma);
  EXPECT_LT(exact.deviation_of(image_of(shape, gaussian), norm).max, 1e-8);
  const auto shifted = [&](auto x, auto y, auto z) { return gaussian(x, y, z + 1); };
  EXPECT_GT(exact.deviation_of(image_of(shape, shifted), norm).max, 0.05);
}

TEST(ExactGaussian, OfARampHasClampedEndsOnBothSides) {
  const Shape shape{20, 50, 1};
  const auto clamped = [&](std::int64_t y) {
    return static_cast<double>(std::clamp<std::int64_t>(y, 0, shape.y - 1));
  };
  const Image ramp = image_of(shape, [&](auto, auto y, auto) { return clamped(y); });
  const std::vector<double> weights = exact_weights(3, 24);
  const Image wanted = image_of(shape, [&](auto, auto y, auto) {
    double sum = 0;
    for (std::int64_t n = -24; n <= 24; ++n) {
      sum += weights[static_cast<std::size_t>(n + 24)] * clamped(y + n);
    }
    return sum;
  });
  EXPECT_LT(ExactGaussian(ramp, 3).deviation_of(wanted, 1).max, 1e-12);
}

TEST(ExactGaussian, DeviationIsOfTheRange) {
  const Shape shape{2, 2, 1};
  const Image zero = image_of(shape, [](auto, auto, auto) { return 0.0; });
  const Image one = image_of(shape, [](auto x, auto y, auto) { return x + y == 0 ? 4.0 : 0.0; });
  const Deviation deviation = ExactGaussian(zero, 1).deviation_of(one, 8);
  EXPECT_EQ(deviation.max, 0.5);
  EXPECT_EQ(deviation.rms, 0.25);
}

}  // namespace
}  // namespace meander::bench
