// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>
#include <vector>

#include "meander/image.hpp"

namespace meander::contour {

/// The image at one scale: means over blocks of pixels (cells), and the same smoothed by a Gaussian
/// of one cell. The level of the background is 0.
struct ScaleImage {
  std::int64_t block = 1;  ///< Pixels along the side of a cell.
  std::int64_t columns = 0, rows = 0;
  std::vector<float> cells, smooth;

  std::int64_t size() const { return columns * rows; }
};

/// Pixels along the side of a cell of the finest scale: 1 where the image has at most 4 million.
std::int64_t finest_block(const Shape& image);
/// Means over blocks of pixels, of all rows or of bands of some rows evenly apart. Sums of
/// integers, which have no order to depend on. Of u8, u16 or i16.
ScaleImage means_over_blocks(const Image& image, std::int64_t block,
                             std::int64_t bands = std::int64_t{1} << 31);
/// Cells of twice the side, not smoothed.
ScaleImage coarser(const ScaleImage& fine);
/// Cells along the shorter side of the coarsest scale, at least.
inline constexpr std::int64_t fewest_along = 16;
bool may_be_halved(const ScaleImage& scale);
void smooth(ScaleImage& scale);

/// By a Gaussian of one cell, mirrored at the borders (… b a | a b …).
std::vector<float> smoothed(const std::vector<float>& cells, std::int64_t columns,
                            std::int64_t rows);
/// Means of 2 × 2 cells; an odd last row or column is left out.
std::vector<float> halved(const std::vector<float>& cells, std::int64_t columns, std::int64_t rows);

// How much an image scatters where it has no objects.

/// How much an image without objects scatters at one scale.
struct ScaleNoise {
  double smooth = 1;  ///< Standard deviation of the smoothed image.
  /// That of a cell if cells were independent, with the same effect on the smoothed image: at this
  /// scale and, for as many pixels, at each coarser one.
  std::vector<double> cell{1};
};

/// Standard deviation of noise that is independent from cell to cell, from the median difference of
/// neighbours; of the lower nine tenths of their squares where most are equal.
double white_noise(const std::vector<float>& cells, std::int64_t columns, std::int64_t rows);
struct PixelNoise {
  double deviation = 0;    ///< Standard deviation.
  double correlation = 1;  ///< Pixels that share it: 4 pi s^2 where a Gaussian of s smoothed it.
};
/// From differences of cells one and two apart; at least 1 cell shares its noise, 43 at most.
PixelNoise pixel_noise(const std::vector<float>& cells, std::int64_t columns, std::int64_t rows);
/// Standard deviation of a smoothed image without its objects: the smaller of two estimates, from
/// differences of cells four apart, a quarter of which lie in the background alone, and from the
/// side of the background, 0, where no object is: below it for bright ones, sign 1, above it for
/// dark ones, sign -1.
double smooth_noise(const ScaleImage& image, float sign);

}  // namespace meander::contour
