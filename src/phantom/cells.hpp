// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>

#include "meander/image.hpp"

namespace meander::phantoms {

inline constexpr std::int64_t usual_pitch = 64;

/// Cells of equal size along one axis, as many as fit, the rest shared by both ends.
struct Cells {
  std::int64_t pitch;
  std::int64_t count;
  double margin;
  Cells(std::int64_t length, std::int64_t pitch_)
      : pitch(pitch_),
        count(length / pitch_),
        margin(static_cast<double>(length - count * pitch_) / 2 - 0.5) {}
  /// Centre of a cell in pixels; indices may be halves.
  double centre(double index) const { return margin + static_cast<double>(pitch) * (index + 0.5); }
  /// The cell that holds a pixel, or the nearest.
  std::int64_t at(std::int64_t pixel) const;
};

struct Cell {
  std::int64_t column, row, layer;
};

/// Places of objects: square cells laid in rows like bricks. Odd rows are shifted by half a cell
/// and have one fewer, in odd layers even rows.
struct Grid {
  Cells x, y, z;

  /// Cells of 64 pixels, or less in a small image.
  explicit Grid(const Shape& shape);
  /// Cells of `pitch` pixels, at most as deep as the volume.
  Grid(const Shape& shape, std::int64_t pitch);

  bool is_shifted(std::int64_t row, std::int64_t layer) const;
  std::int64_t cells_in_row(std::int64_t row, std::int64_t layer) const;
  /// How many come before the first of a row, from left to right, row after row, layer after layer.
  std::int64_t cells_before(std::int64_t row, std::int64_t layer) const;
  std::int64_t cell_count() const { return cells_before(0, z.count); }
  double centre_x(const Cell& cell) const;
  double centre_y(const Cell& cell) const { return y.centre(static_cast<double>(cell.row)); }
  /// The same for every number of rows in a band or a slab: what random shapes are drawn by.
  std::uint64_t draw_index(const Cell& cell) const;
};

struct PitchRange {
  std::int64_t least, most;
};
/// The grid of the largest cells of which there are at least `count`. Throws InvalidArgument when
/// they would be smaller than the range allows.
Grid grid_of_count(const Shape& shape, std::int64_t count, const PitchRange& range);

}  // namespace meander::phantoms
