// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <vector>

#include "engine/ghost.hpp"
#include "engine/view_lines.hpp"

namespace meander::reference {

/// The pixels of a line, or the states of one.
using Line = std::vector<double>;

/// Calls f(pixel, place) for each pixel of line `index` along `axis`; pixels are of the view's
/// type.
template <class F>
void for_each_of_line(const engine::View& view, engine::Axis axis, std::int64_t index, F f) {
  const engine::Lines lines = engine::lines_of(view, axis);
  std::byte* pixel = view.memory->host + engine::line_offset(lines, index);
  visit(view.type, [&]<class T>(std::type_identity<T>) {
    const auto length = static_cast<std::size_t>(engine::length_along(view, axis));
    for (std::size_t place = 0; place < length; ++place, pixel += lines.step) {
      f(*reinterpret_cast<T*>(pixel), place);
    }
  });
}

inline Line read_line(const engine::View& view, engine::Axis axis, std::int64_t index) {
  Line line;
  line.reserve(static_cast<std::size_t>(engine::length_along(view, axis)));
  for_each_of_line(view, axis, index,
                   [&](auto pixel, std::size_t) { line.push_back(to_double(pixel)); });
  return line;
}

inline void write_line(const engine::View& view, engine::Axis axis, std::int64_t index,
                       const Line& line) {
  for_each_of_line(view, axis, index, [&]<class T>(T& pixel, std::size_t place) {
    pixel = from_double<T>(line[place]);
  });
}

/// The value at place `place`, any integer, of a line that goes on beyond its ends.
inline double value_at(const Line& line, std::int64_t place, const BorderRule& border) {
  const std::int64_t index = engine::ghost_index(place, static_cast<std::int64_t>(line.size()),
                                                 static_cast<int>(border.kind));
  return index < 0 ? border.value : line[static_cast<std::size_t>(index)];
}

}  // namespace meander::reference
