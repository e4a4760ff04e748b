// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "meander/image.hpp"

namespace meander::contour {

/// Of a background, along either side.
inline constexpr int most_tiles = 8;

/// The level of the background all over an image: a plane, or a surface of second order from 4 x 4
/// tiles on, and what the most frequent levels of
/// tiles differ from it, linear between their middles and constant beyond the outermost ones.
class BackgroundSurface {
 public:
  /// 0 everywhere.
  BackgroundSurface() = default;
  /// From a smoothed image, with so many tiles along either side, eight at most: the half-sample
  /// mode of each, the plane of least absolute deviations through them (none of one tile), and
  /// medians of three by three of what is left, so that an object that fills a tile does not become
  /// background.
  BackgroundSurface(const std::vector<float>& smooth, std::int64_t columns, std::int64_t rows,
                    double noise, int tiles);

  static std::array<double, 6> terms_at(double x, double y, int tiles);
  int tiles() const { return tiles_; }
  /// Takes it off an image of the same scene, of any number of cells.
  void take_off(std::vector<float>& cells, std::int64_t columns, std::int64_t rows) const;
  /// Levels of one row of such an image: as many as there is room for in `levels`, from column
  /// `begin` on, `apart` columns from one to the next.
  void find_row(std::int64_t row, std::int64_t begin, std::int64_t apart, std::int64_t columns,
                std::int64_t rows, std::span<float> levels) const;
  /// From the lowest level in the middle of a tile to the highest.
  double range() const;

 private:
  void correct(const std::vector<float>& smooth, std::int64_t columns, std::int64_t rows,
               double noise, bool by_medians);
  double at(int x, int y) const {
    const int tile = y * tiles_ + x;
    return levels_[static_cast<std::size_t>(tile)];
  }

  int tiles_ = 1;
  std::array<double, 6> surface_{};
  std::vector<double> levels_{0};  ///< Of tiles, less the plane.
};

/// Of the halves of a sample the densest one's densest half, and so on.
double half_sample_mode(std::vector<float> values);

/// What stands for the background in an image without its shading.
inline constexpr double even_level = 32768;
/// The same image without its shading, as u16: even_level where the background is, what differs by
/// more than 32767 saturates.
Image without_shading(const Image& image, const BackgroundSurface& background);

}  // namespace meander::contour
