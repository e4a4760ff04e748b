// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <cmath>

#include "phantom/pixels.hpp"

namespace meander {
namespace {

PhantomOptions with_noise(NoiseFamily family, std::optional<double> snr = std::nullopt) {
  PhantomOptions options{.kind = PhantomKind::step, .size = {400, 400, 1}, .type = PixelType::f32};
  options.noise.family = family;
  options.snr = snr;
  options.seed = 5;
  return options;
}

/// |muT - muB| / sigmaB from the pixels. Its error from n = 80,000 pixels a side: each mean to
/// sigma / sqrt(n), sigmaB to a relative sqrt((kurtosis - 1) / 4n) (kurtosis at most 9 here): for
/// sigmaT up to 5 sigmaB below 5 / 283 + 0.005 snr; four of these.
double measured_snr(const PhantomOptions& options) {
  const Phantom phantom(options);
  const auto pixels = numbers_of(phantom.slab(0, 400));
  const auto mask = numbers_of(whole_truth(phantom));
  const Moments background(pixels, mask, 0), target(pixels, mask, 255);
  return std::abs(target.mean - background.mean) / std::sqrt(background.variance);
}

TEST(Levels, EveryFamilyKeepsTheSnrItWasAskedFor) {
  for (const auto family : {NoiseFamily::gaussian, NoiseFamily::gamma, NoiseFamily::poisson,
                            NoiseFamily::bernoulli, NoiseFamily::rayleigh}) {
    for (const double snr : {0.0, 0.5, 1.0, 2.5}) {
      SCOPED_TRACE(OptionText<NoiseFamily>::format(family));
      EXPECT_NEAR(measured_snr(with_noise(family, snr)), snr, 4 * (5 / 283.0 + 0.005 * snr)) << snr;
    }
  }
  PhantomOptions looks = with_noise(NoiseFamily::gamma, 3);
  looks.looks = 9;
  EXPECT_NEAR(measured_snr(looks), 3, 4 * (5 / 283.0 + 0.015));
  PhantomOptions levels = with_noise(NoiseFamily::gaussian, 2);
  levels.levels = std::array{7.0, -1.0};
  EXPECT_NEAR(measured_snr(levels), 2, 4 * (5 / 283.0 + 0.01));
}

TEST(Levels, VarianceChangesSigmaAndNotTheMean) {
  PhantomOptions options = with_noise(NoiseFamily::variance);
  options.noise.sigma_ratio = 1.5;
  const Phantom phantom(options);
  const auto pixels = numbers_of(phantom.slab(0, 400));
  const auto mask = numbers_of(whole_truth(phantom));
  const Moments background(pixels, mask, 0), target(pixels, mask, 255);
  EXPECT_NEAR(target.mean, background.mean, 5 * 3000 * 1.81 / 283);  // sqrt(1 + 1.5^2) = 1.81
  EXPECT_NEAR(std::sqrt(background.variance), 3000, 5 * 3000 / 400);
  EXPECT_NEAR(std::sqrt(target.variance), 4500, 5 * 4500 / 400);
}

void expect_levels(const PhantomOptions& options, const PhantomLevels& expected) {
  const PhantomLevels found = Phantom(options).levels();
  EXPECT_DOUBLE_EQ(found.background, expected.background);
  EXPECT_DOUBLE_EQ(found.target, expected.target);
  EXPECT_DOUBLE_EQ(found.sigma_background, expected.sigma_background);
  EXPECT_DOUBLE_EQ(found.sigma_target, expected.sigma_target);
}

TEST(Levels, DefaultsAreThoseOfTheTable) {
  const double rayleigh = std::sqrt(4 / 3.14159265358979323846 - 1);
  expect_levels(with_noise(NoiseFamily::none), {20000, 32000, 0, 0});
  expect_levels(with_noise(NoiseFamily::gaussian), {20000, 32000, 3000, 3000});
  expect_levels(with_noise(NoiseFamily::variance), {20000, 20000, 3000, 3000});
  expect_levels(with_noise(NoiseFamily::gamma), {2000, 10000, 2000, 10000});
  expect_levels(with_noise(NoiseFamily::poisson), {100, 140, 10, std::sqrt(140.0)});
  expect_levels(with_noise(NoiseFamily::bernoulli), {0.1, 0.7, 0.3, std::sqrt(0.21)});
  expect_levels(
      with_noise(NoiseFamily::rayleigh),
      {2000, 2000 * (1 + 4 * rayleigh), 2000 * rayleigh, 2000 * (1 + 4 * rayleigh) * rayleigh});
}

TEST(Levels, DefaultsScaleWithThePixelType) {
  PhantomOptions options = with_noise(NoiseFamily::gaussian);
  for (const auto& [type, scale] : {std::pair{PixelType::u8, 1.0 / 256},
                                    {PixelType::u16, 1.0},
                                    {PixelType::i16, 0.5},
                                    {PixelType::f16, 1.0},
                                    {PixelType::f64, 1.0}}) {
    options.type = type;
    expect_levels(options, {20000 * scale, 32000 * scale, 3000 * scale, 3000 * scale});
  }
  options = with_noise(NoiseFamily::poisson);
  options.type = PixelType::u8;
  expect_levels(options, {100, 140, 10, std::sqrt(140.0)});
}

TEST(Levels, ImpulseWithoutNoiseSpansTheType) {
  PhantomOptions options{.kind = PhantomKind::impulse, .size = {5, 5, 1}};
  for (const auto& [type, highest] : {std::pair{PixelType::u8, 255.0},
                                      {PixelType::u16, 65535.0},
                                      {PixelType::i16, 32767.0},
                                      {PixelType::f16, 1.0},
                                      {PixelType::f32, 1.0}}) {
    options.type = type;
    expect_levels(options, {0, highest, 0, 0});
  }
  options.noise.family = NoiseFamily::gaussian;
  options.type = PixelType::u16;
  expect_levels(options, {20000, 32000, 3000, 3000});
}

TEST(Levels, LevelsWithoutSnrHaveSnrFour) {
  PhantomOptions options = with_noise(NoiseFamily::gaussian);
  options.levels = std::array{1.0, 0.0};
  expect_levels(options, {1, 0, 0.25, 0.25});
}

TEST(Levels, ContradictionsAreRefused) {
  EXPECT_EQ(refusal_of(with_noise(NoiseFamily::none, 2)),
            "snr is 2 with noise none, expected a noise whose means differ; give levels instead");
  EXPECT_EQ(
      refusal_of(with_noise(NoiseFamily::variance, 2)),
      "snr is 2 with noise variance=1, expected a noise whose means differ; give levels instead");
  for (const auto family :
       {NoiseFamily::gamma, NoiseFamily::poisson, NoiseFamily::bernoulli, NoiseFamily::rayleigh}) {
    PhantomOptions both = with_noise(family, 1);
    both.levels = std::array{0.2, 0.4};
    EXPECT_EQ(refusal_of(both), "levels and snr were both given with noise " +
                                    OptionText<NoiseFamily>::format(family) +
                                    ", expected one of them: the level decides sigma");
  }
  PhantomOptions looks = with_noise(NoiseFamily::poisson);
  looks.looks = 2;
  EXPECT_EQ(refusal_of(looks),
            "looks is 2 with noise poisson, expected noise gamma, the only one that has looks");
}

TEST(Levels, UnreachableTargetsAreRefusedWithTheLimit) {
  EXPECT_EQ(refusal_of(with_noise(NoiseFamily::bernoulli, 3.5)),
            "snr is 3.5, expected at most 3: from a background of 0.1 the target reaches 1");
  PhantomOptions options = with_noise(NoiseFamily::gaussian, 15.2);
  options.type = PixelType::u16;
  EXPECT_EQ(
      refusal_of(options),
      "snr is 15.2, expected at most 15.1783: from a background of 20000 the target reaches 65535");
  options.snr = 15.17;
  EXPECT_EQ(refusal_of(options), "not refused");
}

TEST(Levels, LevelsOutsideNoiseOrTypeAreRefused) {
  const auto refused = [](NoiseFamily family, PixelType type, double background, double target) {
    PhantomOptions options = with_noise(family);
    options.type = type;
    options.levels = std::array{background, target};
    return refusal_of(options);
  };
  EXPECT_EQ(refused(NoiseFamily::bernoulli, PixelType::f32, 0.5, 1.5),
            "levels hold 1.5, expected 0 to 1 for noise bernoulli in f32 pixels");
  EXPECT_EQ(refused(NoiseFamily::none, PixelType::u8, 0, 256),
            "levels hold 256, expected 0 to 255 for noise none in u8 pixels");
  EXPECT_EQ(refused(NoiseFamily::poisson, PixelType::i16, -1, 5),
            "levels hold -1, expected 0 to 32767 for noise poisson in i16 pixels");
  EXPECT_EQ(refused(NoiseFamily::gamma, PixelType::u8, -1, 5),
            "levels hold -1, expected 0 to 255 for noise gamma in u8 pixels");
  EXPECT_EQ(refused(NoiseFamily::rayleigh, PixelType::u8, 3, 300),
            "levels hold 300, expected 0 to 255 for noise rayleigh in u8 pixels");
  EXPECT_EQ(refused(NoiseFamily::poisson, PixelType::f64, 1, 1e16),
            "levels hold 1e+16, expected 0 to 1.1259e+15 for noise poisson in f64 pixels");
  EXPECT_EQ(refused(NoiseFamily::none, PixelType::i16, -32768, 32767), "not refused");
  EXPECT_EQ(refused(NoiseFamily::variance, PixelType::f32, 1, 2),
            "levels are 1,2 with noise variance=1, expected equal levels");
  EXPECT_EQ(refused(NoiseFamily::gaussian, PixelType::f32, 2, 2),
            "levels are 2,2 and snr is 4, expected different levels and an snr above 0, which give "
            "sigma; noise variance=1 has equal levels");
}

TEST(Levels, RangesAreThoseOfTheDescription) {
  PhantomOptions options;
  options.size.x = 0;
  EXPECT_EQ(refusal_of(options), "size is 0, expected 1 to 1000000 pixels");
  options = {.size = {5, 2000000, 1}};
  EXPECT_EQ(refusal_of(options), "size is 2000000, expected 1 to 1000000 pixels");
  EXPECT_EQ(refusal_of(with_noise(NoiseFamily::gaussian, -1)), "snr is -1, expected 0 to 1000000");
  EXPECT_EQ(refusal_of(with_noise(NoiseFamily::gaussian, std::nan(""))),
            "snr is nan, expected 0 to 1000000");
  options = with_noise(NoiseFamily::gamma);
  options.looks = 0.5;
  EXPECT_EQ(refusal_of(options), "looks is 0.5, expected 1 to 1000000");
  options = with_noise(NoiseFamily::none);
  options.levels = std::array{0.0, HUGE_VAL};
  EXPECT_EQ(refusal_of(options), "levels is inf, expected -1e+30 to 1e+30");
  for (const double ratio : {0.0, -1.0, 1001.0, std::nan("")}) {
    options = with_noise(NoiseFamily::variance);
    options.noise.sigma_ratio = ratio;
    EXPECT_NE(refusal_of(options).find("expected a ratio above 0, up to 1000"), std::string::npos);
  }
}

TEST(NoiseText, IsReadAndWritten) {
  for (const char* text :
       {"none", "gaussian", "gamma", "poisson", "bernoulli", "rayleigh", "variance=1.5"}) {
    EXPECT_EQ(OptionText<Noise>::format(OptionText<Noise>::parse(text)), text);
  }
  EXPECT_EQ(OptionText<Noise>::parse("variance=2"), (Noise{NoiseFamily::variance, 2}));
  for (const char* text :
       {"", "variance", "variance=", "variance=x", "gaussian=2", "Gamma", "variance=1 "}) {
    EXPECT_THROW(OptionText<Noise>::parse(text), InvalidArgument) << text;
  }
  EXPECT_EQ(OptionText<Noise>::syntax(),
            "none, gaussian, gamma, poisson, bernoulli, rayleigh, variance=R");
}

}  // namespace
}  // namespace meander
