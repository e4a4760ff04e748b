// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "engine/partial.hpp"
#include "engine/view.hpp"

namespace meander::engine {

/// What one reduction yields, over the finite values; the others are only counted. With no finite
/// value min is +infinity and max is -infinity. Sums over integer types are exact until the last
/// step, the conversion to double.
struct Sums {
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  double sum = 0;
  double sum_of_magnitudes = 0;
  double sum_of_squares = 0;
  std::int64_t finite = 0;
  std::int64_t nonfinite = 0;
};

/// A partial has either integers or doubles, the others being 0, so their sum is the one that
/// counts.
inline Sums sums_of(const Partial& all) {
  return {.min = all.min,
          .max = all.max,
          .sum = static_cast<double>(all.integer_sum) + all.sum,
          .sum_of_magnitudes = static_cast<double>(all.integer_magnitudes) + all.magnitudes,
          .sum_of_squares = static_cast<double>(all.integer_squares) + all.squares,
          .finite = all.finite,
          .nonfinite = all.nonfinite};
}

/// How rows are cut for a reduction, the same on every backend and for any number of threads:
/// chunks of at most 4096 numbers (whole rows if several fit), partial sums combined in chunk
/// order. So a result depends on the image alone.
struct ReduceChunks {
  static constexpr std::int64_t chunk_numbers = 4096;

  explicit ReduceChunks(const View& view)
      : rows(view.rows()),
        width(view.shape.x),
        rows_per_chunk(std::max<std::int64_t>(1, chunk_numbers / width)),
        chunks_per_row((width + chunk_numbers - 1) / chunk_numbers) {}

  std::int64_t count() const {
    return (rows + rows_per_chunk - 1) / rows_per_chunk * chunks_per_row;
  }

  struct Chunk {
    std::int64_t first_row, last_row;        ///< [first_row, last_row)
    std::int64_t first_column, last_column;  ///< [first_column, last_column)
  };
  Chunk chunk(std::int64_t index) const {
    const std::int64_t row = index / chunks_per_row * rows_per_chunk;
    const std::int64_t column = index % chunks_per_row * chunk_numbers;
    return {row, std::min(row + rows_per_chunk, rows), column,
            std::min(column + chunk_numbers, width)};
  }

  std::int64_t rows;
  std::int64_t width;
  std::int64_t rows_per_chunk;
  std::int64_t chunks_per_row;
};

}  // namespace meander::engine
