// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace meander::contour {
namespace {

/// A number 0 stands for values up to a half, of which this is the geometric mean.
constexpr double least_value = 0.5 / std::numbers::e;
constexpr double least_variance = 1.0 / 12;

/// What the likelihoods need of one side.
struct Moments {
  double n = 0, sum = 0, squares = 0, logs = 0, log_factorials = 0;
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
    m.logs += n * std::log(std::max(z, least_value));
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

double gamma(const Moments& m, double looks) {
  return m.n * (looks * std::log(m.mean()) - looks * std::log(looks) + looks + std::lgamma(looks)) -
         (looks - 1) * m.logs;
}

double poisson(const Moments& m) { return m.sum - m.sum * std::log(m.mean()) + m.log_factorials; }

double rayleigh(const Moments& m) {
  return m.n * std::log(std::max(m.squares / m.n, least_variance) / 2) + m.n - m.logs;
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
  double spread = 0, n = 0;
  for (const Moments& m : sides) {
    spread += m.n * std::log(m.mean()) - m.logs;
    n += m.n;
  }
  spread /= n;
  double low = 0.1, high = 1e6;
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

}  // namespace meander::contour
