// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <utility>

#include "meander/io.hpp"
#include "meander/options.hpp"

namespace meander {

template <>
struct ChoiceNames<io::Grey> {
  static constexpr std::pair<io::Grey, std::string_view> values[] = {
      {io::Grey::luminance, "luminance"}, {io::Grey::red, "red"}, {io::Grey::green, "green"},
      {io::Grey::blue, "blue"},           {io::Grey::max, "max"}, {io::Grey::mean, "mean"}};
};

}  // namespace meander
