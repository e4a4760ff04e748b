// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "meander/options.hpp"
#include "meander/smooth.hpp"

namespace meander::app {

/// One option of a verb with its type forgotten: what flags, help, man page, completion and the
/// report are made from.
struct OptionEntry {
  std::string name, unit, help, syntax, initial;
  double min = 0, max = 0;
  bool is_flag = false;
  bool is_number = false;
  bool takes_number = false;   ///< One plain number is a value of it.
  bool is_text = false;        ///< Any text is a value of it: names of files.
  bool is_repeatable = false;  ///< Given again it adds to a list.
  bool given = false;          ///< Whether the command line named it.
  std::string said;            ///< With this text; empty for a flag.
  std::vector<std::string> choices;
  std::function<void(const std::string&)>
      set;                           ///< Throws InvalidArgument without the option's name.
  std::function<std::string()> get;  ///< The value now, as text.
  std::function<void()> check;       ///< Throws InvalidArgument for a value out of its range.
};

/// Names to choose from, for an enumeration or an optional one.
template <class T>
std::vector<std::string> choices_of(const T*) {
  std::vector<std::string> names;
  if constexpr (std::is_enum_v<T>) {
    for (const auto& [value, name] : ChoiceNames<T>::values) names.emplace_back(name);
  }
  return names;
}
template <class T>
std::vector<std::string> choices_of(const std::optional<T>*) {
  return choices_of(static_cast<const T*>(nullptr));
}

template <class T>
struct IsNumber : std::bool_constant<std::is_arithmetic_v<T> && !std::is_same_v<T, bool>> {};
template <class T>
struct IsNumber<std::optional<T>> : IsNumber<T> {};

/// Those that are not numbers themselves but may be said by one.
template <class T>
struct TakesNumber : IsNumber<T> {};
template <class T>
struct TakesNumber<std::optional<T>> : TakesNumber<T> {};
template <>
struct TakesNumber<Scale> : std::true_type {};
template <>
struct TakesNumber<std::array<int, 3>> : std::true_type {};

template <class T>
struct IsList : std::false_type {};
template <class T>
struct IsList<std::vector<T>> : std::true_type {};

/// The visitor that makes the entries; they refer to the visited struct, which must outlive them.
class EntryCollector {
 public:
  template <class T>
  void operator()(T& value, const OptionInfo& info) {
    OptionEntry entry{.name = std::string(info.name),
                      .unit = std::string(info.unit),
                      .help = std::string(info.help),
                      .syntax = OptionText<T>::syntax(),
                      .initial = OptionText<T>::format(value),
                      .min = info.min,
                      .max = info.max,
                      .is_flag = std::is_same_v<T, bool>,
                      .is_number = IsNumber<T>::value,
                      .takes_number = TakesNumber<T>::value,
                      .is_text = std::is_same_v<T, std::string>,
                      .is_repeatable = IsList<T>::value,
                      .choices = choices_of(static_cast<const T*>(nullptr))};
    entry.set = [&value](const std::string& text) { value = OptionText<T>::parse(text); };
    entry.get = [&value] { return OptionText<T>::format(value); };
    entry.check = [&value, name = entry.name, min = info.min, max = info.max] {
      detail::check_range(value, {.name = name, .min = min, .max = max, .help = {}});
    };
    entries.push_back(std::move(entry));
  }

  std::vector<OptionEntry> entries;
};

/// The options of several structs, one after the other.
template <class... Options>
std::vector<OptionEntry> entries_of(Options&... options) {
  EntryCollector collector;
  (options.describe(collector), ...);
  return std::move(collector.entries);
}

}  // namespace meander::app
