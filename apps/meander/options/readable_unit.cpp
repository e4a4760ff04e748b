// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "options/readable_unit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "meander/options.hpp"

namespace meander::app {
namespace {

/// Objects have a hundred to a million pixels: their areas are then some 0.01 to 1e8 squares of the
/// unit, and a line of six digits tells most of them without a power of ten.
constexpr double least_side = 0.01, most_side = 20;

double side_of(const Spacing& spacing) { return std::min(spacing.x, spacing.y); }

}  // namespace

Spacing in_unit(const Spacing& spacing, Unit unit) {
  if (spacing.unit == unit) return spacing;
  const double factor = metres_per(spacing.unit) / metres_per(unit);
  // To 15 digits, so that 0.0003 cm is 3 um and not 2.9999999999999996.
  const auto converted = [&](double length) {
    return OptionText<double>::parse(fmt::format("{:.15g}", length * factor));
  };
  return {converted(spacing.x), converted(spacing.y), converted(spacing.z), unit};
}

Spacing readable(const Spacing& spacing) {
  if (spacing.unit == Unit::pixel) return spacing;
  if (side_of(spacing) >= least_side && side_of(spacing) < most_side) return spacing;
  for (const Unit unit : {Unit::metre, Unit::millimetre, Unit::micrometre}) {
    const Spacing found = in_unit(spacing, unit);
    if (side_of(found) >= least_side) return found;
  }
  return in_unit(spacing, Unit::nanometre);
}

}  // namespace meander::app
