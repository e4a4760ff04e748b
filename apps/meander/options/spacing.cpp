// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "options/spacing.hpp"

#include <cmath>
#include <optional>
#include <vector>

#include "options/readable_unit.hpp"

namespace meander {
namespace {

struct Side {
  double length = 0;
  std::optional<Unit> unit;
};

/// A number and what follows it.
Side side_in(std::string_view text) {
  const auto digits = text.find_last_of("0123456789.") + 1;
  Side side{.length = OptionText<double>::parse(text.substr(0, digits))};
  if (digits == text.size()) return side;
  side.unit = unit_named(text.substr(digits));
  if (!side.unit) throw InvalidArgument("no unit");
  return side;
}

/// In the unit of the first side, which a side without its own has.
double length_in(const Side& side, Unit unit) {
  if (!side.unit || side.unit == unit) return side.length;
  if (unit == Unit::pixel || side.unit == Unit::pixel) throw InvalidArgument("mixed units");
  return app::in_unit({.x = side.length, .unit = *side.unit}, unit).x;
}

bool is_size(double length) { return std::isfinite(length) && length > 0; }

}  // namespace

Spacing OptionText<Spacing>::parse(std::string_view text) {
  const std::string_view whole = text;
  std::vector<Side> sides;
  try {
    while (sides.size() < 4) {
      const auto comma = text.find(',');
      sides.push_back(side_in(text.substr(0, comma)));
      if (comma == std::string_view::npos) break;
      text.remove_prefix(comma + 1);
    }
    if (sides.size() > 3 || !sides[0].unit) throw InvalidArgument("no spacing");
    Spacing spacing{.unit = *sides[0].unit};
    spacing.x = spacing.y = spacing.z = sides[0].length;
    if (sides.size() > 1) spacing.y = length_in(sides[1], spacing.unit);
    if (sides.size() > 2) spacing.z = length_in(sides[2], spacing.unit);
    if (is_size(spacing.x) && is_size(spacing.y) && is_size(spacing.z)) return spacing;
  } catch (const InvalidArgument&) {  // all of it is told below
  }
  detail::refuse_text(whole, syntax());
}

std::string OptionText<Spacing>::format(const Spacing& spacing) {
  const auto number = OptionText<double>::format;
  return number(spacing.x) + std::string(name_of(spacing.unit)) + "," + number(spacing.y) + "," +
         number(spacing.z);
}

}  // namespace meander
