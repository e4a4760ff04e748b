// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "meander/image.hpp"

/// Options that describe themselves. A struct of options has
///
///     template <class Visitor> void describe(Visitor& v) {
///       v(seed, {.name = "seed", .help = "…"});
///       v(looks, {.name = "looks", .min = 1, .max = 1000, .help = "…"});
///     }
///
/// and everything else is a visitor: range checks (`validate`), command-line flags, reports, man
/// page, completion, tables in the docs. A default is the value in a default-constructed struct.
namespace meander {

/// What an option says of itself.
struct OptionInfo {
  std::string_view name;       ///< As on the command line, without dashes.
  std::string_view unit = {};  ///< "pixels", "bytes", …; empty when the value has none.
  double min = -std::numeric_limits<double>::infinity();  ///< Inclusive; each number of a list.
  double max = std::numeric_limits<double>::infinity();   ///< Inclusive.
  std::string_view help;  ///< One sentence, lower case, no full stop.
};

/// Names of an enumeration's values; specialise with `static constexpr std::pair<E,
/// std::string_view> values[]`, the default's place does not matter.
template <class E>
struct ChoiceNames;

/// Text form of an option's value: `parse` throws InvalidArgument("found 'x', expected …") and is
/// the inverse of `format`; `syntax` says in a word or two what is expected.
template <class T>
struct OptionText;

template <>
struct OptionText<bool> {
  static bool parse(std::string_view text);
  static std::string format(bool value) { return value ? "true" : "false"; }
  static std::string syntax() { return "true or false"; }
};
template <>
struct OptionText<double> {
  static double parse(std::string_view text);
  static std::string format(double value);  ///< Shortest text that parses to the same value.
  static std::string syntax() { return "number"; }
};
template <>
struct OptionText<std::int64_t> {
  static std::int64_t parse(std::string_view text);
  static std::string format(std::int64_t value) { return std::to_string(value); }
  static std::string syntax() { return "integer"; }
};
template <>
struct OptionText<std::uint64_t> {
  static std::uint64_t parse(std::string_view text);
  static std::string format(std::uint64_t value) { return std::to_string(value); }
  static std::string syntax() { return "integer"; }
};
template <>
struct OptionText<std::string> {
  static std::string parse(std::string_view text) { return std::string(text); }
  static std::string format(const std::string& value) { return value; }
  static std::string syntax() { return "text"; }
};
template <>
struct OptionText<Shape> {
  static Shape parse(std::string_view text);
  static std::string format(const Shape& value) { return to_string(value); }
  static std::string syntax() { return "WxH or WxHxD"; }
};
template <>
struct OptionText<std::array<double, 2>> {
  static std::array<double, 2> parse(std::string_view text);
  static std::string format(const std::array<double, 2>& value);
  static std::string syntax() { return "A,B"; }
};
/// Bytes with an optional suffix K, M, G or T (powers of 1024): "2G", "1.5G", "300000".
struct ByteCount {
  std::uint64_t value = 0;  ///< Bytes.
  friend bool operator==(ByteCount, ByteCount) = default;
};
template <>
struct OptionText<ByteCount> {
  static ByteCount parse(std::string_view text);
  static std::string format(ByteCount value);
  static std::string syntax() { return "as 300000, 512M or 2G"; }
};

template <>
struct ChoiceNames<PixelType> {
  static constexpr std::pair<PixelType, std::string_view> values[] = {
      {PixelType::u8, "u8"},   {PixelType::u16, "u16"}, {PixelType::i16, "i16"},
      {PixelType::f16, "f16"}, {PixelType::f32, "f32"}, {PixelType::f64, "f64"}};
};

namespace detail {
[[noreturn]] void refuse_text(std::string_view found, std::string_view expected);
[[noreturn]] void refuse_number(const OptionInfo& info, double found);
}  // namespace detail

template <class E>
requires std::is_enum_v<E>
struct OptionText<E> {
  static E parse(std::string_view text) {
    for (const auto& [value, name] : ChoiceNames<E>::values) {
      if (name == text) return value;
    }
    detail::refuse_text(text, syntax());
  }
  static std::string format(E value) {
    for (const auto& [candidate, name] : ChoiceNames<E>::values) {
      if (candidate == value) return std::string(name);
    }
    throw LogicError("an option holds a value outside its enumeration");
  }
  static std::string syntax() {
    std::string all;
    for (const auto& [value, name] : ChoiceNames<E>::values) {
      all += (all.empty() ? "" : ", ") + std::string(name);
    }
    return all;
  }
};

/// An option without a default: empty text stands for "not given".
template <class T>
struct OptionText<std::optional<T>> {
  static std::optional<T> parse(std::string_view text) {
    return text.empty() ? std::nullopt : std::optional<T>(OptionText<T>::parse(text));
  }
  static std::string format(const std::optional<T>& value) {
    return value ? OptionText<T>::format(*value) : std::string();
  }
  static std::string syntax() { return OptionText<T>::syntax(); }
};

namespace detail {

/// NaN is outside every range.
template <class T>
void check_range(const T& value, const OptionInfo& info) {
  if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
    const auto number = static_cast<double>(value);
    if (!(number >= info.min && number <= info.max)) refuse_number(info, number);
  } else if constexpr (std::is_same_v<T, Shape>) {
    for (const auto extent : {value.x, value.y, value.z}) check_range(extent, info);
  }
}
template <class T, std::size_t N>
void check_range(const std::array<T, N>& value, const OptionInfo& info) {
  for (const T& number : value) check_range(number, info);
}
template <class T>
void check_range(const std::optional<T>& value, const OptionInfo& info) {
  if (value) check_range(*value, info);
}

struct RangeChecker {
  template <class T>
  void operator()(const T& value, const OptionInfo& info) const {
    check_range(value, info);
  }
};

}  // namespace detail

/// Throws InvalidArgument naming the first option that is out of its range, the value and the
/// range.
template <class Options>
void validate(Options options) {
  detail::RangeChecker checker;
  options.describe(checker);
}

}  // namespace meander
