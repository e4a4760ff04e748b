// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/phantom.hpp"

namespace meander {
namespace {

constexpr std::string_view variance_prefix = "variance=";

}  // namespace

Noise OptionText<Noise>::parse(std::string_view text) {
  if (text.starts_with(variance_prefix)) {
    return {NoiseFamily::variance, OptionText<double>::parse(text.substr(variance_prefix.size()))};
  }
  for (const auto& [family, name] : ChoiceNames<NoiseFamily>::values) {
    if (name == text && family != NoiseFamily::variance) return {family};
  }
  detail::refuse_text(text, syntax());
}

std::string OptionText<Noise>::format(const Noise& value) {
  if (value.family != NoiseFamily::variance) return OptionText<NoiseFamily>::format(value.family);
  return std::string(variance_prefix) + OptionText<double>::format(value.sigma_ratio);
}

std::string OptionText<Noise>::syntax() { return OptionText<NoiseFamily>::syntax() + "=R"; }

}  // namespace meander
