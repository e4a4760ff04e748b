// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include "engine/lines.hpp"
#include "engine/scan.hpp"
#include "engine/view.hpp"

namespace meander::engine {

/// Pixels along an axis.
inline std::int64_t length_along(const Shape& shape, Axis axis) {
  return axis == Axis::x ? shape.x : axis == Axis::y ? shape.y : shape.z;
}
inline std::int64_t length_along(const View& view, Axis axis) {
  return length_along(view.shape, axis);
}

inline std::int64_t line_count(const View& view, Axis axis) {
  return view.rows() * view.shape.x / length_along(view, axis);
}

inline Lines lines_of(const View& view, Axis axis) {
  const auto pixel = static_cast<std::int64_t>(size_of(view.type));
  const Shape& shape = view.shape;
  const Pitch& pitch = view.pitch;
  switch (axis) {
    case Axis::x:
      return {view.offset, pixel, pitch.row, pitch.slice, pitch.channel, shape.y, shape.z};
    case Axis::y:
      return {view.offset, pitch.row, pixel, pitch.slice, pitch.channel, shape.x, shape.z};
    case Axis::z:
      return {view.offset, pitch.slice, pixel, pitch.row, pitch.channel, shape.x, shape.y};
  }
  throw LogicError("axis out of its enumeration");
}

/// Positions [begin, end) along an axis of the same pixels.
inline View part_of(View view, Axis axis, std::int64_t begin, std::int64_t end) {
  view.offset += begin * lines_of(view, axis).step;
  (axis == Axis::x ? view.shape.x : axis == Axis::y ? view.shape.y : view.shape.z) = end - begin;
  return view;
}

}  // namespace meander::engine
