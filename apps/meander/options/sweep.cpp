// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "options/sweep.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace meander {
namespace {

std::string text_of(double value) {
  const bool is_whole = std::trunc(value) == value && std::abs(value) < 0x1p53;
  return is_whole ? fmt::format("{:.0f}", value) : fmt::format("{:.12g}", value);
}

/// The parts between colons, at most five.
std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  while (parts.size() < 5) {
    const auto colon = text.find(':');
    parts.push_back(text.substr(0, colon));
    if (colon == std::string_view::npos) break;
    text.remove_prefix(colon + 1);
  }
  return parts;
}

void check(const SweepAxis& axis, std::string_view text) {
  if (axis.count < 1 || axis.count > SweepAxis::most_values) {
    detail::refuse_text(text, fmt::format("a count from 1 to {}", SweepAxis::most_values));
  }
  if (!std::isfinite(axis.from) || !std::isfinite(axis.to)) {
    detail::refuse_text(text, "finite numbers");
  }
  if ((axis.count == 1) != (axis.from == axis.to)) {
    detail::refuse_text(text, "from and to that differ, or are one number with count 1");
  }
  if (axis.is_geometric && !(axis.from > 0 && axis.to > 0)) {
    detail::refuse_text(text, "numbers above 0 for equal ratios");
  }
}

}  // namespace

std::vector<std::string> SweepAxis::values() const {
  std::vector<std::string> texts;
  for (std::int64_t i = 0; i + 1 < count; ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(count - 1);
    texts.push_back(
        text_of(is_geometric ? from * std::pow(to / from, part) : from + (to - from) * part));
  }
  texts.push_back(text_of(to));
  return texts;
}

SweepAxis OptionText<SweepAxis>::parse(std::string_view text) {
  const auto equals = text.find('=');
  const auto refuse = [&] { detail::refuse_text(text, syntax()); };
  if (equals == std::string_view::npos || equals == 0) refuse();
  const auto parts = parts_of(text.substr(equals + 1));
  const bool is_geometric = parts.size() == 4 && parts[3] == "log";
  if (parts.size() != 3 && !is_geometric) refuse();
  SweepAxis axis{.option = std::string(text.substr(0, equals)), .is_geometric = is_geometric};
  try {
    axis.from = OptionText<double>::parse(parts[0]);
    axis.to = OptionText<double>::parse(parts[1]);
    axis.count = OptionText<std::int64_t>::parse(parts[2]);
  } catch (const InvalidArgument&) {
    refuse();
  }
  check(axis, text);
  return axis;
}

std::string OptionText<SweepAxis>::format(const SweepAxis& axis) {
  return fmt::format("{}={}:{}:{}{}", axis.option, OptionText<double>::format(axis.from),
                     OptionText<double>::format(axis.to), axis.count,
                     axis.is_geometric ? ":log" : "");
}

}  // namespace meander
