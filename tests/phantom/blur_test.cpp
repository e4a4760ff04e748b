// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <cmath>

#include "phantom/pixels.hpp"

namespace meander {
namespace {

PhantomOptions blurred(PhantomKind kind, const Shape& size, double sigma) {
  PhantomOptions options;
  options.kind = kind;
  options.size = size;
  options.type = PixelType::f64;
  options.levels = {0.0, 1.0};
  options.blur = sigma;
  return options;
}

std::vector<double> sharp_of(PhantomOptions options) {
  options.blur = 0;
  return numbers_of(phantom(options));
}

/// A Gaussian along one axis of stride `stride` and length `length`, with std::exp and no limit but
/// 8 sigma; the ends go on.
std::vector<double> along(const std::vector<double>& image, std::int64_t stride,
                          std::int64_t length, double sigma) {
  std::vector<double> out(image.size());
  const auto reach = static_cast<std::int64_t>(std::ceil(8 * sigma));
  for (std::int64_t i = 0; i < std::ssize(image); ++i) {
    const std::int64_t place = i / stride % length, start = i - place * stride;
    double sum = 0, total = 0;
    for (std::int64_t d = -reach; d <= reach; ++d) {
      const double weight = std::exp(-0.5 * static_cast<double>(d * d) / (sigma * sigma));
      const std::int64_t seen = std::clamp(place + d, std::int64_t{0}, length - 1);
      sum += weight * image[static_cast<std::size_t>(start + seen * stride)];
      total += weight;
    }
    out[static_cast<std::size_t>(i)] = sum / total;
  }
  return out;
}

/// 6e-7 of a Gaussian lies beyond 5 sigma and every axis loses it; rounded weights, up to 2^-25
/// each of 2 * 5 sigma, take less for these.
void expect_gaussian(const PhantomOptions& options, bool over_depth) {
  const auto [nx, ny, nz] = options.size;
  auto expected = along(along(sharp_of(options), 1, nx, options.blur), nx, ny, options.blur);
  if (over_depth) expected = along(expected, nx * ny, nz, options.blur);
  const auto found = numbers_of(phantom(options));
  for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], 3e-6) << i;
  EXPECT_NE(found, sharp_of(options));
}

TEST(Blur, IsAGaussianOfEveryKindThatShowsSomething) {
  for (const auto kind :
       {PhantomKind::star, PhantomKind::flower, PhantomKind::disc, PhantomKind::blobs,
        PhantomKind::rings, PhantomKind::ushape, PhantomKind::vessels, PhantomKind::shepp_logan,
        PhantomKind::impulse, PhantomKind::step}) {
    for (const double sigma : {0.4, 1.0, 3.3}) {
      expect_gaussian(blurred(kind, {70, 150, 1}, sigma), false);
    }
  }
}

/// Radii beyond the image, and shapes that the border cuts.
TEST(Blur, BordersGoOn) {
  PhantomOptions options = blurred(PhantomKind::disc, {40, 90, 1}, 12);
  options.centre = {0, 0.05};
  expect_gaussian(options, false);
  expect_gaussian(blurred(PhantomKind::step, {6, 3, 1}, 2.5), false);
  expect_gaussian(blurred(PhantomKind::step, {5, 1, 1}, 1), false);
  expect_gaussian(blurred(PhantomKind::impulse, {1, 7, 1}, 1), false);
}

TEST(Blur, GoesOverTheDepthOfAVolumeAndNotOverTheTimeOfAFilm) {
  expect_gaussian(blurred(PhantomKind::blobs, {33, 40, 20}, 1.2), true);
  expect_gaussian(blurred(PhantomKind::film, {64, 64, 9}, 1.2), false);
}

TEST(Blur, LevelsStayExactWhereAllIsAlike) {
  PhantomOptions options = blurred(PhantomKind::step, {200, 90, 1}, 2.7);
  options.levels = {0.3, 0.7};
  const auto found = numbers_of(phantom(options));
  EXPECT_EQ(found.front(), 0.3);
  EXPECT_EQ(found.back(), 0.7);
  options.size.z = 3;
  EXPECT_EQ(numbers_of(phantom(options)).back(), 0.7);
}

TEST(Blur, TruthStaysSharp) {
  const PhantomOptions options = blurred(PhantomKind::flower, {90, 80, 1}, 3);
  PhantomOptions sharp = options;
  sharp.blur = 0;
  EXPECT_EQ(numbers_of(whole_truth(Phantom(options))), numbers_of(whole_truth(Phantom(sharp))));
  EXPECT_EQ(Phantom(options).outlines(), Phantom(sharp).outlines());
}

/// Noise acts on the blurred level: the mean of the 10,000 pixels of a column is that of the image
/// without noise, to five of its standard errors. Sigma is at most the mean, but for gaussian
/// (0.15), poisson and bernoulli (0.5).
TEST(Blur, NoiseFollowsTheBlurredLevel) {
  for (const NoiseFamily family : {NoiseFamily::gaussian, NoiseFamily::gamma, NoiseFamily::poisson,
                                   NoiseFamily::rayleigh, NoiseFamily::bernoulli}) {
    PhantomOptions options = blurred(PhantomKind::step, {4, 10000, 1}, 1);
    options.noise.family = family;
    options.levels = {0.2, 0.8};
    const auto found = numbers_of(phantom(options));
    options.noise.family = NoiseFamily::none;
    const auto means = numbers_of(phantom(options));
    for (std::size_t x = 0; x < 4; ++x) {
      double sum = 0;
      for (std::size_t i = x; i < found.size(); i += 4) sum += found[i];
      double sigma = means[x];
      if (family == NoiseFamily::gaussian) sigma = 0.15;
      if (family == NoiseFamily::poisson) sigma = std::sqrt(means[x]);
      if (family == NoiseFamily::bernoulli) sigma = 0.5;
      EXPECT_NEAR(sum / 1e4, means[x], 5 * sigma / 100) << x;
    }
  }
}

TEST(Blur, SlabsEqualTheWhole) {
  for (const Shape& size : {Shape{53, 140, 1}, Shape{21, 17, 9}}) {
    PhantomOptions options = blurred(PhantomKind::flower, size, 1.9);
    options.noise.family = NoiseFamily::gaussian;
    const Phantom generator(options);
    const std::int64_t length = slab_length_of(generator);
    for (const std::int64_t step : {1, 4, 70}) {
      std::vector<double> parts;
      for (std::int64_t begin = 0; begin < length; begin += step) {
        const auto next = numbers_of(generator.slab(begin, std::min(begin + step, length)));
        parts.insert(parts.end(), next.begin(), next.end());
      }
      EXPECT_EQ(parts, numbers_of(generator.slab(0, length))) << step;
    }
  }
}

TEST(Blur, IsRefusedWhereItWouldChangeNothing) {
  EXPECT_EQ(refusal_of(blurred(PhantomKind::constant, {9, 9, 1}, 2)),
            "blur is 2 with kind constant, expected a kind that shows something");
  PhantomOptions options = blurred(PhantomKind::star, {9, 9, 1}, 2);
  options.levels.reset();
  options.noise = {NoiseFamily::variance, 1.5};
  EXPECT_EQ(refusal_of(options),
            "blur is 2 with noise variance=1.5, expected a noise whose means differ");
}

}  // namespace
}  // namespace meander
