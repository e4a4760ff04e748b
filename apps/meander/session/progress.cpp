// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "session/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace meander::app {

void ProgressBar::show(double fraction, std::string_view note) {
  using namespace std::chrono_literals;
  const auto now = std::chrono::steady_clock::now();
  if (!wanted_ || now - begin_ < 1s || now - last_ < 100ms) return;
  last_ = now;
  fraction = highest_ = std::max(highest_, fraction);  // the stages of a slab each begin anew
  constexpr int width = 40;
  const int full = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * width);
  const std::string line =
      fmt::format("[{:=<{}}{:<{}}] {:3.0f} %{}", "", full, "", width - full, fraction * 100, note);
  width_ = std::max(width_, line.size());
  fmt::print(stderr, "\r{:<{}}", line, width_);
  std::fflush(stderr);
}

void ProgressBar::clear() {
  if (width_ > 0) fmt::print(stderr, "\r{:{}}\r", "", width_);
  width_ = 0;
}

}  // namespace meander::app
