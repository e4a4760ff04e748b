// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <functional>
#include <stop_token>
#include <string_view>

#include "meander/error.hpp"

namespace meander {

/// How a caller watches and stops long work. Both parts are optional.
struct Control {
  /// When stop is requested, work throws Cancelled within 100 ms and leaves nothing behind.
  std::stop_token stop;
  /// Called on the caller's thread with the finished fraction, 0 to 1 and never falling.
  std::function<void(double fraction)> progress;

  /// Cancel point: throws Cancelled when stop was requested, otherwise reports progress.
  void step(double fraction) const {
    if (stop.stop_requested()) throw Cancelled("stopped on request");
    if (progress) progress(fraction);
  }
};

}  // namespace meander
