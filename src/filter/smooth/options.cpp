// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <optional>

#include "core/number_text.hpp"
#include "meander/smooth.hpp"

namespace meander {
namespace {

/// One number for all axes, or two or three with commas between them; the third is 0 when absent.
template <class T>
std::optional<std::array<T, 3>> numbers_of_axes(std::string_view text) {
  std::array<T, 3> numbers{};
  std::size_t count = 0;
  while (count < numbers.size()) {
    const auto comma = text.find(',');
    const auto number = number_in<T>(text.substr(0, comma));
    if (!number) return std::nullopt;
    numbers[count++] = *number;
    if (comma == std::string_view::npos) {
      if (count == 1) numbers.fill(numbers[0]);
      return numbers;
    }
    text.remove_prefix(comma + 1);
  }
  return std::nullopt;
}

/// One when all are equal.
template <class T>
std::string text_of_axes(const std::array<T, 3>& numbers, std::string (*format)(T)) {
  const std::string first = format(numbers[0]);
  if (numbers[1] == numbers[0] && numbers[2] == numbers[0]) return first;
  return first + "," + format(numbers[1]) + "," + format(numbers[2]);
}

}  // namespace

Scale OptionText<Scale>::parse(std::string_view text) {
  Scale scale;
  // First as a whole, so that `inf` and `nan` are numbers out of range and not units.
  auto numbers = numbers_of_axes<double>(text);
  if (!numbers) {
    const auto digits = text.find_last_of("0123456789.") + 1;
    const auto unit = unit_named(text.substr(digits));
    numbers = numbers_of_axes<double>(text.substr(0, digits));
    if (!unit || !numbers) detail::refuse_text(text, syntax());
    scale.unit = *unit;
  }
  scale.value = *numbers;
  return scale;
}

std::string OptionText<Scale>::format(const Scale& value) {
  const std::string numbers = text_of_axes(value.value, OptionText<double>::format);
  return value.unit == Unit::pixel ? numbers : numbers + std::string(name_of(value.unit));
}

std::array<int, 3> OptionText<std::array<int, 3>>::parse(std::string_view text) {
  const auto numbers = numbers_of_axes<int>(text);
  if (!numbers) detail::refuse_text(text, syntax());
  return *numbers;
}

std::string OptionText<std::array<int, 3>>::format(const std::array<int, 3>& value) {
  return text_of_axes<int>(value, [](int number) { return std::to_string(number); });
}

}  // namespace meander
