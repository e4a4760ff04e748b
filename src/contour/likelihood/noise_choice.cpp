// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/likelihood/noise_choice.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "contour/likelihood/sample.hpp"
#include "meander/statistics.hpp"

namespace meander::contour {
namespace {

/// A number 0 stands for values up to a half, of which this is the geometric mean.
constexpr double least_value = 0.5 / std::numbers::e;

/// What the likelihoods need of one side. `logs` are those of the numbers above 0.
struct Moments {
  double n = 0, zeros = 0, sum = 0, squares = 0, logs = 0, log_factorials = 0;
  bool has_negative = false;
  double mean() const { return std::max(sum / n, least_value); }
  double variance() const { return std::max(squares / n - (sum / n) * (sum / n), least_variance); }
};

Moments moments_of(const Counts& counts, std::int64_t zero) {
  Moments m;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    const auto n = static_cast<double>(counts[i]);
    const auto z = static_cast<double>(static_cast<std::int64_t>(i) - zero);
    m.n += n;
    m.sum += n * z;
    m.squares += n * z * z;
    m.has_negative = m.has_negative || z < 0;
    if (z < 0) continue;
    if (z == 0) m.zeros += n;
    if (z > 0) m.logs += n * std::log(z);
    m.log_factorials += n * std::lgamma(z + 1);
  }
  return m;
}

std::vector<Moments> sides_of(const SideCounts& counts, std::int64_t zero) {
  std::vector<Moments> sides{moments_of(counts.inside, zero), moments_of(counts.outside, zero)};
  std::erase_if(sides, [](const Moments& m) { return m.n == 0; });
  return sides;
}

double gaussian(const Moments& m) {
  return m.n / 2 * (std::log(2 * std::numbers::pi * m.variance()) + 1);
}

/// The log of the part of gamma noise of mean 1 that lies below x: the series of the incomplete
/// gamma function, all of whose terms are positive.
double log_part_below(double x, double looks) {
  const double scaled = looks * x;
  double term = 1 / looks, sum = term;
  for (int i = 1; i < 1000 && term > sum * 1e-16; ++i) sum += term *= scaled / (looks + i);
  return looks * std::log(scaled) - scaled + std::log(sum) - std::lgamma(looks);
}

/// Densities stand for the probability of a number, but for 0, below which half of it is missing:
/// in dim images, where it is frequent, that would decide.
double gamma(const Moments& m, double looks) {
  const double mean = m.mean(), others = m.n - m.zeros;
  const double constant = looks * std::log(mean) - looks * std::log(looks) + std::lgamma(looks);
  const double zeros = m.zeros > 0 ? m.zeros * log_part_below(0.5 / mean, looks) : 0;
  return others * constant + looks * m.sum / mean - (looks - 1) * m.logs - zeros;
}

double poisson(const Moments& m) { return m.sum - m.sum * std::log(m.mean()) + m.log_factorials; }

double rayleigh(const Moments& m) {
  const double mean_square = std::max(m.squares / m.n, least_variance);
  const double zeros = m.zeros > 0 ? m.zeros * std::log(-std::expm1(-0.25 / mean_square)) : 0;
  return (m.n - m.zeros) * std::log(mean_square / 2) + m.squares / mean_square - m.logs - zeros;
}

/// log L - ψ(L), which falls from infinity to 0: by the asymptotic series, L raised to where it
/// holds to ten digits.
double spread_of_looks(double looks) {
  double sum = std::log(looks), x = looks;
  for (; x < 10; x += 1) sum += 1 / x;
  const double r = 1 / (x * x);
  return sum - (std::log(x) - 0.5 / x - r * (1.0 / 12 - r * (1.0 / 120 - r / 252)));
}

double looks_of(const std::vector<Moments>& sides) {
  double spread = 0, n = 0, most = 1e6;
  for (const Moments& m : sides) {
    spread += m.n * std::log(m.mean()) - m.logs - m.zeros * std::log(least_value);
    n += m.n;
    // Noise is not finer than the numbers: m²/L is at least their variance.
    most = std::min(most, m.mean() * m.mean() / least_variance);
  }
  spread /= n;
  double low = 0.1, high = std::max(most, low);
  for (int i = 0; i < 100; ++i) {
    const double middle = std::sqrt(low * high);
    (spread_of_looks(middle) > spread ? low : high) = middle;
  }
  return std::sqrt(low * high);
}

}  // namespace

double estimated_looks(const SideCounts& sides, std::int64_t zero) {
  return looks_of(sides_of(sides, zero));
}

std::vector<Likelihood> likelihoods(const SideCounts& counts, const Levels& levels,
                                    std::optional<double> looks) {
  const std::vector<Moments> sides = sides_of(counts, levels.zero);
  double n = 0;
  bool is_positive = levels.offset + levels.scale * static_cast<double>(levels.zero) == 0;
  for (const Moments& m : sides) {
    n += m.n;
    is_positive = is_positive && !m.has_negative;
  }
  const auto parts = static_cast<double>(sides.size());
  std::vector<Likelihood> found;
  const auto add = [&](NoiseModel noise, double given_looks, double parameters, auto length) {
    double sum = parameters / 2 * std::log(n);
    for (const Moments& m : sides) sum += length(m);
    found.push_back({noise, given_looks, sum});
  };
  add(NoiseModel::gaussian, 0, 2 * parts, gaussian);
  if (is_positive) {
    const double used = looks ? *looks : looks_of(sides);
    add(NoiseModel::gamma, used, parts + (looks ? 0 : 1),
        [&](const Moments& m) { return gamma(m, used); });
    add(NoiseModel::rayleigh, 0, parts, rayleigh);
    if (levels.scale == 1) add(NoiseModel::poisson, 0, parts, poisson);
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.description_length < b.description_length;
  });
  return found;
}

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
