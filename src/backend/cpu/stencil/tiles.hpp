// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>

/// What the two kinds of rings share: how grids are cut, and what the cache holds.
namespace meander::cpu {

inline constexpr std::int64_t cells_per_cache_line = 16;

inline std::int64_t rounded_up(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// [begin, end) along an axis.
struct Range {
  std::int64_t begin, end;
};

/// Part `index` of `parts` nearly equal ones.
inline Range part_of(std::int64_t length, std::int64_t parts, std::int64_t index) {
  return {length * index / parts, length * (index + 1) / parts};
}

/// Bytes that what is kept of a tile may take.
std::int64_t ring_bytes();

}  // namespace meander::cpu
