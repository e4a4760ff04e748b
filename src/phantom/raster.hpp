// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <span>

#include "contour/geometry/crossings.hpp"
#include "meander/outline.hpp"

namespace meander::phantoms {

/// Rows [y_begin, y_end) of slice z of an image that is `width` pixels wide.
struct Band {
  std::int64_t width = 0;
  std::int64_t z = 0;
  std::int64_t y_begin = 0;
  std::int64_t y_end = 0;
  std::int64_t pixels() const { return width * (y_end - y_begin); }
  contour::RowBand rows() const { return {width, y_begin, y_end}; }
};

/// A simple polygon that adds tenths to the pixels inside, or, when it is of negative area, takes
/// them off: a hole. Its label is that of the object it belongs to, 0 when there are none.
struct Region {
  Polygon outline;
  int tenths = 0;
  std::int64_t label = 0;
};

/// The sum of tenths at every pixel of the band, row after row. Throws LogicError when a sum leaves
/// 0 … 10.
void rasterise(std::span<const Region> regions, const Band& band, std::uint8_t* tenths);
/// The same of labels, up to 65535; objects share no pixel.
void rasterise_labels(std::span<const Region> regions, const Band& band, std::uint16_t* labels);

}  // namespace meander::phantoms
