// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/sweep.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/message.hpp"

namespace meander {
namespace {

constexpr std::size_t most_columns = 8;

/// With so many digits, without those at the end that are 0; no locale changes the point.
std::string with_digits(double value, int digits) {
  char text[64];
  const auto [end, fault] =
      std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits);
  return {text, fault == std::errc() ? end : text};
}

std::string text_of(double value) {
  const bool is_whole = std::trunc(value) == value && std::abs(value) < 0x1p53;
  return is_whole ? std::to_string(static_cast<std::int64_t>(value)) : with_digits(value, 12);
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
    detail::refuse_text(text, message("a count from 1 to ", SweepAxis::most_values));
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
  return axis.option + "=" + OptionText<double>::format(axis.from) + ":" +
         OptionText<double>::format(axis.to) + ":" + std::to_string(axis.count) +
         (axis.is_geometric ? ":log" : "");
}

Sweep::Sweep(std::vector<SweepAxis> axes) : axes_(std::move(axes)) {
  const auto refuse = [](const std::string& text) {
    throw InvalidArgument("sweep: " + text, {.option = "sweep"});
  };
  if (axes_.empty() || axes_.size() > most_axes) {
    refuse(message("found ", axes_.size(), " options, expected ",
                   axes_.empty() ? "at least 1" : message("at most ", most_axes)));
  }
  for (const SweepAxis& axis : axes_) {
    if (std::ranges::count(axes_, axis.option, &SweepAxis::option) > 1) {
      refuse(axis.option + " is swept twice");
    }
    check(axis, OptionText<SweepAxis>::format(axis));
    values_.push_back(axis.values());
  }
  if (runs() > most_runs) refuse(message("found ", runs(), " runs, expected at most ", most_runs));
}

std::size_t Sweep::runs() const {
  std::size_t product = 1;
  for (const auto& values : values_) product *= values.size();
  return product;
}

std::size_t Sweep::columns() const {
  return values_.size() == 2 ? values_[1].size() : std::min(runs(), most_columns);
}

std::vector<std::string> Sweep::values(std::size_t run) const {
  if (run >= runs()) {
    throw InvalidArgument(message("run ", run, " of a sweep, expected 0 to ", runs() - 1));
  }
  if (values_.size() == 1) return {values_[0][run]};
  return {values_[0][run / values_[1].size()], values_[1][run % values_[1].size()]};
}

std::string Sweep::label(std::size_t run) const {
  const auto now = values(run);
  std::string text;
  for (std::size_t i = 0; i < now.size(); ++i) {
    text += (i == 0 ? "" : " ") + axes_[i].option + "=" +
            with_digits(OptionText<double>::parse(now[i]), 6);
  }
  return text;
}

void detail::refuse_swept(const std::string& option, const std::string& value,
                          const std::string& why) {
  throw InvalidArgument("sweep: " + option + "=" + value + ": " + why, {.option = option});
}

}  // namespace meander
