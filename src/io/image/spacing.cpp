// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "io/image/spacing.hpp"

#include <cmath>
#include <utility>

#include "core/number_text.hpp"
#include "meander/options.hpp"

namespace meander::io {
namespace {

std::string_view take_until_comma(std::string_view& rest) {
  const auto comma = rest.find(',');
  const std::string_view part = rest.substr(0, comma);
  rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
  return part;
}

}  // namespace

std::string exact_text(const Spacing& spacing) {
  std::string text;
  for (const double step : {spacing.x, spacing.y, spacing.z}) {
    text += OptionText<double>::format(step) + ",";
  }
  return text + std::string(name_of(spacing.unit));
}

std::optional<Spacing> spacing_in(std::string_view text) {
  const auto x = positive_number(take_until_comma(text));
  const auto y = positive_number(take_until_comma(text));
  const auto z = positive_number(take_until_comma(text));
  const auto unit = unit_named(text);
  if (!x || !y || !z || !unit) return std::nullopt;
  return Spacing{*x, *y, *z, *unit};
}

void set_spacing(Description& image, const Spacing& spacing) {
  const Spacing before = std::exchange(image.spacing, spacing);
  if (!image.placement) return;
  const double old_unit = metres_per(before.unit), new_unit = metres_per(spacing.unit);
  const bool are_lengths = old_unit > 0 && new_unit > 0;
  const double ratio = are_lengths ? old_unit / new_unit : spacing.x / before.x;
  for (double& value : image.placement->origin) value *= ratio;
  const double steps[] = {spacing.x, spacing.y, spacing.z};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    auto& step = image.placement->step[axis];
    const double length = std::hypot(step[0], step[1], step[2]);
    for (double& value : step) value *= steps[axis] / length;
  }
}

std::string density_text(double x, double y, std::string_view per) {
  return OptionText<double>::format(x) + " x " + OptionText<double>::format(y) + " pixels per " +
         std::string(per);
}

std::optional<double> positive_number(std::string_view text) {
  const auto value = number_in<double>(text);
  return value && std::isfinite(*value) && *value > 0 ? value : std::nullopt;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  return number_in<std::int64_t>(text);
}

std::optional<Length> length_named(std::string_view name) {
  constexpr std::pair<std::string_view, Length> others[] = {
      {"inch", {Unit::millimetre, 25.4}},   {"in", {Unit::millimetre, 25.4}},
      {"\u00c5", {Unit::nanometre, 0.1}},   {"\u212b", {Unit::nanometre, 0.1}},
      {"angstrom", {Unit::nanometre, 0.1}}, {"pm", {Unit::nanometre, 1e-3}},
      {"\xb5m", {Unit::micrometre, 1}}};  // Latin-1, as old versions of ImageJ wrote it
  if (const auto unit = unit_named(name)) return Length{*unit, 1};
  for (const auto& [spelling, length] : others) {
    if (spelling == name) return length;
  }
  return std::nullopt;
}

std::optional<double> seconds_in(std::string_view text, std::string_view unit) {
  struct Known {
    std::string_view name;
    double factor, divisor;  // a division keeps 40 ms the number that 0.04 is
  };
  constexpr Known known[] = {
      {"s", 1, 1},         {"sec", 1, 1},       {"second", 1, 1}, {"seconds", 1, 1},
      {"ms", 1, 1e3},      {"msec", 1, 1e3},    {"us", 1, 1e6},   {"usec", 1, 1e6},
      {"\u00b5s", 1, 1e6}, {"\u03bcs", 1, 1e6}, {"ns", 1, 1e9},   {"min", 60, 1},
      {"minute", 60, 1},   {"minutes", 60, 1},  {"h", 3600, 1},   {"hr", 3600, 1},
      {"hour", 3600, 1},   {"hours", 3600, 1},  {"d", 86400, 1},  {"day", 86400, 1}};
  const auto number = positive_number(text);
  for (const Known& one : known) {
    if (!number || one.name != unit) continue;
    const double seconds = *number * one.factor / one.divisor;
    if (std::isfinite(seconds) && seconds > 0) return seconds;
  }
  return std::nullopt;
}

Rational nearest_rational(double value, std::uint32_t most) {
  if (!(value < most)) return {most, 1};
  if (!(value * most > 1)) return {1, most};
  // Convergents of the continued fraction until one has no room or nothing is left to express.
  std::uint64_t last_top = 0, last_bottom = 1, top = 1, bottom = 0;
  double rest = value;
  while (true) {
    const double whole = std::floor(rest);
    if (whole > most) break;
    const auto digit = static_cast<std::uint64_t>(whole);
    const std::uint64_t next_top = digit * top + last_top;
    const std::uint64_t next_bottom = digit * bottom + last_bottom;
    if (next_top > most || next_bottom > most) break;
    last_top = std::exchange(top, next_top);
    last_bottom = std::exchange(bottom, next_bottom);
    const auto found = static_cast<double>(top) / static_cast<double>(bottom);
    if (found == value || rest == whole) break;
    rest = 1 / (rest - whole);
  }
  if (top == 0) return {1, most};  // the first convergent of a number below one
  return {static_cast<std::uint32_t>(top), static_cast<std::uint32_t>(bottom)};
}

}  // namespace meander::io
