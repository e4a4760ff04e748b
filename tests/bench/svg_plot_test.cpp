// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench/svg_plot.hpp"

#include <gtest/gtest.h>

namespace meander::bench {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(SvgPlot, SpansItsAxesFromEndToEnd) {
  const std::string text = svg_plot({{.title = "a < b", .series = {{"line", {{0, 0}, {10, 5}}}}}});
  EXPECT_TRUE(has(text, "points=\"80.0,280.0 640.0,40.0 \""));
  EXPECT_TRUE(has(text, "a &lt; b"));
  EXPECT_TRUE(has(text, ">10</text>"));
}

TEST(SvgPlot, LogarithmicAxesLeaveOutWhatIsNotAboveZero) {
  const std::string text =
      svg_plot({{.title = "log",
                 .logarithmic = true,
                 .series = {{"line", {{1, 1}, {0, 5}, {10, 10}, {100, 100}}}}}});
  EXPECT_TRUE(has(text, "points=\"80.0,280.0 360.0,160.0 640.0,40.0 \""));
}

}  // namespace
}  // namespace meander::bench
