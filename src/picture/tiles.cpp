// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "picture/tiles.hpp"

#include <algorithm>
#include <array>

#include "core/message.hpp"
#include "picture/reduce.hpp"

namespace meander::pictures {
namespace {

/// Where at most `side` of `length` pixels around `middle` begin and how many there are.
std::array<std::int64_t, 2> around(std::int64_t middle, std::int64_t length, std::int64_t side) {
  const std::int64_t part = std::min(length, side);
  return {std::clamp<std::int64_t>(middle - part / 2, 0, length - part), part};
}

}  // namespace

Image fitted(const Image& picture, std::int64_t usual, std::int64_t longest,
             const Control& control) {
  const std::int64_t longer = std::max(picture.shape().x, picture.shape().y);
  return longer > longest ? reduced(picture, longest, control)
                          : enlarged(picture, std::max<std::int64_t>(1, usual / longer));
}

Image colour_tile(const VectorPlane& plane, Brightness brightness, std::int64_t side,
                  const Control& control) {
  Image tile = as_tile(colour_picture(plane, brightness, control), side, control);
  add_wheel(tile, brightness);
  return tile;
}

Box box_around(const VectorPlane& plane, std::int64_t x, std::int64_t y, std::int64_t side) {
  const auto [left, width] = around(x, plane.width(), side);
  const auto [top, height] = around(y, plane.height(), side);
  return {.left = left, .top = top, .width = width, .height = height};
}

std::string name_of_part(const Box& box) {
  return message(box.width, "x", box.height, " at ", box.left, ",", box.top);
}

}  // namespace meander::pictures
