// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "engine/contour.hpp"
#include "meander/image.hpp"

/// Polygons, images and what lies inside by the definition of Polygon, cell by cell: no sums along
/// edges, no division, nothing of rules/crossing.h.
namespace meander {

using Vertices = std::vector<GridPoint>;

/// Whether the edge covers the row at `at` and crosses it at or left of there: then 1 where it
/// falls and -1 where it rises, else 0.
inline int crossing_left_of(const GridPoint& at, const GridPoint& from, const GridPoint& to) {
  const bool rises = from.y < to.y;
  const GridPoint& high = rises ? from : to;
  const GridPoint& low = rises ? to : from;
  if (at.y < high.y || at.y >= low.y) return 0;
  const std::int64_t side = (at.x - high.x) * (low.y - high.y) - (low.x - high.x) * (at.y - high.y);
  if (side < 0) return 0;
  return rises ? -1 : 1;
}

enum class Inside { winding, odd };

/// How often the polygon winds around a point, or 1 where an odd number of edges are left of it.
inline int times_inside(const GridPoint& at, const Vertices& polygon, Inside rule) {
  int winding = 0, crossings = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const int crossing = crossing_left_of(at, polygon[i], polygon[(i + 1) % polygon.size()]);
    winding += crossing;
    crossings += crossing != 0 ? 1 : 0;
  }
  return rule == Inside::winding ? winding : crossings % 2;
}

/// The cells of an image, each with the sums over its pixels; cells of one pixel or more.
class Cells {
 public:
  Cells(const std::vector<std::uint64_t>& values, const Shape& image, std::int64_t block)
      : columns_((image.x + block - 1) / block),
        block_(block),
        cells_(static_cast<std::size_t>(columns_ * ((image.y + block - 1) / block))) {
    for (std::int64_t y = 0; y < image.y; ++y) {
      for (std::int64_t x = 0; x < image.x; ++x) {
        const std::uint64_t value = values[static_cast<std::size_t>(y * image.x + x)];
        const std::int64_t cell = y / block * columns_ + x / block;
        cells_[static_cast<std::size_t>(cell)] += {1, value, value * value};
      }
    }
  }

  engine::RegionSums sums_inside(const Vertices& polygon, Inside rule) const {
    engine::RegionSums sums;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      int times = times_inside(centre(static_cast<std::int64_t>(i)), polygon, rule);
      for (; times > 0; --times) sums += cells_[i];
      for (; times < 0; ++times) sums -= cells_[i];
    }
    return sums;
  }

 private:
  /// Half way between the centres of a block's first and last pixel, in 1/256 pixel.
  GridPoint centre(std::int64_t cell) const {
    const auto along = [&](std::int64_t i) { return (256 * (2 * i * block_ + block_ - 1)) / 2; };
    return {along(cell % columns_), along(cell / columns_)};
  }

  std::int64_t columns_, block_;
  std::vector<engine::RegionSums> cells_;
};

class RandomPolygons {
 public:
  RandomPolygons(const Shape& image, std::uint64_t seed) : image_(image), random_(seed) {}

  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }
  /// Up to eight pixels beyond the image, anywhere or on whole or half pixels.
  GridPoint point(std::int64_t raster) {
    const auto along = [&](std::int64_t size) {
      return between(-8 * 256 / raster, (size + 8) * 256 / raster) * raster;
    };
    const std::int64_t x = along(image_.x);
    return {x, along(image_.y)};
  }
  std::int64_t raster() {
    constexpr std::int64_t rasters[] = {1, 128, 256};
    return rasters[between(0, 2)];
  }
  /// 3 to 12 vertices in no order: mostly self-crossing.
  Vertices tangled() {
    const std::int64_t raster = this->raster();
    Vertices vertices(static_cast<std::size_t>(between(3, 12)));
    for (GridPoint& vertex : vertices) vertex = point(raster);
    return vertices;
  }
  /// Every ray from a centre meets the outline once; of positive area.
  Vertices star() {
    for (;;) {
      const std::int64_t raster = this->raster();
      const GridPoint centre = point(raster);
      Vertices vertices(static_cast<std::size_t>(between(3, 12)));
      for (std::size_t i = 0; i < vertices.size(); ++i) {
        vertices[i] = on_ray(centre, static_cast<double>(i) / static_cast<double>(vertices.size()),
                             0.4 / static_cast<double>(vertices.size()), raster);
      }
      if (turns_around(centre, vertices)) return vertices;
    }
  }

 private:
  double part() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
  GridPoint on_ray(const GridPoint& centre, double turn, double spread, std::int64_t raster) {
    const double angle = 2 * std::numbers::pi * (turn + spread * part());
    const double radius = 256.0 * (2 + part() * static_cast<double>(image_.x + image_.y) / 2);
    const auto rounded = [&](double distance) {
      return raster * std::llround(distance / static_cast<double>(raster));
    };
    return {centre.x + rounded(radius * std::cos(angle)),
            centre.y + rounded(radius * std::sin(angle))};
  }
  /// Rounding to the raster may have put vertices on one ray.
  static bool turns_around(const GridPoint& centre, const Vertices& vertices) {
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      const GridPoint& a = vertices[i];
      const GridPoint& b = vertices[(i + 1) % vertices.size()];
      if ((a.x - centre.x) * (b.y - centre.y) <= (a.y - centre.y) * (b.x - centre.x)) return false;
    }
    return true;
  }

  const Shape image_;
  std::mt19937_64 random_;
};

}  // namespace meander
