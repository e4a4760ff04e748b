// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <limits>
#include <optional>

#include "meander/options.hpp"

/// The frames of a film that --frame names.
namespace meander {

struct FrameChoice {
  std::int64_t first = 0;
  std::optional<std::int64_t> end;  ///< Not included; none means all that follow.
};

template <>
struct OptionText<FrameChoice> {
  static FrameChoice parse(std::string_view text) {
    const auto refuse = [&] { detail::refuse_text(text, syntax()); };
    if (text == "all") return {};
    FrameChoice choice;
    try {
      const auto colon = text.find(':');
      choice.first = OptionText<std::int64_t>::parse(text.substr(0, colon));
      choice.end = colon == std::string_view::npos
                       ? choice.first
                       : OptionText<std::int64_t>::parse(text.substr(colon + 1));
      const bool is_one = colon == std::string_view::npos;
      if (is_one && choice.first < std::numeric_limits<std::int64_t>::max()) ++*choice.end;
    } catch (const InvalidArgument&) {
      refuse();
    }
    if (choice.first < 0 || *choice.end <= choice.first) refuse();
    return choice;
  }
  static std::string format(const FrameChoice& choice) {
    if (!choice.end) return "all";
    const std::string first = std::to_string(choice.first);
    return *choice.end == choice.first + 1 ? first : first + ":" + std::to_string(*choice.end);
  }
  static std::string syntax() {
    return "N, FIRST:END with 0 <= FIRST < END, END not included, or all";
  }
};

}  // namespace meander
