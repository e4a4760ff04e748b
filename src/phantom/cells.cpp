// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "phantom/cells.hpp"

#include <algorithm>
#include <cmath>

#include "core/message.hpp"
#include "meander/error.hpp"

namespace meander::phantoms {
namespace {

Grid with_depth(const Grid& grid, const Shape& shape, std::int64_t depth) {
  Grid result = grid;
  result.z = Cells(shape.z, depth);
  return result;
}

}  // namespace

std::int64_t Cells::at(std::int64_t pixel) const {
  const double index = (static_cast<double>(pixel) - margin) / static_cast<double>(pitch);
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(index)), 0, count - 1);
}

Grid::Grid(const Shape& shape)
    : Grid(with_depth(Grid(shape, std::min({usual_pitch, shape.x, shape.y})), shape,
                      std::min(usual_pitch, shape.z))) {}

Grid::Grid(const Shape& shape, std::int64_t pitch)
    : x(shape.x, pitch), y(shape.y, pitch), z(shape.z, std::min(pitch, shape.z)) {}

bool Grid::is_shifted(std::int64_t row, std::int64_t layer) const {
  return (row + layer) % 2 == 1 && x.count > 1;
}

std::int64_t Grid::cells_in_row(std::int64_t row, std::int64_t layer) const {
  return x.count - (is_shifted(row, layer) ? 1 : 0);
}

std::int64_t Grid::cells_before(std::int64_t row, std::int64_t layer) const {
  const std::int64_t rows = layer * y.count + row;
  if (x.count == 1) return rows;
  // Of the layers before, even ones have y/2 shifted rows, odd ones (y + 1)/2.
  const std::int64_t shifted_in_layers =
      (layer + 1) / 2 * (y.count / 2) + layer / 2 * ((y.count + 1) / 2);
  return rows * x.count - shifted_in_layers - (row + layer % 2) / 2;
}

double Grid::centre_x(const Cell& cell) const {
  return x.centre(static_cast<double>(cell.column) +
                  (is_shifted(cell.row, cell.layer) ? 0.5 : 0.0));
}

std::uint64_t Grid::draw_index(const Cell& cell) const {
  return static_cast<std::uint64_t>((cell.layer * y.count + cell.row) * x.count + cell.column);
}

Grid grid_of_count(const Shape& shape, std::int64_t count, const PitchRange& range) {
  const auto has_room = [&](std::int64_t pitch) {
    return Grid(shape, pitch).cell_count() >= count;
  };
  const bool too_flat = shape.z > 1 && shape.z < range.least;
  std::int64_t low = range.least, high = std::min({shape.x, shape.y, range.most});
  if (too_flat || high < low || !has_room(low)) {
    throw InvalidArgument(message("count is ", count, " in ", to_string(shape),
                                  " pixels, expected no more than there is room for: each takes ",
                                  range.least, " pixels along every axis"));
  }
  // Larger cells are never more, so the largest that will do is found by halving.
  while (low < high) {
    const std::int64_t middle = low + (high - low + 1) / 2;
    has_room(middle) ? low = middle : high = middle - 1;
  }
  return Grid(shape, low);
}

}  // namespace meander::phantoms
