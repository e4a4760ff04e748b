// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/detect/noise_level.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/parallel_for.hpp"

namespace meander::contour {
namespace {

/// Of one cell, up to four: numbers, so that they are the same on every machine.
constexpr std::int64_t radius = 4;
constexpr std::array<float, radius + 1> gaussian{0.398943469F, 0.241971446F, 0.0539911274F,
                                                 0.00443186162F, 0.000133830625F};
constexpr std::int64_t rows_in_task = 64;
std::int64_t mirrored(std::int64_t i, std::int64_t n) {
  while (i < 0 || i >= n) i = i < 0 ? -1 - i : 2 * n - 1 - i;
  return i;
}

template <class F>
void for_rows(std::int64_t rows, F f) {
  parallel_for((rows + rows_in_task - 1) / rows_in_task, [&](std::int64_t task) {
    f(task * rows_in_task, std::min(rows, (task + 1) * rows_in_task));
  });
}

constexpr std::int64_t most_cells = std::int64_t{1} << 22;

template <class T>
ScaleImage means_over_blocks(const Image& image, std::int64_t block, std::int64_t bands) {
  constexpr std::int64_t band = 64;
  const std::int64_t rows = std::min(image.shape().y, bands * band);
  const std::int64_t apart = image.shape().y / std::max<std::int64_t>(1, rows / band);
  ScaleImage scale{.block = block,
                   .columns = image.shape().x / block,
                   .rows = rows / block,
                   .cells = {},
                   .smooth = {}};
  scale.cells.resize(static_cast<std::size_t>(scale.size()));
  const double part = 1 / static_cast<double>(block * block);
  parallel_for(scale.rows, [&](std::int64_t row) {
    float* to = scale.cells.data() + row * scale.columns;
    std::vector<std::int64_t> sums(static_cast<std::size_t>(scale.columns), 0);
    for (std::int64_t y = row * block; y < (row + 1) * block; ++y) {
      const T* from = image.row<T>(rows < image.shape().y ? y / band * apart + y % band : y);
      for (std::int64_t& sum : sums) {
        for (std::int64_t i = 0; i < block; ++i) sum += *from++;
      }
    }
    for (const std::int64_t sum : sums) *to++ = static_cast<float>(static_cast<double>(sum) * part);
  });
  return scale;
}

}  // namespace

std::int64_t finest_block(const Shape& image) {
  std::int64_t block = 1;
  while ((image.x / block) * (image.y / block) > most_cells) block *= 2;
  return block;
}

ScaleImage means_over_blocks(const Image& image, std::int64_t block, std::int64_t bands) {
  if (image.type() == PixelType::u8) return means_over_blocks<std::uint8_t>(image, block, bands);
  if (image.type() == PixelType::u16) return means_over_blocks<std::uint16_t>(image, block, bands);
  return means_over_blocks<std::int16_t>(image, block, bands);
}

ScaleImage coarser(const ScaleImage& fine) {
  return {.block = 2 * fine.block,
          .columns = fine.columns / 2,
          .rows = fine.rows / 2,
          .cells = halved(fine.cells, fine.columns, fine.rows),
          .smooth = {}};
}

bool may_be_halved(const ScaleImage& scale) {
  return std::min(scale.columns, scale.rows) >= 2 * fewest_along;
}

void smooth(ScaleImage& scale) { scale.smooth = smoothed(scale.cells, scale.columns, scale.rows); }

std::vector<float> smoothed(const std::vector<float>& cells, std::int64_t columns,
                            std::int64_t rows) {
  std::vector<float> across(cells.size()), out(cells.size());
  for_rows(rows, [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> padded(static_cast<std::size_t>(columns + 2 * radius));
    for (std::int64_t y = begin; y < end; ++y) {
      const float* from = cells.data() + y * columns;
      for (std::int64_t x = 0; x < columns + 2 * radius; ++x) {
        padded[static_cast<std::size_t>(x)] = from[mirrored(x - radius, columns)];
      }
      float* to = across.data() + y * columns;
      const float* at = padded.data() + radius;
      for (std::int64_t x = 0; x < columns; ++x) to[x] = gaussian[0] * at[x];
      for (std::int64_t i = 1; i <= radius; ++i) {
        const float weight = gaussian[static_cast<std::size_t>(i)];
        for (std::int64_t x = 0; x < columns; ++x) to[x] += weight * (at[x - i] + at[x + i]);
      }
    }
  });
  for_rows(rows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t y = begin; y < end; ++y) {
      float* to = out.data() + y * columns;
      const float* at = across.data() + y * columns;
      for (std::int64_t x = 0; x < columns; ++x) to[x] = gaussian[0] * at[x];
      for (std::int64_t i = 1; i <= radius; ++i) {
        const float* above = across.data() + mirrored(y - i, rows) * columns;
        const float* below = across.data() + mirrored(y + i, rows) * columns;
        const float weight = gaussian[static_cast<std::size_t>(i)];
        for (std::int64_t x = 0; x < columns; ++x) to[x] += weight * (above[x] + below[x]);
      }
    }
  });
  return out;
}

std::vector<float> halved(const std::vector<float>& cells, std::int64_t columns,
                          std::int64_t rows) {
  const std::int64_t half_columns = columns / 2, half_rows = rows / 2;
  std::vector<float> out(static_cast<std::size_t>(half_columns * half_rows));
  for_rows(half_rows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t y = begin; y < end; ++y) {
      const float* upper = cells.data() + 2 * y * columns;
      const float* lower = upper + columns;
      float* to = out.data() + y * half_columns;
      for (std::int64_t x = 0; x < half_columns; ++x) {
        to[x] = 0.25F * ((upper[2 * x] + upper[2 * x + 1]) + (lower[2 * x] + lower[2 * x + 1]));
      }
    }
  });
  return out;
}

}  // namespace meander::contour
