// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "filter/gauss/design.hpp"
#include "filter/gauss/recurrence_model.hpp"

/// Borders against brute force: the line written out as far as the filter reaches and filtered from
/// rest, so that neither warm-up nor matrices take part.
namespace meander {
namespace {

using testing::RecurrenceModel;

constexpr Border every_border[] = {Border::clamp, Border::constant, Border::reflect, Border::mirror,
                                   Border::periodic};
constexpr double border_value = 0.75;

std::vector<SmoothMethod> recursive_methods() {
  std::vector<SmoothMethod> methods;
  for (const auto& [method, name] : ChoiceNames<SmoothMethod>::values) {
    if (method != SmoothMethod::automatic && method != SmoothMethod::fir) methods.push_back(method);
  }
  return methods;
}

std::vector<double> noise(std::int64_t length) {
  std::mt19937 generator(static_cast<unsigned>(length));
  std::vector<double> values;
  for (std::int64_t i = 0; i < length; ++i) {
    values.push_back(static_cast<double>(generator() >> 8) / (1 << 24));  // exact as float too
  }
  return values;
}

std::vector<double> brute_force(const engine::Recurrence& recurrence,
                                const std::vector<double>& line, double sigma) {
  const auto length = static_cast<std::int64_t>(line.size());
  const auto reach = static_cast<std::int64_t>(45 * sigma) + 45;
  std::vector<double> extended;
  for (std::int64_t i = -reach; i < length + reach; ++i) {
    const std::int64_t place =
        engine::ghost_index(i, length, static_cast<int>(recurrence.border.kind));
    extended.push_back(place < 0 ? border_value : line[static_cast<std::size_t>(place)]);
  }
  const auto result = RecurrenceModel<double>(recurrence, extended).run_from_rest();
  return {result.begin() + reach, result.begin() + reach + length};
}

/// The largest deviation from brute force, of a line of values up to 1, in units of σ^-order.
template <class Real>
double border_error(GaussRequest request) {
  const engine::Recurrence recurrence = gauss_design(request).recurrence;
  const std::vector<double> line = noise(request.length);
  const auto wanted = brute_force(recurrence, line, request.sigma);
  const auto found = RecurrenceModel<Real>(recurrence, {line.begin(), line.end()}).run();
  double error = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    error = std::max(error, std::abs(static_cast<double>(found[i]) - wanted[i]));
  }
  return error * std::pow(request.sigma, request.order);
}

template <class Check>
void for_each_case(Check check) {
  for (const SmoothMethod method : recursive_methods()) {
    for (const Border border : every_border) {
      for (const double sigma : {0.7, 2.0, 11.0, 500.0}) {
        for (const std::int64_t length : {1, 2, 3, 7, 50, 400}) {
          check(GaussRequest{.method = method,
                             .sigma = sigma,
                             .length = length,
                             .border = {border, border_value}});
        }
      }
    }
  }
}

std::string description(const GaussRequest& request) {
  std::string text(ChoiceNames<SmoothMethod>::values[static_cast<int>(request.method)].second);
  return text + ", order " + std::to_string(request.order) + ", sigma " +
         std::to_string(request.sigma) + ", length " + std::to_string(request.length) +
         ", border " + OptionText<BorderRule>::format(request.border);
}

TEST(GaussBorder, DoubleEqualsTheExtensionWrittenOut) {
  for_each_case([](GaussRequest request) {
    request.precision = Precision::float64;
    EXPECT_LE(border_error<double>(request), 1e-12) << description(request);
  });
}

TEST(GaussBorder, FloatEqualsTheExtensionWrittenOut) {
  for_each_case([](const GaussRequest& request) {
    const bool repeats = request.border.kind >= Border::reflect;
    EXPECT_LE(border_error<float>(request), repeats ? 8e-6 : 3e-6) << description(request);
  });
}

TEST(GaussBorder, DerivativesEqualTheExtensionWrittenOut) {
  for_each_case([](GaussRequest request) {
    if (request.length == 2 || request.length == 50) return;
    for (const int order : {1, 2}) {
      request.order = order;
      request.precision = Precision::float64;
      EXPECT_LE(border_error<double>(request), 1e-12) << description(request);
      request.precision = Precision::float32;
      EXPECT_LE(border_error<float>(request), 1e-5) << description(request);
    }
  });
}

TEST(GaussBorder, WarmUpEndsWithThePeriodOrWhenTheStartIsForgotten) {
  const GaussRequest request{.method = SmoothMethod::vanvliet4, .sigma = 10};
  for (const Border border : {Border::clamp, Border::constant}) {
    GaussRequest plain = request;
    plain.border.kind = border;
    EXPECT_EQ(gauss_design(plain).recurrence.warmup, 0);
  }
  GaussRequest periodic = request;
  periodic.border.kind = Border::periodic;
  periodic.length = 1000000;
  const std::int64_t single = gauss_design(periodic).recurrence.warmup;
  periodic.precision = Precision::float64;
  EXPECT_GT(single, 100);
  EXPECT_LT(single, 300);
  EXPECT_NEAR(static_cast<double>(gauss_design(periodic).recurrence.warmup),
              static_cast<double>(single) * 56 / 26, 3);
  periodic.length = 90;
  EXPECT_EQ(gauss_design(periodic).recurrence.warmup, 90);
  periodic.border.kind = Border::reflect;
  EXPECT_EQ(gauss_design(periodic).recurrence.warmup, 180);
  periodic.border.kind = Border::mirror;
  EXPECT_EQ(gauss_design(periodic).recurrence.warmup, 178);
}

}  // namespace
}  // namespace meander
