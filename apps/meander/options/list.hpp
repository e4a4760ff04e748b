// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <vector>

#include "meander/options.hpp"

/// Options that take a list, with commas between its members.
namespace meander {

template <class T>
struct OptionText<std::vector<T>> {
  static std::vector<T> parse(std::string_view text) {
    std::vector<T> values;
    for (;;) {
      const auto comma = text.find(',');
      values.push_back(OptionText<T>::parse(text.substr(0, comma)));
      if (comma == std::string_view::npos) return values;
      text.remove_prefix(comma + 1);
    }
  }
  static std::string format(const std::vector<T>& values) {
    std::string text;
    for (const T& value : values) text += (text.empty() ? "" : ",") + OptionText<T>::format(value);
    return text;
  }
  static std::string syntax() { return "a list of: " + OptionText<T>::syntax(); }
};

/// Found by argument-dependent lookup from `validate`.
template <class T>
void check_range(const std::vector<T>& values, const OptionInfo& info) {
  for (const T& value : values) detail::check_range(value, info);
}

}  // namespace meander
