// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "phantom/camera.hpp"

#include <algorithm>
#include <cmath>

#include "core/message.hpp"
#include "phantom/noise/distributions.hpp"
#include "phantom/noise/elementary.hpp"

namespace meander::phantoms {
namespace {

struct Range {
  double lowest;
  double highest;
};

double scale_of(PixelType type) {
  if (type == PixelType::u8) return 1.0 / 256;
  return type == PixelType::i16 ? 0.5 : 1.0;
}

bool sigma_follows_level(NoiseFamily family) {
  return family == NoiseFamily::gamma || family == NoiseFamily::poisson ||
         family == NoiseFamily::bernoulli || family == NoiseFamily::rayleigh;
}

double default_snr(NoiseFamily family) { return family == NoiseFamily::bernoulli ? 2 : 4; }

double default_sigma(const PhantomOptions& options) { return 3000 * scale_of(options.type); }

double default_background(const PhantomOptions& options) {
  switch (options.noise.family) {
    case NoiseFamily::poisson:
      return 100;
    case NoiseFamily::bernoulli:
      return 0.1;
    case NoiseFamily::gamma:
    case NoiseFamily::rayleigh:
      return 2000 * scale_of(options.type);
    default:
      return 20000 * scale_of(options.type);
  }
}

/// Standard deviation at level `mean` of a family that has no sigma of its own.
double sigma_at(double mean, const PhantomOptions& options) {
  switch (options.noise.family) {
    case NoiseFamily::gamma:
      return mean / std::sqrt(options.looks);
    case NoiseFamily::poisson:
      return std::sqrt(mean);
    case NoiseFamily::bernoulli:
      return std::sqrt(mean * (1 - mean));
    case NoiseFamily::rayleigh:
      return mean * std::sqrt(4 / pi - 1);
    default:
      return 0;
  }
}

Range range_of(const PhantomOptions& options) {
  Range range{lowest_of(options.type), highest_of(options.type)};
  switch (options.noise.family) {
    case NoiseFamily::bernoulli:
      return {0, 1};
    case NoiseFamily::poisson:
      return {0, std::min(range.highest, largest_poisson_mean)};
    case NoiseFamily::gamma:
    case NoiseFamily::rayleigh:
      return {0, range.highest};
    default:
      return range;
  }
}

std::string noise_text(const PhantomOptions& options) {
  return OptionText<Noise>::format(options.noise);
}

void check_levels_in_range(const PhantomOptions& options) {
  const Range range = range_of(options);
  for (const double level : *options.levels) {
    if (level >= range.lowest && level <= range.highest) continue;
    throw InvalidArgument(message("levels hold ", level, ", expected ", range.lowest, " to ",
                                  range.highest, " for noise ", noise_text(options), " in ",
                                  name_of(options.type), " pixels"));
  }
}

void check_combination(const PhantomOptions& options) {
  const NoiseFamily family = options.noise.family;
  const double ratio = options.noise.sigma_ratio;
  if (family == NoiseFamily::variance && !(ratio > 0 && ratio <= 1000)) {
    throw InvalidArgument(
        message("noise is variance=", ratio, ", expected a ratio above 0, up to 1000"));
  }
  if (family != NoiseFamily::gamma && options.looks != 1) {
    throw InvalidArgument(message("looks is ", options.looks, " with noise ", noise_text(options),
                                  ", expected noise gamma, the only one that has looks"));
  }
  if (family == NoiseFamily::variance && options.blur > 0) {
    throw InvalidArgument(message("blur is ", options.blur, " with noise ", noise_text(options),
                                  ", expected a noise whose means differ"));
  }
  if (!options.snr) return;
  if (family == NoiseFamily::none || family == NoiseFamily::variance) {
    throw InvalidArgument(message("snr is ", *options.snr, " with noise ", noise_text(options),
                                  ", expected a noise whose means differ; give levels instead"));
  }
  if (options.levels && sigma_follows_level(family)) {
    throw InvalidArgument(message("levels and snr were both given with noise ", noise_text(options),
                                  ", expected one of them: the level decides sigma"));
  }
}

PhantomLevels with_sigmas(PhantomLevels levels, const PhantomOptions& options) {
  levels.sigma_background = sigma_at(levels.background, options);
  levels.sigma_target = sigma_at(levels.target, options);
  return levels;
}

PhantomLevels gaussian_of_levels(const PhantomOptions& options) {
  const auto [background, target] = *options.levels;
  const double snr = options.snr.value_or(default_snr(options.noise.family));
  if (background == target || snr == 0) {
    throw InvalidArgument(
        message("levels are ", background, ",", target, " and snr is ", snr,
                ", expected different levels and an snr above 0, which give sigma; ",
                "noise variance=1 has equal levels"));
  }
  const double sigma = std::abs(target - background) / snr;
  return {background, target, sigma, sigma};
}

PhantomLevels variance_of_levels(const PhantomOptions& options) {
  const double background = default_background(options);
  const auto [first, second] = options.levels.value_or(std::array{background, background});
  if (first != second) {
    throw InvalidArgument(message("levels are ", first, ",", second, " with noise ",
                                  noise_text(options), ", expected equal levels"));
  }
  const double sigma = default_sigma(options);
  return {first, first, sigma, sigma * options.noise.sigma_ratio};
}

PhantomLevels levels_of_snr(const PhantomOptions& options) {
  const NoiseFamily family = options.noise.family;
  const double background = default_background(options);
  const double sigma =
      sigma_follows_level(family) ? sigma_at(background, options) : default_sigma(options);
  const double snr = options.snr.value_or(default_snr(family));
  const double target = background + snr * sigma;
  const double highest = range_of(options).highest;
  if (target > highest) {
    throw InvalidArgument(message("snr is ", snr, ", expected at most ",
                                  (highest - background) / sigma, ": from a background of ",
                                  background, " the target reaches ", highest));
  }
  const PhantomLevels levels{background, target, sigma, sigma};
  return family == NoiseFamily::gaussian ? levels : with_sigmas(levels, options);
}

void check_shaded(const PhantomLevels& levels, const PhantomOptions& options) {
  const Range range = range_of(options);
  for (const double level : {levels.background, levels.target}) {
    const double shaded = level * (1 + options.shading);
    if (options.shading == 0 || (shaded >= range.lowest && shaded <= range.highest)) continue;
    throw InvalidArgument(message("shading is ", options.shading, " and takes the level ", level,
                                  " to ", shaded, ", expected ", range.lowest, " to ",
                                  range.highest, " for noise ", noise_text(options), " in ",
                                  name_of(options.type), " pixels"));
  }
}

PhantomLevels unshaded_levels(const PhantomOptions& options) {
  const NoiseFamily family = options.noise.family;
  check_combination(options);
  if (options.levels) check_levels_in_range(options);
  if (family == NoiseFamily::variance) return variance_of_levels(options);
  if (options.levels && family == NoiseFamily::gaussian) return gaussian_of_levels(options);
  if (options.levels) return with_sigmas({(*options.levels)[0], (*options.levels)[1]}, options);
  if (options.kind == PhantomKind::impulse && family == NoiseFamily::none) {
    return {0, is_integer(options.type) ? highest_of(options.type) : 1.0, 0, 0};
  }
  return levels_of_snr(options);
}

}  // namespace

PhantomLevels levels_of(const PhantomOptions& options) {
  const PhantomLevels levels = unshaded_levels(options);
  check_shaded(levels, options);
  return levels;
}

}  // namespace meander::phantoms
