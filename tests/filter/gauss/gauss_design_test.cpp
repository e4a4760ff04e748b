// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "filter/gauss/design.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "filter/gauss/impulse.hpp"
#include "filter/gauss/recurrence_model.hpp"
#include "meander/error.hpp"

namespace meander {
namespace {

using enum SmoothMethod;
using testing::measured_error;
using testing::measured_weights;
using testing::moment_of;
using testing::whole_radius;

GaussFilter exact_design(SmoothMethod method, double sigma, int order = 0) {
  return gauss_design(
      {.method = method, .sigma = sigma, .order = order, .precision = Precision::float64});
}

/// Published figures of the largest error of the impulse response, rounded as they were printed.
TEST(GaussDesign, ErrorsAreThePublishedOnes) {
  struct Row {
    SmoothMethod method;
    double at_1, at_2, at_12, at_50;
    double digit;  ///< of the printed figures, the coarsest
  };
  const Row rows[] = {
      {yvv1995, .094, .052, .020, .011, 1e-3},      {yvv2002, .100, .053, .019, .016, 1e-3},
      {vanvliet3, .036, .021, .010, .0098, 1e-3},   {vanvliet4, .020, .0048, .0028, .0028, 1e-3},
      {vanvliet5, .017, .0023, .0010, .0010, 1e-3}, {deriche, .0029, .0029, .0029, .0029, 1e-4}};
  const double sigmas[] = {1, 2, 12, 50};
  for (const Row& row : rows) {
    const double figures[] = {row.at_1, row.at_2, row.at_12, row.at_50};
    for (int i = 0; i < 4; ++i) {
      const double digit = figures[i] < 0.005 ? 1e-4 : row.digit;
      EXPECT_NEAR(measured_error<double>(exact_design(row.method, sigmas[i]), sigmas[i], 0),
                  figures[i], 0.6 * digit)
          << static_cast<int>(row.method) << " at " << sigmas[i];
    }
  }
}

TEST(GaussDesign, ExponentialSumsAreBetterThanTheirPublishedErrors) {
  for (const double sigma : {0.7, 1.0, 1.4, 2.0, 5.0, 12.0, 50.0, 200.0}) {
    EXPECT_LE(measured_error<double>(exact_design(exponential4, sigma), sigma, 0), 3.6e-4) << sigma;
    EXPECT_LE(measured_error<double>(exact_design(exponential6, sigma), sigma, 0), 3.4e-6) << sigma;
    EXPECT_LE(measured_error<double>(exact_design(exponential8, sigma), sigma, 0), 4.0e-8) << sigma;
  }
}

TEST(GaussDesign, ExponentialOrderSixInFloatStaysBelowSixMillionths) {
  for (double sigma = 0.7; sigma <= 200; sigma *= 1.11) {
    const GaussFilter filter = gauss_design({.method = exponential6, .sigma = sigma});
    EXPECT_LE(measured_error<float>(filter, sigma, 0), 6e-6) << sigma;
  }
}

TEST(GaussDesign, StatedErrorIsTheMeasuredOne) {
  for (const auto& [method, name] : ChoiceNames<SmoothMethod>::values) {
    if (method == automatic) continue;
    for (const double sigma : {0.6, 1.0, 3.3, 20.0, 450.0}) {
      for (int order = 0; order <= 2; ++order) {
        const GaussFilter filter = exact_design(method, sigma, order);
        EXPECT_EQ(filter.method, method);
        EXPECT_NEAR(filter.error, measured_error<double>(filter, sigma, order),
                    1e-3 * filter.error + 1e-12)
            << name << " at " << sigma << " order " << order;
      }
    }
  }
}

TEST(GaussDesign, VarianceOfVanVlietIsExact) {
  for (const SmoothMethod method : {vanvliet3, vanvliet4, vanvliet5}) {
    for (const double sigma : {0.5, 0.9, 2.0, 12.0, 117.0}) {
      const auto weights =
          measured_weights<double>(exact_design(method, sigma), 4 * whole_radius(sigma));
      EXPECT_NEAR(moment_of(weights, 0), 1, 1e-12);
      EXPECT_NEAR(moment_of(weights, 2) / (sigma * sigma), 1, 1e-9) << sigma;
    }
  }
}

TEST(GaussDesign, VarianceOfSumsIsNearlyRight) {
  for (const double sigma : {1.0, 2.0, 12.0, 50.0}) {
    const auto relative = [sigma](SmoothMethod method) {
      const auto weights =
          measured_weights<double>(exact_design(method, sigma), whole_radius(sigma));
      return moment_of(weights, 2) / (sigma * sigma);
    };
    EXPECT_NEAR(relative(exponential4), 1, 6e-3) << sigma;
    EXPECT_NEAR(relative(exponential6), 1, 1e-4) << sigma;
    EXPECT_NEAR(relative(exponential8), 1, 2e-6) << sigma;
  }
  const auto weights = measured_weights<double>(exact_design(deriche, 12), whole_radius(12));
  EXPECT_NEAR(std::sqrt(moment_of(weights, 2)), 11.62, 0.005);
}

/// Constants, ramps and parabolas are answered exactly, whatever the method.
/// The figures that its published coefficients have; others would have others.
TEST(GaussDesign, DericheIsAsPublished) {
  for (const double sigma : {5.0, 12.0, 50.0}) {
    const auto error = [&](int order) {
      return gauss_design({.method = deriche, .sigma = sigma, .order = order}).error;
    };
    EXPECT_NEAR(error(0), 0.0029, 0.0001) << sigma;
    EXPECT_NEAR(error(1), 0.0040, 0.0002) << sigma;
    EXPECT_NEAR(error(2), 0.0143, 0.0008) << sigma;
  }
}

TEST(GaussDesign, MomentsOfDerivativesAreExact) {
  for (const auto& [method, name] : ChoiceNames<SmoothMethod>::values) {
    if (method == automatic) continue;
    for (const double sigma : {0.5, 1.0, 2.5, 30.0}) {
      const auto first =
          measured_weights<double>(exact_design(method, sigma, 1), 4 * whole_radius(sigma));
      EXPECT_NEAR(moment_of(first, 0), 0, 1e-13) << name << " at " << sigma;
      EXPECT_NEAR(moment_of(first, 1), 1, 1e-10) << name << " at " << sigma;
      EXPECT_NEAR(moment_of(first, 2), 0, 1e-9) << name << " at " << sigma;
      const auto second =
          measured_weights<double>(exact_design(method, sigma, 2), 4 * whole_radius(sigma));
      EXPECT_NEAR(moment_of(second, 0), 0, 1e-13) << name << " at " << sigma;
      EXPECT_NEAR(moment_of(second, 1), 0, 1e-12) << name << " at " << sigma;
      EXPECT_NEAR(moment_of(second, 2), 2, 1e-10) << name << " at " << sigma;
    }
  }
}

/// Bounds of what the fits reach, over all σ from 0.5 on.
TEST(GaussDesign, DerivativesOfSumsFitTheGaussian) {
  for (const double sigma : {0.5, 1.0, 2.0, 5.0, 12.0, 50.0, 1000.0}) {
    EXPECT_LE(exact_design(exponential4, sigma, 1).error, 5.6e-3) << sigma;
    EXPECT_LE(exact_design(exponential6, sigma, 1).error, 9.6e-5) << sigma;
    EXPECT_LE(exact_design(exponential8, sigma, 1).error, 1.7e-6) << sigma;
    EXPECT_LE(exact_design(exponential4, sigma, 2).error, 3.3e-2) << sigma;
    EXPECT_LE(exact_design(exponential6, sigma, 2).error, 8.5e-4) << sigma;
    EXPECT_LE(exact_design(exponential8, sigma, 2).error, 1.9e-5) << sigma;
  }
}

double worst_ulps_of_constants(SmoothMethod method, double sigma) {
  const GaussFilter filter = gauss_design({.method = method, .sigma = sigma, .length = 500});
  std::mt19937 generator(7);
  double worst = 0;
  for (int i = 0; i < 100; ++i) {
    const float value = std::uniform_real_distribution<float>(0.1f, 60000.0f)(generator);
    const float ulp = std::nextafter(value, INFINITY) - value;
    const std::vector<float> line(500, value);
    for (const float result : testing::RecurrenceModel<float>(filter.recurrence, line).run()) {
      worst = std::max(worst, static_cast<double>(std::abs(result - value) / ulp));
    }
  }
  return worst;
}

TEST(GaussDesign, ConstantsComeBackInFloat) {
  for (const double sigma : {0.5, 1.0, 3.0, 12.0, 50.0, 500.0}) {
    for (const SmoothMethod method : {yvv1995, yvv2002, vanvliet3, vanvliet4, vanvliet5}) {
      EXPECT_EQ(worst_ulps_of_constants(method, sigma), 0) << sigma;
    }
  }
  // Sums round more at small σ, where their terms are larger than the result.
  for (const double sigma : {1.0, 3.0, 12.0, 50.0, 500.0}) {
    EXPECT_LE(worst_ulps_of_constants(exponential4, sigma), 3) << sigma;
    EXPECT_LE(worst_ulps_of_constants(exponential6, sigma), 5) << sigma;
    EXPECT_LE(worst_ulps_of_constants(exponential8, sigma), 9) << sigma;
  }
}

/// With coefficients rounded to float the answer to a constant is still right to a few parts in
/// 1e8.
TEST(GaussDesign, RoundedCoefficientsKeepTheGain) {
  for (const SmoothMethod method : {deriche, exponential4, exponential6, exponential8}) {
    for (const double sigma : {0.5, 0.83, 2.0, 12.0, 170.0}) {
      for (int order = 0; order <= 2; ++order) {
        const auto r = gauss_design({.method = method, .sigma = sigma, .order = order}).recurrence;
        double gain = 0, terms = 0;
        for (std::size_t k = 0; k < static_cast<std::size_t>(r.states); ++k) {
          EXPECT_EQ(static_cast<double>(static_cast<float>(r.feed[k])), r.feed[k]);
          EXPECT_EQ(static_cast<double>(static_cast<float>(r.forward[k])), r.forward[k]);
          EXPECT_EQ(static_cast<double>(static_cast<float>(r.backward[k])), r.backward[k]);
          const double state = static_cast<double>(static_cast<float>(r.steady[k]));
          gain += (r.forward[k] + r.backward[k]) * state;
          terms += (std::abs(r.forward[k]) + std::abs(r.backward[k])) * std::abs(state);
        }
        EXPECT_NEAR(gain, order == 0 ? 1 : 0, 4e-9 * terms) << sigma << " order " << order;
      }
    }
  }
}

TEST(GaussDesign, DeltaFormIsTheRecursionOfYoungAndVanVliet) {
  // σ = 12 by the formulas of 1995: the delta form and the direct form are the same filter.
  const double q = 0.98711 * 12 - 0.96330, m0 = 1.16680, m1 = 1.10783, m2 = 1.40586;
  const double s = (m0 + q) * (m1 * m1 + m2 * m2 + 2 * m1 * q + q * q);
  const double a1 = q * (2 * m0 * m1 + m1 * m1 + m2 * m2 + (2 * m0 + 4 * m1) * q + 3 * q * q) / s;
  const double a2 = -q * q * (m0 + 2 * m1 + 3 * q) / s;
  const double a3 = q * q * q / s;
  const engine::Recurrence r = exact_design(yvv1995, 12).recurrence;
  ASSERT_EQ(r.form, engine::Recurrence::Form::cascade);
  ASSERT_EQ(r.states, 3);
  EXPECT_NEAR(r.feed[0], 1 - a1 - a2 - a3, 1e-15);
  // y = B·x + a1·y1 + a2·y2 + a3·y3 with y1 = Y, y2 = Y - D, y3 = Y - 2D + E, and y = Y + D + E +
  // e.
  EXPECT_NEAR(r.feed[1], 1 + a2 + 2 * a3, 1e-14);
  EXPECT_NEAR(r.feed[2], 1 - a3, 1e-14);
}

}  // namespace
}  // namespace meander
