// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cmath>
#include <string>

#include "meander/options.hpp"
#include "meander/outline.hpp"

/// Numbers of outlines as text.
namespace meander {

/// A multiple of 1/256 as a decimal: 1/256 is 0.00390625.
inline std::string decimal(std::int64_t grid) {
  const std::int64_t magnitude = grid < 0 ? -grid : grid;
  std::string text = (grid < 0 ? "-" : "") + std::to_string(magnitude / grid_steps_per_pixel);
  const std::int64_t rest = magnitude % grid_steps_per_pixel;
  if (rest == 0) return text;
  std::string digits = std::to_string(100000000 + rest * 390625);
  digits.erase(digits.find_last_not_of('0') + 1);
  return text + "." + digits.substr(1);
}

/// The shortest text that comes back as the same number.
inline std::string shortest(double value) { return OptionText<double>::format(value); }

/// JSON has no infinities and no NaN.
inline std::string json_number(double value) {
  return std::isfinite(value) ? shortest(value) : "null";
}

}  // namespace meander
