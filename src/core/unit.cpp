// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <utility>

#include "meander/image.hpp"

namespace meander {

std::string_view name_of(Unit unit) {
  constexpr std::string_view names[] = {"px", "nm", "um", "mm", "cm", "m"};
  return names[static_cast<std::size_t>(unit)];
}

std::optional<Unit> unit_named(std::string_view name) {
  // ImageJ writes "micron" or "\u00B5m" with the escape spelt out; OME writes either of the two mu.
  constexpr std::pair<std::string_view, Unit> spellings[] = {{"px", Unit::pixel},
                                                             {"pixel", Unit::pixel},
                                                             {"pixels", Unit::pixel},
                                                             {"nm", Unit::nanometre},
                                                             {"nanometer", Unit::nanometre},
                                                             {"um", Unit::micrometre},
                                                             {"\u00b5m", Unit::micrometre},
                                                             {"\u03bcm", Unit::micrometre},
                                                             {"\\u00B5m", Unit::micrometre},
                                                             {"micron", Unit::micrometre},
                                                             {"microns", Unit::micrometre},
                                                             {"micrometer", Unit::micrometre},
                                                             {"mm", Unit::millimetre},
                                                             {"millimeter", Unit::millimetre},
                                                             {"cm", Unit::centimetre},
                                                             {"centimeter", Unit::centimetre},
                                                             {"m", Unit::metre},
                                                             {"meter", Unit::metre}};
  for (const auto& [spelling, unit] : spellings) {
    if (spelling == name) return unit;
  }
  return std::nullopt;
}

double metres_per(Unit unit) {
  constexpr double metres[] = {0, 1e-9, 1e-6, 1e-3, 1e-2, 1};
  return metres[static_cast<std::size_t>(unit)];
}

}  // namespace meander
