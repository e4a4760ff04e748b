// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <algorithm>
#include <cstdint>

#include "meander/control.hpp"

namespace meander::io {

/// Bytes between two cancel points: a few milliseconds of work for any format.
inline constexpr std::int64_t bytes_per_step = std::int64_t{4} << 20;

/// Turns bytes dealt with into cancel points and a finished fraction.
class Progress {
 public:
  Progress(const Control& control, std::int64_t total_bytes)
      : control_(control), total_(static_cast<double>(total_bytes)) {
    control_.step(0);
  }
  Progress(const Control&&, std::int64_t) = delete;  // it has to outlive the work

  /// Cheap enough to call for every row: only every few megabytes reach the caller.
  void add(std::int64_t bytes) {
    done_ += bytes;
    tick(bytes);
  }
  /// For work that has to be done but does not count, such as decoding rows nobody asked for.
  void skip(std::int64_t bytes) { tick(bytes); }

 private:
  void tick(std::int64_t bytes) {
    since_step_ += bytes;
    if (since_step_ < bytes_per_step && static_cast<double>(done_) < total_) return;
    since_step_ = 0;
    control_.step(std::min(1.0, static_cast<double>(done_) / total_));
  }

  const Control& control_;
  const double total_;
  std::int64_t done_ = 0;
  std::int64_t since_step_ = 0;
};

}  // namespace meander::io
