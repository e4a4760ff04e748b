// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "meander/image.hpp"

/// Spacing as files write it.
namespace meander::io {

/// Under this name a file keeps the exact spacing beside what its format can express.
inline constexpr std::string_view exact_spacing_key = "meander_spacing";

/// "x,y,z,unit" with the shortest digits that read back as the same numbers.
std::string exact_text(const Spacing& spacing);
/// Nothing when the text is not of that form or a number is not positive and finite.
std::optional<Spacing> spacing_in(std::string_view text);

/// Gives an image pixels of another size. Its placement keeps its directions and, as a length, its
/// origin; where one of the units is the pixel, the origin stays as many pixels along x away.
void set_spacing(Description& image, const Spacing& spacing);

/// A density for printers, in words.
std::string density_text(double x, double y, std::string_view per);

/// A positive finite number and nothing else, or nothing.
std::optional<double> positive_number(std::string_view text);
std::optional<std::int64_t> whole_number(std::string_view text);

/// A unit as a file names it: the one of ours it is measured in, and how many of those it is.
struct Length {
  Unit unit = Unit::pixel;
  double factor = 1;
};
/// Knows inch, angstrom and picometre beside the names of unit_named; others are nothing.
std::optional<Length> length_named(std::string_view name);

/// A duration in the unit that a file names (s, ms, min, h and the like, in the spellings of ImageJ
/// and OME) as seconds; nothing when the unit is not known or the text is no positive number.
std::optional<double> seconds_in(std::string_view text, std::string_view unit);

struct Rational {
  std::uint32_t numerator = 1;
  std::uint32_t denominator = 1;
  friend bool operator==(const Rational&, const Rational&) = default;
};
/// The best approximation of a positive number with neither part above `most`; parts are at
/// least 1.
Rational nearest_rational(double value, std::uint32_t most);

}  // namespace meander::io
