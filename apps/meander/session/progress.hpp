// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>

namespace meander::app {

/// A bar on stderr that appears when the work has taken a second, and goes away.
class ProgressBar {
 public:
  explicit ProgressBar(bool wanted) : wanted_(wanted), begin_(std::chrono::steady_clock::now()) {}
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(double fraction, std::string_view note = {});
  void clear();

 private:
  const bool wanted_;
  std::size_t width_ = 0;  ///< Of what is shown.
  double highest_ = 0;
  std::chrono::steady_clock::time_point begin_;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace meander::app
