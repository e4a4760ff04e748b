// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <vector>

#include "meander/outline.hpp"

namespace meander::contour {

/// Rows [y_begin, y_end) of an image that is `width` pixels wide.
struct RowBand {
  std::int64_t width = 0;
  std::int64_t y_begin = 0;
  std::int64_t y_end = 0;
};

/// Where an edge meets a row: pixels of that row from `column` on change by `change`.
struct Crossing {
  std::int64_t row;
  std::int64_t column;
  int change;
};

/// Appends the crossings of every edge with the band's rows, columns cut to 0 … width. Summed from
/// the left they give `weight` times the winding number of the polygon about the pixel. Exact.
void add_crossings(const Polygon& polygon, int weight, const RowBand& band,
                   std::vector<Crossing>& crossings);

/// From top to bottom and from left to right, the order in which rows are painted.
void sort_crossings(std::vector<Crossing>& crossings);

}  // namespace meander::contour
