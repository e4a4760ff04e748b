// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "filter/gauss/design.hpp"
#include "filter/gauss/impulse.hpp"
#include "meander/error.hpp"

/// What `automatic` chooses, FIR filters, and what is refused.
namespace meander {
namespace {

using enum SmoothMethod;
using testing::measured_error;
using testing::moment_of;

TEST(GaussChoice, AutomaticKeepsItsBound) {
  for (int order = 0; order <= 2; ++order) {
    for (double bound = 1; bound > 5e-8; bound /= 10) {
      for (double sigma = 0.05; sigma < 300; sigma *= 1.37) {
        const GaussFilter filter = gauss_design({.sigma = sigma,
                                                 .order = order,
                                                 .error_bound = bound,
                                                 .precision = Precision::float64});
        EXPECT_NE(filter.method, automatic);
        EXPECT_LE(filter.error, bound);
        EXPECT_LE(measured_error<double>(filter, sigma, order), bound * 1.001)
            << "sigma " << sigma << " order " << order;
      }
    }
  }
}

TEST(GaussChoice, AutomaticKeepsItsBoundInFloat) {
  for (int order = 0; order <= 2; ++order) {
    for (double bound = 0.1; bound > 5e-7; bound /= 10) {
      for (double sigma = 0.3; sigma < 250; sigma *= 1.43) {
        const GaussFilter filter =
            gauss_design({.sigma = sigma, .order = order, .error_bound = bound});
        EXPECT_LE(measured_error<float>(filter, sigma, order), bound * 1.001)
            << "sigma " << sigma << " order " << order << " bound " << bound;
      }
    }
  }
}

TEST(GaussChoice, AutomaticHoldsAtTheLargestScales) {
  for (int order = 0; order <= 2; ++order) {
    for (const double sigma : {3000.0, 1e5}) {
      for (const double bound : {1.0, 1e-2, 1e-3}) {
        const GaussFilter filter =
            gauss_design({.sigma = sigma, .order = order, .error_bound = bound, .length = 10});
        EXPECT_FALSE(filter.is_fir());
        EXPECT_LE(filter.error, bound);
      }
    }
  }
}

TEST(GaussChoice, AutomaticTakesTheCheapest) {
  const auto chosen = [](double sigma, double bound, int order = 0) {
    return gauss_design({.sigma = sigma, .order = order, .error_bound = bound}).method;
  };
  EXPECT_EQ(chosen(0.3, 1e-3), fir);
  EXPECT_EQ(chosen(1, 1e-3), fir);
  EXPECT_EQ(chosen(3, 1e-3), fir);
  EXPECT_EQ(chosen(5, 1e-3), exponential4);
  EXPECT_EQ(chosen(12, 1e-3), vanvliet5);
  EXPECT_EQ(chosen(12, 5e-3), vanvliet4);
  EXPECT_EQ(chosen(12, 2e-2), vanvliet3);
  EXPECT_EQ(chosen(12, 5e-4), exponential4);
  EXPECT_EQ(chosen(12, 1e-5), exponential6);
  EXPECT_EQ(chosen(12, 1e-2, 1), exponential4);
  EXPECT_EQ(chosen(12, 1e-3, 2), exponential6);
}

TEST(GaussChoice, FirWeightsAreSymmetricToTheBit) {
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    for (const double sigma : {0.05, 0.4, 1.0, 3.3, 17.0}) {
      for (int order = 0; order <= 2; ++order) {
        const auto weights =
            gauss_design({.method = fir, .sigma = sigma, .order = order, .precision = precision})
                .weights;
        ASSERT_EQ(weights.size() % 2, 1u);
        for (std::size_t k = 0; k < weights.size(); ++k) {
          const double mirrored = weights[weights.size() - 1 - k];
          EXPECT_EQ(weights[k], order == 1 ? -mirrored : mirrored);
        }
        const double loose = precision == Precision::float32 ? 1e-7 : 1e-14;
        EXPECT_NEAR(moment_of(weights, 0), order == 0 ? 1 : 0, loose);
        if (order > 0) {
          EXPECT_NEAR(moment_of(weights, order), order, 10 * loose);
        }
      }
    }
  }
}

TEST(GaussChoice, FirWeightsInFloatStillAddUp) {
  for (double sigma = 0.3; sigma < 300; sigma *= 1.7) {
    for (const int order : {0, 2}) {
      const auto weights = gauss_design({.method = fir, .sigma = sigma, .order = order}).weights;
      const auto centre = static_cast<float>(std::abs(weights[weights.size() / 2]));
      const float ulp = std::nextafter(centre, INFINITY) - centre;
      EXPECT_NEAR(moment_of(weights, 0), order == 0 ? 1 : 0, 0.501 * ulp) << sigma;
    }
  }
}

TEST(GaussChoice, FirIsNoLongerThanItsBoundNeeds) {
  const auto taps = [](double bound) {
    return gauss_design({.sigma = 1, .error_bound = bound, .precision = Precision::float64})
        .weights.size();
  };
  // exp(-n²/2) falls below a third of 1e-2, 1e-3 after n = 3, 4.
  EXPECT_EQ(taps(1e-2), 7u);
  EXPECT_EQ(taps(1e-3), 7u + 2);
  // As a method that was asked for it is the Gaussian for practical purposes.
  const GaussFilter strict = gauss_design({.method = fir, .sigma = 4, .error_bound = 1e-2});
  EXPECT_LE(strict.error, 1e-6 / 3);
}

TEST(GaussChoice, TinyScalesAreTheIdentityAndPlainDifferences) {
  for (const double sigma : {1e-300, 1e-3, 0.01, 0.05}) {
    EXPECT_EQ(sampled_gaussian(sigma, 0, 1)[1], 1);
    const std::vector<double> slope{-0.0, -0.5, 0, 0.5, 0};
    for (std::size_t k = 0; k < slope.size(); ++k) {
      EXPECT_NEAR(sampled_gaussian(sigma, 1, 2)[k], slope[k], 1e-200);
    }
    EXPECT_EQ(sampled_gaussian(sigma, 2, 1), (std::vector<double>{1, -2, 1}));
  }
}

TEST(GaussChoice, SumsOfTinyScalesAreTheIdentity) {
  for (const SmoothMethod method : {deriche, exponential4, exponential6, exponential8}) {
    const GaussFilter filter =
        gauss_design({.method = method, .sigma = 0.01, .precision = Precision::float64});
    EXPECT_LE(measured_error<double>(filter, 0.01, 0), 1e-12) << static_cast<int>(method);
  }
}

TEST(GaussChoice, MomentsOfSampledGaussiansAreExact) {
  for (const double sigma : {0.2, 0.5, 1.0, 4.0, 30.0}) {
    for (const std::int64_t radius : {1, 3, 40}) {
      EXPECT_NEAR(moment_of(sampled_gaussian(sigma, 0, radius), 0), 1, 1e-15);
      EXPECT_NEAR(moment_of(sampled_gaussian(sigma, 1, radius), 1), 1, 1e-14);
      EXPECT_NEAR(moment_of(sampled_gaussian(sigma, 2, radius), 0), 0, 1e-14);
      EXPECT_NEAR(moment_of(sampled_gaussian(sigma, 2, radius), 2), 2, 1e-13);
    }
  }
}

std::string refusal(const GaussRequest& request) {
  try {
    gauss_design(request);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(GaussChoice, BadRequestsAreRefusedWithASentence) {
  EXPECT_EQ(refusal({.sigma = 0}), "sigma is 0, expected a number above 0");
  EXPECT_EQ(refusal({.sigma = -2}), "sigma is -2, expected a number above 0");
  EXPECT_EQ(refusal({.sigma = NAN}), "sigma is nan, expected a number above 0");
  EXPECT_EQ(refusal({.sigma = INFINITY}), "sigma is inf, expected a number above 0");
  EXPECT_EQ(refusal({.sigma = 100001}), "sigma is 100001 pixels, expected at most 100000");
  EXPECT_EQ(refusal({.order = 3}), "the order of a derivative is 3, expected 0, 1 or 2");
  EXPECT_EQ(refusal({.order = -1}), "the order of a derivative is -1, expected 0, 1 or 2");
  EXPECT_EQ(refusal({.error_bound = 0}), "the error bound is 0, expected a number above 0");
  EXPECT_EQ(refusal({.error_bound = NAN}), "the error bound is nan, expected a number above 0");
  EXPECT_EQ(refusal({.length = 0}), "the length of an axis is 0, expected at least 1");
  EXPECT_EQ(refusal({.method = vanvliet3, .sigma = 0.4}),
            "sigma is 0.4 pixels, expected at least 0.5 for the method vanvliet3; fir has no such "
            "limit");
  EXPECT_EQ(refusal({.method = exponential6, .sigma = 0.4, .order = 1}),
            "sigma is 0.4 pixels, expected at least 0.5 for the method exponential6 with a "
            "derivative; fir has no such limit");
  EXPECT_EQ(refusal({.method = exponential6, .sigma = 0.009}),
            "sigma is 0.009 pixels, expected at least 0.01 for the method exponential6; fir has no "
            "such limit");
  EXPECT_THROW(sampled_gaussian(1, 1, 0), InvalidArgument);
  EXPECT_THROW(sampled_gaussian(1, 0, -1), InvalidArgument);
}

/// Designs are kept; one that is asked for again is itself, not the last one.
TEST(GaussChoice, DesignsAreNotMixedUp) {
  GaussRequest request{.method = SmoothMethod::vanvliet5, .sigma = 7.25};
  const auto feed = [&] { return gauss_design(request).recurrence.feed; };
  const auto first = feed();
  request.sigma = 9.5;
  const auto second = feed();
  EXPECT_NE(first, second);
  request.sigma = 7.25;
  EXPECT_EQ(feed(), first);
  request.sigma = 9.5;
  EXPECT_EQ(feed(), second);
  request.length = 40;
  request.border.kind = Border::periodic;
  EXPECT_GT(gauss_design(request).recurrence.warmup, 0);
}

}  // namespace
}  // namespace meander
