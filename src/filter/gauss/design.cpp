// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "filter/gauss/design.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/message.hpp"
#include "filter/gauss/recurrence.hpp"
#include "filter/gauss/residues.hpp"
#include "filter/gauss/samples.hpp"
#include "meander/error.hpp"
#include "meander/smooth.hpp"

namespace meander {
namespace {

struct FirFilter {
  std::vector<double> weights;
  double error = 0;  ///< Of the weights, of the largest of the sampled Gaussian.
};

/// What cutting off does: to the weights left out and, as moments are kept, to the others.
double truncation_error(const std::vector<double>& weights, double sigma, int order) {
  const GaussSamples gauss(sigma, order);
  const auto radius = static_cast<std::int64_t>(weights.size() / 2);
  const auto beyond = std::max(radius + 1, static_cast<std::int64_t>(2 * sigma) + 1);
  double peak = 0, error = 0;
  for (std::int64_t n = 0; n <= beyond; ++n) {
    const double wanted = gauss(n);
    const double weight = n > radius ? 0 : weights[static_cast<std::size_t>(radius + n)];
    peak = std::max(peak, std::abs(wanted));
    error = std::max(error, std::abs(weight - wanted));
  }
  return error / peak;
}

/// Rounds to float from the ends inwards, each weight taking over what the rounding of the one
/// before it did to the sum, so that the sum is right and no weight is off by more than its own
/// rounding.
void round_to_float(std::vector<double>& weights, int order) {
  const std::size_t centre = weights.size() / 2;
  double missing = 0;
  for (std::size_t n = centre; n > 0; --n) {
    const double wanted = weights[centre + n] + missing;
    const double rounded = static_cast<double>(static_cast<float>(wanted));
    missing = wanted - rounded;
    weights[centre + n] = rounded;
    weights[centre - n] = order == 1 ? -rounded : rounded;
  }
  if (order != 1) {
    weights[centre] = static_cast<double>(static_cast<float>(weights[centre] + 2 * missing));
  }
}

/// A radius near that of gauss_fir, not above it.
std::int64_t fir_radius_guess(double sigma, int order, double error_bound) {
  // Where exp(-x²/2) falls below a third of the bound, and for derivatives x^order times it.
  const double depth = std::log(std::max(1.0, 3 / error_bound));
  const double plain = std::sqrt(2 * depth);
  const double tail = std::sqrt(2 * (depth + order * std::log(std::max(1.0, plain))));
  return std::max<std::int64_t>(order > 0 ? 1 : 0,
                                static_cast<std::int64_t>(std::floor(sigma * tail)) - 1);
}

/// The sampled Gaussian (derivative), cut off where that changes it by less than a third of the
/// bound.
FirFilter gauss_fir(double sigma, int order, double error_bound, Precision precision) {
  const auto step = static_cast<std::int64_t>(std::max(1.0, sigma / 32));
  std::int64_t radius = fir_radius_guess(sigma, order, error_bound);
  FirFilter fir;
  for (;; radius += step) {
    fir.weights = sampled_gaussian(sigma, order, radius);
    fir.error = truncation_error(fir.weights, sigma, order);
    if (fir.error <= error_bound / 3) break;
  }
  if (precision == Precision::float32) round_to_float(fir.weights, order);
  return fir;
}

/// Cost of a pixel along one axis in nanoseconds, as measured on one core of a Neoverse-V1 (an x86
/// with AVX-512 takes about half of each); only the order in which `automatic` tries the methods
/// depends on it.
double fir_cost(std::int64_t taps) { return 0.8 + 0.033 * static_cast<double>(taps); }
double cascade_cost(std::size_t states) { return states == 3 ? 0.93 : states == 4 ? 1.28 : 1.37; }
double sum_cost(std::size_t terms) { return terms == 2 ? 1.86 : terms == 3 ? 2.77 : 3.55; }

std::string_view name_of(SmoothMethod method) {
  for (const auto& [value, name] : ChoiceNames<SmoothMethod>::values) {
    if (value == method) return name;
  }
  return {};
}

void check(const GaussRequest& request) {
  if (!(request.sigma > 0) || !std::isfinite(request.sigma)) {
    throw InvalidArgument(message("sigma is ", request.sigma, ", expected a number above 0"),
                          {.option = "sigma"});
  }
  if (request.sigma > largest_sigma) {
    throw InvalidArgument(
        message("sigma is ", request.sigma, " pixels, expected at most ", largest_sigma),
        {.option = "sigma"});
  }
  if (request.order < 0 || request.order > 2) {
    throw InvalidArgument(
        message("the order of a derivative is ", request.order, ", expected 0, 1 or 2"));
  }
  if (!(request.error_bound > 0)) {
    throw InvalidArgument(
        message("the error bound is ", request.error_bound, ", expected a number above 0"),
        {.option = "error-bound"});
  }
  if (request.length < 1) {
    throw InvalidArgument(
        message("the length of an axis is ", request.length, ", expected at least 1"));
  }
}

GaussFilter fir_filter(const GaussRequest& request) {
  FirFilter fir = gauss_fir(request.sigma, request.order, request.error_bound, request.precision);
  GaussFilter filter;
  filter.method = SmoothMethod::fir;
  filter.error = fir.error;
  filter.weights = std::move(fir.weights);
  return filter;
}

/// A recursive method up to its error, without what depends on the line.
struct Candidate {
  SmoothMethod method;
  PoleSum sum;
  Response response;
};

Candidate candidate(SmoothMethod method, const GaussRequest& request) {
  PoleSum sum = gauss_sum(method, request.sigma, request.order);
  const Response response = compare_with_gaussian(sum, request.sigma, request.order);
  return {method, std::move(sum), response};
}

GaussFilter recursive_filter(const Candidate& design, const GaussRequest& request) {
  GaussFilter filter;
  filter.method = design.method;
  filter.error = design.response.error;
  filter.recurrence =
      is_cascade(design.method) && request.order == 0
          ? cascade(design.sum.poles, request.precision, request.length, request.border)
          : sum_of_terms(design.sum, request.order, request.precision, request.length,
                         request.border);
  return filter;
}

struct Option {
  SmoothMethod method;
  double cost;
};

/// What `automatic` may choose from, the cheapest first.
std::vector<Option> options(const GaussRequest& request) {
  using enum SmoothMethod;
  std::vector<Option> result{
      {fir, fir_cost(2 * fir_radius_guess(request.sigma, request.order, request.error_bound) + 1)}};
  const auto offer = [&](SmoothMethod method, double cost) {
    if (request.sigma >= 0.5) result.push_back({method, cost});
  };
  offer(exponential4, sum_cost(2));
  offer(exponential6, sum_cost(3));
  offer(exponential8, sum_cost(4));
  if (request.order == 0) {  // derivatives on the poles of cascades are sums that fit less well
    offer(vanvliet3, cascade_cost(3));
    offer(vanvliet4, cascade_cost(4));
    offer(vanvliet5, cascade_cost(5));
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const Option& a, const Option& b) { return a.cost < b.cost; });
  return result;
}

GaussFilter cheapest(const GaussRequest& request) {
  for (const Option& option : options(request)) {
    if (option.method == SmoothMethod::fir) break;
    const Candidate design = candidate(option.method, request);
    const double rounding = request.precision == Precision::float32 ? design.response.rounding : 0;
    if (design.response.error + rounding <= request.error_bound) {
      return recursive_filter(design, request);
    }
  }
  return fir_filter(request);
}

GaussFilter new_design(const GaussRequest& request) {
  if (request.method == SmoothMethod::automatic) return cheapest(request);
  if (request.method == SmoothMethod::fir) {
    GaussRequest strict = request;
    strict.error_bound = std::min(request.error_bound, 1e-6);
    return fir_filter(strict);
  }
  const double least = smallest_sigma(request.method, request.order);
  if (request.sigma < least) {
    throw InvalidArgument(
        message("sigma is ", request.sigma, " pixels, expected at least ", least,
                " for the method ", name_of(request.method),
                request.order > 0 ? " with a derivative" : "", "; fir has no such limit"),
        {.option = "sigma"});
  }
  return recursive_filter(candidate(request.method, request), request);
}

/// The last designs that were asked for, the latest first.
class KeptDesigns {
 public:
  std::optional<GaussFilter> find(const GaussRequest& request) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(kept_, request, &Design::request);
    if (found == kept_.end()) return {};
    std::rotate(kept_.begin(), found, found + 1);
    return kept_.front().filter;
  }
  void keep(const GaussRequest& request, const GaussFilter& filter) {
    constexpr std::size_t most_kept = 16, most_weights = 4096;
    if (filter.weights.size() > most_weights) return;
    const std::lock_guard lock(mutex_);
    kept_.insert(kept_.begin(), {request, filter});
    if (kept_.size() > most_kept) kept_.pop_back();
  }

 private:
  struct Design {
    GaussRequest request;
    GaussFilter filter;
  };
  std::mutex mutex_;
  std::vector<Design> kept_;
};

}  // namespace

GaussFilter gauss_design(const GaussRequest& request) {
  check(request);
  static KeptDesigns kept;
  if (std::optional<GaussFilter> known = kept.find(request)) return *std::move(known);
  GaussFilter filter = new_design(request);
  kept.keep(request, filter);
  return filter;
}

}  // namespace meander
