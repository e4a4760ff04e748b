// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cmath>
#include <functional>
#include <numbers>

#include "contour/geometry/segments.hpp"
#include "contour/objects/windows.hpp"
#include "contour/region/segment_testing.hpp"
#include "meander/objects.hpp"
#include "meander/outline_text.hpp"

/// Images with objects of known outlines, and plain ways to look at what was found in them. Nothing
/// here but the painting of masks is shared with the library.
namespace meander::testing {

struct Painted {
  Region region;
  double level = 0;
};

inline Region disc(double x, double y, double radius) { return {circle_outline(x, y, radius), {}}; }

inline Polygon backwards(Polygon ring) {
  std::reverse(ring.vertices.begin(), ring.vertices.end());
  return ring;
}

inline Region annulus(double x, double y, double radius, double hole) {
  return {circle_outline(x, y, radius), {backwards(circle_outline(x, y, hole))}};
}

/// A circle whose radius swings by a part of itself, so many times round.
inline Region flower(double x, double y, double radius, double swing, int petals) {
  Polygon outline;
  for (int i = 0; i < 48; ++i) {
    const double angle = 2 * std::numbers::pi * i / 48;
    const double r = radius * (1 + swing * std::cos(petals * angle));
    outline.vertices.push_back(on_grid(x + r * std::cos(angle), y + r * std::sin(angle)));
  }
  return {outline, {}};
}

/// 1 at the pixels that a region covers, row after row.
inline std::vector<int> pixels_of(const Region& region, std::int64_t width, std::int64_t height) {
  std::vector<int> pixels;
  Image outer = blank_mask(width, height), holes = blank_mask(width, height);
  fill_mask(std::span(&region.outer, 1), outer, 0);
  fill_mask(region.holes, holes, 0);
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      pixels.push_back(outer.row<std::uint8_t>(y)[x] > 0 && holes.row<std::uint8_t>(y)[x] == 0);
    }
  }
  return pixels;
}

inline double intersection_over_union(const Region& a, const Region& b, std::int64_t width,
                                      std::int64_t height) {
  const std::vector<int> first = pixels_of(a, width, height), second = pixels_of(b, width, height);
  double both = 0, either = 0;
  for (std::size_t i = 0; i < first.size(); ++i)
    both += first[i] & second[i], either += first[i] | second[i];
  return both / either;
}

/// u16 of gaussian noise: levels of the background, which may change over the image, and of
/// objects.
struct Picture {
  std::int64_t width = 256, height = 256;
  std::function<double(std::int64_t x, std::int64_t y)> background;
  std::vector<Painted> objects;
  double sigma = 100;
  std::uint64_t seed = 1;

  Image image() const {
    Image image = Image::allocate({.shape = {width, height, 1}, .type = PixelType::u16});
    std::vector<double> levels;
    for (std::int64_t y = 0; y < height; ++y) {
      for (std::int64_t x = 0; x < width; ++x)
        levels.push_back(background ? background(x, y) : 1000);
    }
    for (const Painted& object : objects) {
      const std::vector<int> pixels = pixels_of(object.region, width, height);
      for (std::size_t i = 0; i < pixels.size(); ++i) {
        if (pixels[i]) levels[i] = object.level;
      }
    }
    for (std::int64_t y = 0; y < height; ++y) {
      phantoms::UniformSequence random(seed, static_cast<std::uint64_t>(y),
                                       phantoms::Purpose::geometry);
      for (std::int64_t x = 0; x < width; ++x) {
        const double radius = std::sqrt(-2 * std::log(random.next()));
        const double noise = radius * std::cos(2 * std::numbers::pi * random.next());
        const double value = levels[static_cast<std::size_t>(y * width + x)] + sigma * noise;
        image.mutable_row<std::uint16_t>(y)[x] =
            static_cast<std::uint16_t>(std::clamp(value + 0.5, 0.0, 65535.0));
      }
    }
    return image;
  }
};

/// Whether two segments have a point in common, by the signs of areas in 128 bits.
inline bool do_touch(GridPoint a, GridPoint b, GridPoint c, GridPoint d) {
  __extension__ using Wide = __int128;
  const auto side = [](GridPoint p, GridPoint q, GridPoint r) {
    const Wide area = Wide{q.x - p.x} * (r.y - p.y) - Wide{q.y - p.y} * (r.x - p.x);
    return (area > 0) - (area < 0);
  };
  const auto within = [](GridPoint p, GridPoint q, GridPoint r) {
    return std::min(p.x, q.x) <= r.x && r.x <= std::max(p.x, q.x) && std::min(p.y, q.y) <= r.y &&
           r.y <= std::max(p.y, q.y);
  };
  const int c_side = side(a, b, c), d_side = side(a, b, d), a_side = side(c, d, a),
            b_side = side(c, d, b);
  if (c_side * d_side < 0 && a_side * b_side < 0) return true;
  return (c_side == 0 && within(a, b, c)) || (d_side == 0 && within(a, b, d)) ||
         (a_side == 0 && within(c, d, a)) || (b_side == 0 && within(c, d, b));
}

inline bool do_touch(const Polygon& a, const Polygon& b) {
  if (!contour::do_meet(contour::box_around(a), contour::box_around(b))) return false;
  for (std::size_t i = 0; i < a.vertices.size(); ++i) {
    for (std::size_t k = 0; k < b.vertices.size(); ++k) {
      if (do_touch(a.vertices[i], a.vertices[(i + 1) % a.vertices.size()], b.vertices[k],
                   b.vertices[(k + 1) % b.vertices.size()])) {
        return true;
      }
    }
  }
  return false;
}

inline ObjectOptions gaussian() {
  ObjectOptions options;
  options.search.noise = NoiseModel::gaussian;
  return options;
}

/// Every ring is simple and in its order, no two touch, and no pixel belongs to two objects.
inline void expect_side_by_side(const SegmentResult& result, const Shape& image) {
  std::vector<const Polygon*> rings;
  std::vector<int> owners(static_cast<std::size_t>(image.x * image.y), 0);
  for (const Outline& outline : result.outlines) {
    EXPECT_TRUE(is_simple(outline.polygon)) << outline.id;
    EXPECT_GT(outline.polygon.signed_area(), 0) << outline.id;
    rings.push_back(&outline.polygon);
    for (const Polygon& hole : outline.holes) {
      EXPECT_TRUE(is_simple(hole)) << outline.id;
      EXPECT_LT(hole.signed_area(), 0) << outline.id;
      rings.push_back(&hole);
    }
    const std::vector<int> pixels = pixels_of(region_of(outline), image.x, image.y);
    for (std::size_t i = 0; i < owners.size(); ++i) owners[i] += pixels[i];
  }
  EXPECT_LE(*std::max_element(owners.begin(), owners.end()), 1);
  for (std::size_t i = 0; i < rings.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k)
      EXPECT_FALSE(do_touch(*rings[i], *rings[k])) << i << " " << k;
  }
}

/// Node by node, and the figures.
inline void expect_same(const SegmentResult& a, const SegmentResult& b, const std::string& at) {
  ASSERT_EQ(a.outlines.size(), b.outlines.size()) << at;
  for (std::size_t i = 0; i < a.outlines.size(); ++i) {
    EXPECT_EQ(region_of(a.outlines[i]), region_of(b.outlines[i])) << at << " " << i;
    EXPECT_EQ(a.outlines[i].id, b.outlines[i].id) << at;
    EXPECT_EQ(a.outlines[i].criterion, b.outlines[i].criterion) << at;
    EXPECT_EQ(a.outlines[i].inside.pixels, b.outlines[i].inside.pixels) << at;
  }
  EXPECT_EQ(a.figures.evaluations, b.figures.evaluations) << at;
  EXPECT_EQ(a.figures.criterion, b.figures.criterion) << at;
}

}  // namespace meander::testing
