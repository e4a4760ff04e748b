// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <utility>

#include "io_testing.hpp"

/// What the tests of NRRD and MetaImage share.
namespace meander::io {

/// The numbers 0, 1, 2 … as little-endian u16.
inline std::string counting(int count) {
  std::string data;
  for (int i = 0; i < count; ++i) data += {static_cast<char>(i & 0xff), static_cast<char>(i >> 8)};
  return data;
}

using Fields = std::vector<std::pair<std::string, std::string>>;

/// Lines of a header with some changed, those with the value "-" left out, and others added.
inline std::string header_lines(Fields fields, const std::string& between, const Fields& changes) {
  for (const auto& change : changes) {
    const auto same = [&](const auto& field) { return field.first == change.first; };
    const auto found = std::ranges::find_if(fields, same);
    if (found == fields.end()) {
      fields.push_back(change);
    } else {
      found->second = change.second;
    }
  }
  std::string text;
  for (const auto& [name, value] : fields) {
    if (value != "-") text += name + between + value + "\n";
  }
  return text;
}

inline Description placed_volume() {
  return {.shape = {5, 4, 2},
          .channels = 3,
          .type = PixelType::f32,
          .spacing = {0.3, 0.25, 1.5, Unit::millimetre},
          .placement = Placement{.origin = {1, -2, 0.1},
                                 .step = {{{0, 0.3, 0}, {-0.25, 0, 0}, {0, 0, 1.5}}},
                                 .axes = WorldAxes::ras}};
}

}  // namespace meander::io
