// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <utility>

#include "meander/options.hpp"

namespace meander {

/// How a line a b c d goes on beyond its ends.
enum class Border : std::uint8_t {
  clamp,     ///< a a a | a b c d | d d d
  constant,  ///< v v v | a b c d | v v v
  reflect,   ///< c b a | a b c d | d c b   (half-sample symmetric)
  mirror,    ///< d c b | a b c d | c b a   (whole-sample symmetric)
  periodic   ///< b c d | a b c d | a b c
};

/// A border with the value that `constant` needs. In text: "clamp", "zero", "constant=V",
/// "reflect", "mirror", "periodic"; zero is the constant 0.
struct BorderRule {
  Border kind = Border::clamp;  ///< How it goes on.
  double value = 0;             ///< Of `constant`, in the image's own units.
  friend bool operator==(const BorderRule&, const BorderRule&) = default;
};

template <>
struct OptionText<BorderRule> {
  static BorderRule parse(std::string_view text);
  static std::string format(const BorderRule& value);
  static std::string syntax() { return "clamp, zero, constant=V, reflect, mirror, periodic"; }
};

}  // namespace meander
