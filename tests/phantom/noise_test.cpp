// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cmath>

#include "phantom/pixels.hpp"

/// Distributions over n = 250,000 pixels. The mean of n draws has the standard error sigma /
/// sqrt(n), their variance the standard error sigma^2 sqrt((kurtosis - 1) / n); five of them are
/// allowed, which a right generator exceeds once in two million times, and the seeds are fixed.
namespace meander {
namespace {

constexpr double pi = 3.14159265358979323846;

std::vector<double> pixels_of(Noise noise, double level, double looks = 1, std::uint64_t seed = 1) {
  PhantomOptions options{
      .kind = PhantomKind::constant, .size = {500, 500, 1}, .type = PixelType::f64};
  options.noise = noise;
  options.levels = std::array{level, level};
  options.looks = looks;
  options.seed = seed;
  return numbers_of(phantom(options));
}

struct Expected {
  double mean, variance, kurtosis;
};

void expect_moments(const std::vector<double>& pixels, const Expected& expected) {
  const Moments found(pixels, std::vector<double>(pixels.size(), 0.0), 0);
  const double root = std::sqrt(found.count);
  EXPECT_NEAR(found.mean, expected.mean, 5 * std::sqrt(expected.variance) / root);
  EXPECT_NEAR(found.variance, expected.variance,
              5 * expected.variance * std::sqrt(expected.kurtosis - 1) / root);
}

/// Largest distance between the empirical and the given distribution function, times sqrt(n);
/// beyond 1.95 with probability 0.001 (Kolmogorov).
template <class Distribution>
double kolmogorov(std::vector<double> pixels, Distribution distribution) {
  std::sort(pixels.begin(), pixels.end());
  const auto n = static_cast<double>(pixels.size());
  double largest = 0;
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const double p = distribution(pixels[i]);
    const auto below = static_cast<double>(i);
    largest = std::max({largest, p - below / n, (below + 1) / n - p});
  }
  return largest * std::sqrt(n);
}

TEST(Noise, GaussianHasItsMomentsAndItsDistribution) {
  const auto pixels = pixels_of({NoiseFamily::variance, 1}, 20000);
  expect_moments(pixels, {20000, 9e6, 3});
  const auto normal = [](double v) { return 0.5 * std::erfc((20000 - v) / 3000 / std::sqrt(2.0)); };
  EXPECT_LT(kolmogorov(pixels, normal), 1.95);
}

TEST(Noise, GammaHasItsMoments) {
  for (const double looks : {1.0, 1.5, 4.0, 100.0}) {
    SCOPED_TRACE(looks);
    expect_moments(pixels_of({NoiseFamily::gamma}, 50, looks), {50, 2500 / looks, 3 + 6 / looks});
  }
}

TEST(Noise, GammaOfOneLookIsExponential) {
  const auto exponential = [](double v) { return -std::expm1(-v / 7); };
  EXPECT_LT(kolmogorov(pixels_of({NoiseFamily::gamma}, 7), exponential), 1.95);
}

/// Two looks: 1 - (1 + 2v) exp(-2v) at unit mean.
TEST(Noise, GammaOfTwoLooksHasItsDistribution) {
  const auto erlang = [](double v) { return 1 - (1 + 2 * v) * std::exp(-2 * v); };
  EXPECT_LT(kolmogorov(pixels_of({NoiseFamily::gamma}, 1, 2), erlang), 1.95);
}

TEST(Noise, PoissonHasItsMomentsOnBothSidesOfTheSwitch) {
  for (const double mean : {0.01, 1.0, 9.9, 10.0, 100.0, 5e4, 1e12}) {
    SCOPED_TRACE(mean);
    expect_moments(pixels_of({NoiseFamily::poisson}, mean), {mean, mean, 3 + 1 / mean});
  }
  EXPECT_EQ(pixels_of({NoiseFamily::poisson}, 0), std::vector<double>(250000, 0.0));
}

/// Every count's frequency within 5 standard errors, sqrt(n p (1 - p)), where n p >= 25.
TEST(Noise, PoissonHasItsProbabilities) {
  for (const double mean : {3.0, 10.0, 40.0}) {
    std::vector<double> counts(200, 0.0);
    for (const double k : pixels_of({NoiseFamily::poisson}, mean)) {
      ASSERT_EQ(k, std::floor(k));
      ++counts.at(static_cast<std::size_t>(k));
    }
    for (std::size_t k = 0; k < counts.size(); ++k) {
      const auto number = static_cast<double>(k);
      const double p = std::exp(number * std::log(mean) - mean - std::lgamma(number + 1));
      if (250000 * p < 25) continue;
      EXPECT_NEAR(counts[k], 250000 * p, 5 * std::sqrt(250000 * p * (1 - p)))
          << k << " of " << mean;
    }
  }
}

TEST(Noise, RayleighHasItsMomentsAndItsDistribution) {
  const auto pixels = pixels_of({NoiseFamily::rayleigh}, 100);
  // Kurtosis (32 - 3 pi^2) / (4 - pi)^2.
  expect_moments(pixels, {100, 1e4 * (4 / pi - 1), (32 - 3 * pi * pi) / ((4 - pi) * (4 - pi))});
  const auto rayleigh = [](double v) { return -std::expm1(-pi / 4 * v * v / 1e4); };
  EXPECT_LT(kolmogorov(pixels, rayleigh), 1.95);
}

TEST(Noise, BernoulliHasTwoValuesAndItsProbability) {
  const auto pixels = pixels_of({NoiseFamily::bernoulli}, 0.3);
  for (const double v : pixels) ASSERT_TRUE(v == 0 || v == 1);
  expect_moments(pixels, {0.3, 0.21, (1 - 3 * 0.21) / 0.21});
  EXPECT_EQ(pixels_of({NoiseFamily::bernoulli}, 0), std::vector<double>(250000, 0.0));
  EXPECT_EQ(pixels_of({NoiseFamily::bernoulli}, 1), std::vector<double>(250000, 1.0));
}

TEST(Noise, BernoulliOfAnIntegerTypeUsesItsHighestValue) {
  PhantomOptions options{
      .kind = PhantomKind::constant, .size = {40, 40, 1}, .type = PixelType::i16};
  options.noise = {NoiseFamily::bernoulli};
  const auto pixels = numbers_of(phantom(options));
  EXPECT_EQ(*std::max_element(pixels.begin(), pixels.end()), 32767);
  EXPECT_EQ(*std::min_element(pixels.begin(), pixels.end()), 0);
}

/// The correlation of n pairs has the standard error 1 / sqrt(n).
TEST(Noise, NeighboursAndSeedsAreUncorrelated) {
  const auto first = pixels_of({NoiseFamily::variance, 1}, 0, 1, 1);
  const auto other = pixels_of({NoiseFamily::variance, 1}, 0, 1, 2);
  const auto far = pixels_of({NoiseFamily::variance, 1}, 0, 1, 1 + (std::uint64_t{1} << 32));
  const auto correlation = [&](const std::vector<double>& a, const std::vector<double>& b,
                               std::size_t lag) {
    double sum = 0;
    for (std::size_t i = 0; i + lag < a.size(); ++i) sum += a[i] * b[i + lag];
    return sum / 9e6 / static_cast<double>(a.size() - lag);
  };
  const double limit = 5 / std::sqrt(250000.0 - 500);
  for (const std::size_t lag : {1, 2, 256, 500})
    EXPECT_LT(std::abs(correlation(first, first, lag)), limit);
  EXPECT_LT(std::abs(correlation(first, other, 0)), limit);
  EXPECT_LT(std::abs(correlation(first, far, 0)), limit);
}

}  // namespace
}  // namespace meander
