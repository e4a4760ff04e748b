// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <array>

#include "backend/reference/engines.hpp"
#include "engine/crossing.hpp"

namespace meander::reference {
namespace {

using engine::CumulatedSums;
using engine::RegionSums;
using engine::View;

std::uint64_t value_at(const View& pixels, std::int64_t x, std::int64_t y) {
  const std::byte* row = pixels.host_row(y);
  if (pixels.type == PixelType::u8) return reinterpret_cast<const std::uint8_t*>(row)[x];
  if (pixels.type == PixelType::u16) return reinterpret_cast<const std::uint16_t*>(row)[x];
  return static_cast<std::uint64_t>(reinterpret_cast<const std::int16_t*>(row)[x] + 32768);
}

void add_pixel(RegionSums& sums, const View& pixels, std::int64_t x, std::int64_t y) {
  const std::uint64_t value = value_at(pixels, x, y);
  sums += {1, value, value * value};
}

std::uint64_t* words_of(const CumulatedSums& grid, std::int64_t row) {
  return reinterpret_cast<std::uint64_t*>(grid.sums.host_row(row));
}

RegionSums cell_sums(const View& pixels, const CumulatedSums& grid, std::int64_t column,
                     std::int64_t row) {
  RegionSums sums;
  const std::int64_t x_end = std::min((column + 1) * grid.block, grid.image.x);
  const std::int64_t y_end = std::min((row + 1) * grid.block, grid.image.y);
  for (std::int64_t y = row * grid.block; y < y_end; ++y) {
    for (std::int64_t x = column * grid.block; x < x_end; ++x) add_pixel(sums, pixels, x, y);
  }
  return sums;
}

void cumulate_grid(const View& pixels, const CumulatedSums& grid) {
  for (std::int64_t row = 0; row < grid.rows(); ++row) {
    std::uint64_t* words = words_of(grid, row);
    RegionSums sums;
    for (std::int64_t column = 0; column <= grid.columns(); ++column) {
      if (column % grid.step == 0) {
        words[2 * (column / grid.step)] = sums.sum;
        words[2 * (column / grid.step) + 1] = sums.squares;
      }
      if (column < grid.columns()) sums += cell_sums(pixels, grid, column, row);
    }
  }
}

/// Of the pixels in the first `column` cells of a row of cells.
RegionSums sums_before(const CumulatedSums& grid, std::int64_t column, std::int64_t row) {
  const std::uint64_t* words = words_of(grid, row) + 2 * (column / grid.step);
  RegionSums sums{0, words[0], words[1]};
  for (std::int64_t x = column / grid.step * grid.step; x < column; ++x) {
    add_pixel(sums, grid.pixels, x, row);
  }
  sums.count = static_cast<std::uint64_t>(
      engine::pixels_before(column, row, grid.block, grid.image.x, grid.image.y));
  return sums;
}

RegionSums edge_sums(const CumulatedSums& grid, const engine::ContourEdge& edge) {
  const auto rows = engine::rows_of_edge(edge.from.x, edge.from.y, edge.to.x, edge.to.y,
                                         grid.unit(), grid.origin(), grid.rows());
  RegionSums sums;
  for (std::int64_t row = rows.first; row < rows.end; ++row) {
    sums += sums_before(grid, engine::column_of_edge(rows, row, grid.columns()), row);
  }
  return rows.sign < 0 ? RegionSums{} - sums : sums;
}

/// Pixel by pixel between the two sides that cover a row.
RegionSums triangle_sums(const View& pixels, const engine::ContourTriangle& t) {
  const std::array<GridPoint, 4> corners{t.a, t.b, t.c, t.a};
  std::array<engine::edge_rows, 3> sides;
  for (std::size_t i = 0; i < 3; ++i) {
    sides[i] = engine::rows_of_edge(corners[i].x, corners[i].y, corners[i + 1].x, corners[i + 1].y,
                                    grid_steps_per_pixel, 0, pixels.shape.y);
  }
  RegionSums sums;
  const std::int64_t end = std::max({sides[0].end, sides[1].end, sides[2].end});
  for (std::int64_t row = std::min({sides[0].first, sides[1].first, sides[2].first}); row < end;
       ++row) {
    std::int64_t left = 0, right = 0;  // Columns where y falls and where it rises.
    for (const auto& side : sides) {
      if (row < side.first || row >= side.end) continue;
      (side.sign > 0 ? right : left) = engine::column_of_edge(side, row, pixels.shape.x);
    }
    RegionSums run;
    for (std::int64_t x = std::min(left, right); x < std::max(left, right); ++x) {
      add_pixel(run, pixels, x, row);
    }
    left < right ? sums += run : sums -= run;
  }
  return sums;
}

}  // namespace

void cumulate(const View& pixels, const CumulatedSums& rows, const CumulatedSums& blocks) {
  if (rows.sums.memory) cumulate_grid(pixels, rows);
  if (blocks.sums.memory) cumulate_grid(pixels, blocks);
}

void coarsen(const CumulatedSums& fine, const CumulatedSums& coarse) {
  for (std::int64_t row = 0; row < coarse.rows(); ++row) {
    std::uint64_t* words = words_of(coarse, row);
    std::fill(words, words + coarse.words_in_row(), 0);
    for (std::int64_t y = 2 * row; y < std::min(2 * row + 2, fine.rows()); ++y) {
      for (std::int64_t column = 0; column <= coarse.columns(); ++column) {
        const std::uint64_t* from = words_of(fine, y) + 2 * std::min(2 * column, fine.columns());
        words[2 * column] += from[0];
        words[2 * column + 1] += from[1];
      }
    }
  }
}

void sum_edges(const CumulatedSums& sums, std::span<const engine::ContourEdge> edges,
               RegionSums* results) {
  for (const auto& edge : edges) *results++ = edge_sums(sums, edge);
}

void sum_triangles(const View& pixels, std::span<const engine::ContourTriangle> triangles,
                   RegionSums* results) {
  for (const auto& triangle : triangles) *results++ = triangle_sums(pixels, triangle);
}

}  // namespace meander::reference
