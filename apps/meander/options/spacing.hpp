// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "meander/options.hpp"

/// The size of a pixel as --spacing gives it.
namespace meander {

template <>
struct OptionText<Spacing> {
  static Spacing parse(std::string_view text);
  static std::string format(const Spacing& spacing);
  static std::string syntax() {
    return "X, X,Y or X,Y,Z above 0 with a unit (nm, um, mm, cm, m, pixel) after the first at "
           "least";
  }
};

}  // namespace meander
