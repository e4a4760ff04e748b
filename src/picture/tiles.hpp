// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <string>

#include "picture/wheel.hpp"

/// What sheets that explain a method are put together from; of a control the stop is heard.
namespace meander::pictures {

inline constexpr std::int64_t tile_side = 384;

/// Reduced by a whole factor to at most `longest` pixels along a side, or enlarged by one to at
/// most `usual`.
Image fitted(const Image& picture, std::int64_t usual, std::int64_t longest,
             const Control& control = {});
inline Image as_tile(const Image& picture, std::int64_t side, const Control& control) {
  return fitted(picture, side, side, control);
}
Image colour_tile(const VectorPlane& plane, Brightness brightness, std::int64_t side,
                  const Control& control);

/// Up to side x side pixels of the plane around one of them.
Box box_around(const VectorPlane& plane, std::int64_t x, std::int64_t y, std::int64_t side);
/// "24x24 at 7,0"
std::string name_of_part(const Box& box);

}  // namespace meander::pictures
