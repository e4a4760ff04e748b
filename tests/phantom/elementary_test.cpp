// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "phantom/noise/elementary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "phantom/noise/distributions.hpp"
#include "phantom/noise/philox.hpp"

/// Against the mathematics library, which is right to an ulp (2.2e-16) here.
namespace meander::phantoms {
namespace {

UniformSequence random_numbers(std::uint64_t index) { return {99, index, Purpose::geometry}; }

TEST(Elementary, LogarithmOverTheWholeRange) {
  UniformSequence random = random_numbers(1);
  for (int i = 0; i < 20000; ++i) {
    const double x = std::ldexp(1 + random.next(), static_cast<int>(2040 * random.next()) - 1020);
    ASSERT_NEAR(natural_log(x) / std::log(x), 1, 1e-15) << x;
  }
}

TEST(Elementary, LogarithmNearOneAndAtTheSeams) {
  EXPECT_EQ(natural_log(1.0), 0.0);
  for (const double centre : {1.0, std::sqrt(0.5), std::sqrt(2.0), 0.5, 2.0}) {
    for (int i = -200; i <= 200; ++i) {
      const double x = centre * (1 + i * 1e-4 * std::abs(i) / 40);
      if (x == 1) continue;
      ASSERT_NEAR(natural_log(x) / std::log(x), 1, 1e-15) << x;
    }
  }
  for (const double tiny : {0x1p-52, -0x1p-53, 0x1p-30, -0x1p-30}) {
    EXPECT_NEAR(natural_log(1 + tiny) / std::log1p(tiny), 1, 1e-15);
  }
  EXPECT_NEAR(natural_log(std::numeric_limits<double>::min()), -708.3964185322641, 1e-12);
  EXPECT_NEAR(natural_log(std::numeric_limits<double>::max()), 709.782712893384, 1e-12);
}

TEST(Elementary, Exponential) {
  UniformSequence random = random_numbers(2);
  EXPECT_EQ(exponential(0), 1.0);
  for (int i = 0; i < 20000; ++i) {
    const double x = 1400 * random.next() - 700;
    ASSERT_NEAR(exponential(x) / std::exp(x), 1, 1e-15) << x;
    ASSERT_NEAR(exponential(x / 700) / std::exp(x / 700), 1, 1e-15) << x / 700;
  }
}

TEST(Elementary, CubeRoot) {
  for (const double x : {1e-9, 0.3, 1.0, 27.0, 1e12}) {
    EXPECT_NEAR(cube_root(x) / std::cbrt(x), 1, 5e-15);
  }
}

TEST(Elementary, SineAndCosineOfTurns) {
  for (int quarter = -8; quarter <= 8; ++quarter) {
    const auto [sine, cosine] = sine_cosine_of_turns(quarter / 4.0);
    EXPECT_EQ(sine, (quarter % 4 + 4) % 4 == 1 ? 1 : (quarter % 4 + 4) % 4 == 3 ? -1 : 0);
    EXPECT_EQ(cosine, (quarter % 4 + 4) % 4 == 0 ? 1 : (quarter % 4 + 4) % 4 == 2 ? -1 : 0);
  }
  UniformSequence random = random_numbers(3);
  for (int i = 0; i < 20000; ++i) {
    const double t = 2 * random.next() - 1;
    const auto [sine, cosine] = sine_cosine_of_turns(t);
    // The argument 2 pi t itself is rounded, by up to 4.4e-16, before libm sees it.
    ASSERT_NEAR(sine, std::sin(2 * pi * t), 1.5e-15) << t;
    ASSERT_NEAR(cosine, std::cos(2 * pi * t), 1.5e-15) << t;
  }
}

TEST(Normal, QuantileInvertsTheDistributionFunction) {
  UniformSequence random = random_numbers(4);
  for (int i = 0; i < 20000; ++i) {
    // Small u by powers, so that both tails are met; erfc keeps its digits there, 1 - u does not.
    const double u = i % 2 == 0 ? random.next() : std::pow(random.next(), 40) * 0.5 + 1e-300;
    const double z = normal_quantile(u);
    const double back = 0.5 * std::erfc(-z / std::sqrt(2.0));
    // An error of 1e-15 z changes the probability by 1e-15 z^2 relative.
    ASSERT_NEAR(back / u, 1, 1e-15 * (2 + 2 * z * z)) << u;
  }
}

TEST(Normal, QuantileOfKnownValues) {
  EXPECT_EQ(normal_quantile(0.5), 0);
  EXPECT_NEAR(normal_quantile(0.25), -0.6744897501960817, 1e-15);  // from Wichura's paper
  EXPECT_NEAR(normal_quantile(0.001), -3.090232306167814, 1e-14);
  EXPECT_NEAR(normal_quantile(1e-20), -9.262340089798408, 1e-14);
  for (const double u : {0.01, 0.075, 0.0751, 0.2, 0x1p-40}) {
    EXPECT_EQ(normal_quantile(1 - u), -normal_quantile(1 - (1 - u)));
  }
}

TEST(Normal, ChunkEqualsOneByOne) {
  UniformSequence random = random_numbers(5);
  for (int round = 0; round < 20; ++round) {
    double chunk[chunk_length];
    double expected[chunk_length];
    for (std::size_t i = 0; i < chunk_length; ++i) {
      chunk[i] = random.next();
      // Small ones too, still multiples of 2^-53.
      if (round % 2 == 1)
        chunk[i] =
            uniform_from(static_cast<std::uint32_t>(0x1p32 * chunk[i]), 0xffffffffu >> i % 32);
      if (round == 3) chunk[i] = 0.001;  // nothing but tails
      expected[i] = normal_quantile(chunk[i]);
    }
    chunk[7] = 1 - 0x1p-53, expected[7] = normal_quantile(chunk[7]);
    to_normal(chunk);
    for (std::size_t i = 0; i < chunk_length; ++i) ASSERT_EQ(chunk[i], expected[i]) << i;
  }
}

TEST(Poisson, LogProbabilityAgainstTheGammaFunction) {
  for (const double mean : {0.5, 10.0, 140.0, 3e4}) {
    const double spread = std::sqrt(mean);
    for (double k = std::floor(std::max(0.0, mean - 8 * spread)); k <= mean + 8 * spread + 20;
         k += std::ceil(spread / 7)) {
      const double expected = k * std::log(mean) - mean - std::lgamma(k + 1);
      // The right side loses digits by cancellation: terms of size k log mean, each to an ulp.
      ASSERT_NEAR(log_poisson_probability(k, mean), expected,
                  1e-15 * (10 + 4 * k * std::log(mean + 2)))
          << k << " " << mean;
    }
  }
  // At the mode of a huge mean, where lgamma has no digits left: -log sqrt(2 pi mean).
  EXPECT_NEAR(log_poisson_probability(0x1p50, 0x1p50), -0.5 * std::log(2 * pi * 0x1p50), 1e-13);
  // k = mean + 3 sqrt(mean): the series k log(k/m) + m - k = m (d^2/2 - d^3/6 + …), d = 3 /
  // sqrt(m).
  const double mean = 0x1p40, k = mean + 3 * 0x1p20, d = 3 * 0x1p-20;
  const double deviance = mean * (d * d / 2 - d * d * d / 6);
  EXPECT_NEAR(log_poisson_probability(k, mean), -deviance - 0.5 * std::log(2 * pi * k), 1e-9);
}

}  // namespace
}  // namespace meander::phantoms
