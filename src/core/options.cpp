// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/options.hpp"

#include <charconv>
#include <cmath>

#include "core/message.hpp"
#include "core/number_text.hpp"

namespace meander {
namespace {

template <class T>
T parse_number(std::string_view text, std::string_view expected) {
  const auto value = number_in<T>(text);
  if (!value) detail::refuse_text(text, expected);
  return *value;
}

std::string shortest(double value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return error == std::errc() ? std::string(buffer, end) : std::string("nan");
}

/// Whole numbers without an exponent, as people write them.
std::string readable(double value) {
  constexpr double exact = 0x1p53;
  const bool is_whole = std::abs(value) < exact && value == std::floor(value);
  return is_whole ? std::to_string(static_cast<std::int64_t>(value)) : shortest(value);
}

std::string range_text(const OptionInfo& info) {
  if (std::isinf(info.max)) return "at least " + readable(info.min);
  if (std::isinf(info.min)) return "at most " + readable(info.max);
  return readable(info.min) + " to " + readable(info.max);
}

}  // namespace

namespace detail {

void refuse_text(std::string_view found, std::string_view expected) {
  throw InvalidArgument(message("found '", found, "', expected ", expected));
}

void refuse_number(const OptionInfo& info, double found) {
  throw InvalidArgument(message(info.name, " is ", readable(found), ", expected ", range_text(info),
                                info.unit.empty() ? "" : " ", info.unit),
                        {.option = std::string(info.name)});
}

}  // namespace detail

bool OptionText<bool>::parse(std::string_view text) {
  if (text == "true" || text == "false") return text == "true";
  detail::refuse_text(text, syntax());
}

double OptionText<double>::parse(std::string_view text) {
  return parse_number<double>(text, "a number");
}
std::string OptionText<double>::format(double value) { return shortest(value); }

std::int64_t OptionText<std::int64_t>::parse(std::string_view text) {
  return parse_number<std::int64_t>(text, "an integer");
}

std::uint64_t OptionText<std::uint64_t>::parse(std::string_view text) {
  return parse_number<std::uint64_t>(text, "an integer of 0 or more");
}

Shape OptionText<Shape>::parse(std::string_view text) {
  std::int64_t extents[3] = {1, 1, 1};
  int count = 0;
  std::string_view rest = text;
  while (count < 3) {
    const auto cut = rest.find('x');
    const auto extent = number_in<std::int64_t>(rest.substr(0, cut));
    if (!extent) break;
    extents[count++] = *extent;
    if (cut == std::string_view::npos) {
      if (count < 2) break;
      return {extents[0], extents[1], extents[2]};
    }
    rest.remove_prefix(cut + 1);
  }
  detail::refuse_text(text, "a size as 512x512 or 512x512x128");
}

std::array<double, 2> OptionText<std::array<double, 2>>::parse(std::string_view text) {
  const auto comma = text.find(',');
  if (comma != std::string_view::npos) {
    const auto first = number_in<double>(text.substr(0, comma));
    const auto second = number_in<double>(text.substr(comma + 1));
    if (first && second) return {*first, *second};
  }
  detail::refuse_text(text, "two numbers with a comma between them");
}

std::string OptionText<std::array<double, 2>>::format(const std::array<double, 2>& value) {
  return shortest(value[0]) + "," + shortest(value[1]);
}

ByteCount OptionText<ByteCount>::parse(std::string_view text) {
  constexpr std::string_view suffixes = "KMGT";
  double scale = 1;
  std::string_view digits = text;
  if (!text.empty()) {
    const auto place = suffixes.find(text.back());
    if (place != std::string_view::npos) {
      scale = std::ldexp(1.0, 10 * (static_cast<int>(place) + 1));
      digits.remove_suffix(1);
    }
  }
  const auto number = number_in<double>(digits);
  if (!number || !(*number * scale >= 1) || *number * scale > 0x1p62)
    detail::refuse_text(text, "bytes " + syntax());
  return {static_cast<std::uint64_t>(*number * scale)};
}

std::string OptionText<ByteCount>::format(ByteCount value) {
  constexpr std::string_view suffixes = " KMGT";
  std::uint64_t number = value.value;
  std::size_t place = 0;
  while (number != 0 && number % 1024 == 0 && place + 1 < suffixes.size()) {
    number /= 1024;
    ++place;
  }
  return std::to_string(number) + (place == 0 ? "" : std::string(1, suffixes[place]));
}

}  // namespace meander
