// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/likelihood/noise_choice.hpp"

#include <cmath>

#include "contour/likelihood/likelihood.hpp"
#include "contour/likelihood/sample.hpp"
#include "meander/statistics.hpp"

namespace meander::contour {
namespace {

/// Estimates of the looks that are closer make no other outline.
constexpr double close_looks = 0.02;

int distinct_numbers(const SideCounts& sides) {
  int distinct = 0;
  for (std::size_t i = 0; i < sides.inside.size(); ++i) {
    distinct += sides.inside[i] + sides.outside[i] > 0 ? 1 : 0;
  }
  return distinct;
}

}  // namespace

NoiseChoice::NoiseChoice(const GreyLevels& grey, const SumLevels& sums,
                         const SegmentOptions& options)
    : grey_(&grey), sums_(&sums), options_(&options) {
  first_.noise = options.noise == NoiseModel::automatic ? NoiseModel::gaussian : options.noise;
  first_.looks = options.looks.value_or(1);
  if (options.noise != NoiseModel::bernoulli) return;
  const auto found = two_values();
  if (!found) {
    throw InvalidArgument("the image has not exactly two values, as noise bernoulli expects");
  }
  first_ = *found;
}

/// Σ(z - low)(z - high) is 0 only where every number between the least and the largest is one of
/// them.
std::optional<Criterion::Family> NoiseChoice::two_values() const {
  const Statistics range = statistics(grey_->pixels);
  const std::int64_t shift = grey_->pixels.type() == PixelType::i16 ? grey_->levels.zero : 0;
  const auto low = static_cast<std::int64_t>(range.min) + shift;
  const auto high = static_cast<std::int64_t>(range.max) + shift;
  const RegionSums& total = sums_->total();
  const std::uint64_t rest = total.squares - static_cast<std::uint64_t>(low + high) * total.sum +
                             static_cast<std::uint64_t>(low * high) * total.count;
  if (low == high || rest != 0) return std::nullopt;
  return Criterion::Family{.noise = NoiseModel::bernoulli, .looks = 1, .low = low, .high = high};
}

std::optional<Criterion::Family> NoiseChoice::second(
    const std::vector<const Polygon*>& outlines) const {
  const bool is_open = options_->noise == NoiseModel::automatic;
  const bool wants_looks = options_->noise == NoiseModel::gamma && !options_->looks;
  if (!is_open && !wants_looks) return std::nullopt;
  const Sample sample = sample_rows(sums_->backend(), sums_->pixels());
  const SideCounts sides = outlines.empty() ? count_all(sample) : count_sides(sample, outlines);
  if (is_open && distinct_numbers(sides) == 2) {
    if (const auto found = two_values()) return found;
  }
  Criterion::Family family = first_;
  if (is_open) {
    const Likelihood best = likelihoods(sides, grey_->levels, options_->looks).front();
    family.noise = best.noise;
    if (best.noise == NoiseModel::gamma) family.looks = best.looks;
  } else {
    family.looks = estimated_looks(sides, grey_->levels.zero);
  }
  const bool is_same =
      family.noise == first_.noise && std::abs(std::log(family.looks / first_.looks)) < close_looks;
  if (is_same) return std::nullopt;
  return family;
}

}  // namespace meander::contour
