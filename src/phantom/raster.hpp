// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "meander/outline.hpp"

namespace meander::phantoms {

/// Rows [y_begin, y_end) of slice z of an image that is `width` pixels wide.
struct Band {
  std::int64_t width = 0;
  std::int64_t z = 0;
  std::int64_t y_begin = 0;
  std::int64_t y_end = 0;
  std::int64_t pixels() const { return width * (y_end - y_begin); }
};

/// A simple polygon of positive area that adds tenths to the pixels inside.
struct Region {
  Polygon outline;
  int tenths = 0;
};

/// Where an edge meets a row: pixels of that row from `column` on change by `change`.
struct Crossing {
  std::int64_t row;
  std::int64_t column;
  int change;
};

/// Appends the crossings of every edge with the band's rows, columns cut to 0 … width. Summed from
/// the left they give `weight` times the winding number of the polygon about the pixel. Exact.
void add_crossings(const Polygon& polygon, int weight, const Band& band,
                   std::vector<Crossing>& crossings);

/// The sum of tenths at every pixel of the band, row after row. Throws LogicError when a sum leaves
/// 0 … 10.
void rasterise(std::span<const Region> regions, const Band& band, std::uint8_t* tenths);

}  // namespace meander::phantoms
