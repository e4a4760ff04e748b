// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "meander/image.hpp"

namespace meander::io {

/// PNG's pHYs chunk: pixels per metre, or only a ratio of the two when the unit is unknown.
struct PngDensity {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  bool per_metre = false;
  friend bool operator==(const PngDensity&, const PngDensity&) = default;
};

/// The chunk that comes nearest to a spacing; nothing for square pixels without a unit and for
/// sizes that a 31-bit count per metre cannot express.
std::optional<PngDensity> density_of(const Spacing& spacing);

/// The spacing of a file: `exact`, the text Meander writes, when it agrees with the chunk. Of
/// another program's chunk only the ratio without a unit counts: pixels per metre are for printers.
Spacing spacing_of(const std::optional<PngDensity>& density, std::string_view exact);

}  // namespace meander::io
