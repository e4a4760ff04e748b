// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "filter/gauss/design.hpp"
#include "filter/gauss/recurrence_model.hpp"

/// Against SciPy: gauss_golden.txt is written by gauss_golden.py.
namespace meander {
namespace {

std::vector<double> numbers(std::istream& in) {
  return {std::istream_iterator<double>(in), std::istream_iterator<double>()};
}

/// Calls `check` with what follows `word` in each line that starts with it; returns their number.
template <class Check>
int for_each_line(const std::string& word, Check check) {
  std::ifstream file(MEANDER_GAUSS_GOLDEN);
  EXPECT_TRUE(file) << MEANDER_GAUSS_GOLDEN;
  int found = 0;
  for (std::string text; std::getline(file, text);) {
    std::istringstream line(text);
    std::string first;
    line >> first;
    if (first != word) continue;
    check(line);
    ++found;
  }
  return found;
}

TEST(GaussGolden, SampledGaussiansAreThoseOfSciPy) {
  const int found = for_each_line("kernel", [](std::istream& line) {
    double sigma = 0;
    int order = 0;
    std::int64_t radius = 0;
    line >> sigma >> order >> radius;
    const std::vector<double> golden = numbers(line);
    const std::vector<double> weights = sampled_gaussian(sigma, order, radius);
    ASSERT_EQ(weights.size(), golden.size());
    for (std::size_t k = 0; k < golden.size(); ++k) {
      EXPECT_NEAR(weights[k], golden[k], 1e-14) << "sigma " << sigma << " order " << order;
    }
  });
  EXPECT_EQ(found, 9);
}

TEST(GaussGolden, LinesWithEveryBorderAreThoseOfSciPy) {
  std::vector<double> signal;
  for_each_line("signal", [&](std::istream& line) { signal = numbers(line); });
  ASSERT_EQ(signal.size(), 37u);
  const int found = for_each_line("line", [&](std::istream& line) {
    double sigma = 0;
    int order = 0;
    std::string border;
    line >> sigma >> order >> border;
    const BorderRule rule =
        OptionText<BorderRule>::parse(border == "constant" ? "constant=0.25" : border);
    const std::vector<double> golden = numbers(line);
    ASSERT_EQ(golden.size(), signal.size());
    const GaussFilter filter = gauss_design({.method = SmoothMethod::exponential8,
                                             .sigma = sigma,
                                             .order = order,
                                             .precision = Precision::float64,
                                             .length = 37,
                                             .border = rule});
    const auto result = testing::RecurrenceModel<double>(filter.recurrence, signal).run();
    // An error e of the peak comes to no more than e times the sum of weights of that size.
    const double tolerance = 10 * filter.error * std::pow(sigma, -order);
    EXPECT_LT(filter.error, 1e-5);
    for (std::size_t i = 0; i < golden.size(); ++i) {
      EXPECT_NEAR(result[i], golden[i], tolerance) << border << " order " << order << " at " << i;
    }
  });
  EXPECT_EQ(found, 30);
}

}  // namespace
}  // namespace meander
