// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "options/list.hpp"

namespace meander {

/// One option that --sweep varies: `count` values from `from` to `to`, both included.
struct SweepAxis {
  std::string option;
  double from = 0, to = 0;
  std::int64_t count = 1;
  bool is_geometric = false;  ///< Equal ratios rather than equal distances.

  /// As texts that options parse: whole numbers without a point, others with at most 12 digits, so
  /// that 0.1:0.5:5 holds 0.3.
  std::vector<std::string> values() const;

  static constexpr std::int64_t most_values = 64;
};

/// "sigma=1:8:4" or "sigma=1:8:4:log".
template <>
struct OptionText<SweepAxis> {
  static SweepAxis parse(std::string_view text);
  static std::string format(const SweepAxis& axis);
  static std::string syntax() { return "option=from:to:count or option=from:to:count:log"; }
};

}  // namespace meander
