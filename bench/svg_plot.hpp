// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace meander::bench {

struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points;
};

/// One pair of axes; logarithmic axes show only points above 0.
struct Panel {
  std::string title, x_label, y_label;
  bool logarithmic = false;  ///< Both axes.
  std::vector<Series> series;
};

/// The panels below each other as one SVG picture, with one legend: series of equal place in their
/// panels are taken to have equal names.
std::string svg_plot(const std::vector<Panel>& panels);

}  // namespace meander::bench
