// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <string>
#include <vector>

#include "meander/control.hpp"
#include "meander/device.hpp"

namespace meander {

/// How far one device was from `reference` in one group of cases.
struct Deviation {
  /// "copy", "convert", "reduce", "scan", "fir", "prefix", "pointwise", "stencil" or "contour";
  /// "device" where that could not be used at all.
  std::string engine;
  std::string check;     ///< What was compared, and in which unit the deviation is.
  int cases = 0;         ///< How many were run.
  double deviation = 0;  ///< The largest; NaN when a case could not be run.
  double tolerance = 0;  ///< What `deviation` may be.
  std::string failure;   ///< The message of an error that ended the group, else empty.
  /// Whether it ran and is within `tolerance`.
  bool passed() const { return failure.empty() && deviation <= tolerance; }
};

/// The conformance suite: runs every engine of the device over sizes and values chosen to hurt and
/// compares with `reference`. Seconds on a processor, under a minute with a compiler behind it.
/// Errors of the device are caught and reported as failures; Cancelled is thrown.
std::vector<Deviation> verify(const Device& device, const Control& control = {});

}  // namespace meander
