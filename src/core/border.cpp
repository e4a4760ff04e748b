// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/border.hpp"

#include <cmath>

#include "core/number_text.hpp"

namespace meander {
namespace {

constexpr std::string_view constant_prefix = "constant=";

constexpr std::pair<Border, std::string_view> names[] = {{Border::clamp, "clamp"},
                                                         {Border::reflect, "reflect"},
                                                         {Border::mirror, "mirror"},
                                                         {Border::periodic, "periodic"}};

}  // namespace

BorderRule OptionText<BorderRule>::parse(std::string_view text) {
  for (const auto& [kind, name] : names) {
    if (text == name) return {.kind = kind};
  }
  if (text == "zero") return {.kind = Border::constant};
  if (text.starts_with(constant_prefix)) {
    const auto value = number_in<double>(text.substr(constant_prefix.size()));
    if (value && std::isfinite(*value)) return {.kind = Border::constant, .value = *value};
  }
  detail::refuse_text(text, syntax());
}

std::string OptionText<BorderRule>::format(const BorderRule& value) {
  for (const auto& [kind, name] : names) {
    if (value.kind == kind) return std::string(name);
  }
  if (value.value == 0) return "zero";
  return std::string(constant_prefix) + OptionText<double>::format(value.value);
}

}  // namespace meander
