// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <system_error>

namespace meander {

/// The whole text as a number, or nothing. Knows no locale, no spaces and no leading plus.
template <class T>
std::optional<T> number_in(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Two finite numbers, the first smaller.
inline std::optional<std::array<double, 2>> rising_pair(std::string_view text) {
  const auto comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto low = number_in<double>(text.substr(0, comma));
  const auto high = number_in<double>(text.substr(comma + 1));
  if (!low || !high || !std::isfinite(*low) || !std::isfinite(*high) || !(*low < *high))
    return std::nullopt;
  return std::array{*low, *high};
}

}  // namespace meander
