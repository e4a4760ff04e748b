// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "contour/detect/component_tree.hpp"
#include "meander/control.hpp"
#include "meander/image.hpp"
#include "meander/objects.hpp"

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

struct FoundObject {
  Region region;
  /// What its outline is told from, above the image's background: the outline lies halfway between
  /// this and the mean of the object.
  double background = 0;
  Polygon zone;  ///< Around it: its outline may not leave this. May reach beyond the image.
};

struct Detected {
  std::vector<FoundObject> objects;          ///< From the top.
  std::optional<BackgroundSurface> shading;  ///< The background, where it is uneven.
  /// Whether the pixels of objects scatter as neighbours do: by noise, not by texture or blur.
  bool is_noise = true;
  PixelNoise noise;
};

/// Which objects are looked for; see ObjectOptions.
struct FindingBounds {
  std::optional<double> least_area;  ///< In pixels; by default least_area_in() of it.
  Polarity polarity = Polarity::both;
  double least_contrast = 0;  ///< To the surroundings, in noise levels of a pixel.
};
/// Objects of an image of type u8, u16 or i16 in host memory; see find_objects.
Detected detect(const Image& image, const FindingBounds& bounds, const Control& control,
                const FindingConstants& constants = {});
/// The background of such an image, where it is uneven, and its noise: no objects. `shapes`: where
/// objects are, if that is known.
Detected detect_background(const Image& image, const std::vector<Region>& shapes,
                           const Control& control);
/// What counts as an object, in pixels, unless somebody says it.
double least_area_in(const PixelNoise& noise, const FindingConstants& constants = {});
/// Around a region by so many blocks of pixels.
Polygon zone_around(const Region& region, std::int64_t blocks, std::int64_t block,
                    const Shape& image);
/// What it holds besides the image, objects apart.
std::int64_t detect_bytes(const Shape& image);

}  // namespace meander::contour
