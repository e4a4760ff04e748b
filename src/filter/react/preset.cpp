// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <set>

#include "core/message.hpp"
#include "filter/react/presets.hpp"
#include "meander/react.hpp"

namespace meander {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

template <class T>
T completed(T value, const T& /*others*/) {
  return value;
}

/// Sets the option of one name from text, and remembers all names on its way.
struct OptionSetter {
  std::string_view name, text;
  bool found = false;
  std::string names = {};

  template <class T>
  void operator()(T& value, const OptionInfo& info) {
    names += (names.empty() ? "" : ", ") + std::string(info.name);
    if (info.name != name) return;
    found = true;
    value = completed(OptionText<T>::parse(text), value);
    detail::RangeChecker{}(value, info);
  }
};

void set_option(ReactOptions& options, std::string_view line, std::set<std::string_view>& seen) {
  const auto equals = line.find('=');
  if (equals == std::string_view::npos) detail::refuse_text(line, "a line 'option = value'");
  OptionSetter setter{.name = trimmed(line.substr(0, equals)),
                      .text = trimmed(line.substr(equals + 1))};
  options.describe(setter);
  if (!setter.found) detail::refuse_text(setter.name, "one of " + setter.names);
  if (!seen.insert(setter.name).second) detail::refuse_text(setter.name, "each option once");
}

}  // namespace

ReactOptions parse_react_preset(std::string_view text, std::string_view source) {
  ReactOptions options;
  std::set<std::string_view> seen;
  for (int number = 1; !text.empty(); ++number) {
    const auto end = text.find('\n');
    const std::string_view whole = text.substr(0, end);
    const std::string_view line = trimmed(whole.substr(0, whole.find('#')));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.empty()) continue;
    try {
      set_option(options, line, seen);
    } catch (const InvalidArgument& failure) {
      throw InvalidArgument(message(source, ", line ", number, ": ", failure.what()),
                            {.path = std::string(source), .option = failure.about.option});
    }
  }
  return options;
}

std::vector<std::string> react_preset_names() {
  std::vector<std::string> names;
  for (const auto& [name, text] : react_preset_texts) names.emplace_back(name);
  return names;
}

ReactOptions react_preset(std::string_view name) {
  std::string names;
  for (const auto& [known, text] : react_preset_texts) {
    if (known == name) return parse_react_preset(text, message("preset ", name));
    names += (names.empty() ? "" : ", ") + std::string(known);
  }
  throw InvalidArgument(message("preset is '", name, "', expected one of ", names),
                        {.option = "preset"});
}

}  // namespace meander
