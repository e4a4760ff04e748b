// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace meander::app {

void ProgressBar::show(double fraction) {
  using namespace std::chrono_literals;
  const auto now = std::chrono::steady_clock::now();
  if (!wanted_ || now - begin_ < 1s || now - last_ < 100ms) return;
  last_ = now;
  shown_ = true;
  fraction = highest_ = std::max(highest_, fraction);  // the stages of a slab each begin anew
  constexpr int width = 40;
  const int full = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * width);
  fmt::print(stderr, "\r[{:=<{}}{:<{}}] {:3.0f} %", "", full, "", width - full, fraction * 100);
  std::fflush(stderr);
}

void ProgressBar::clear() {
  if (shown_) fmt::print(stderr, "\r{:60}\r", "");
  shown_ = false;
}

}  // namespace meander::app
