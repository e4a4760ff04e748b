// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "phantom/pixels.hpp"

namespace meander {
namespace {

PhantomOptions shape_of(PhantomKind kind, const Shape& size, std::uint64_t seed = 0) {
  return {.kind = kind,
          .size = size,
          .type = PixelType::u8,
          .levels = std::array{0.0, 10.0},
          .seed = seed};
}

double count_inside(const std::vector<double>& mask) {
  return static_cast<double>(std::count(mask.begin(), mask.end(), 255.0));
}

std::vector<double> mask_of(const PhantomOptions& options) {
  return numbers_of(whole_truth(Phantom(options)));
}

/// Pixels of one label that are connected by edges or corners; the number of such groups.
int count_objects(std::vector<double> mask, std::int64_t nx, std::int64_t ny) {
  int objects = 0;
  std::vector<std::int64_t> open;
  for (std::int64_t start = 0; start < nx * ny; ++start) {
    if (mask[static_cast<std::size_t>(start)] == 0) continue;
    ++objects;
    for (open.push_back(start); !open.empty();) {
      const std::int64_t x = open.back() % nx, y = open.back() / nx;
      open.pop_back();
      for (std::int64_t v = std::max<std::int64_t>(y - 1, 0); v <= std::min(y + 1, ny - 1); ++v) {
        for (std::int64_t u = std::max<std::int64_t>(x - 1, 0); u <= std::min(x + 1, nx - 1); ++u) {
          double& pixel = mask[static_cast<std::size_t>(v * nx + u)];
          if (pixel != 0) open.push_back(v * nx + u);
          pixel = 0;
        }
      }
    }
  }
  return objects;
}

/// The pixels inside a polygon differ from its area by at most those its outline touches.
TEST(Shapes, MaskAreaIsThePolygonArea) {
  for (const auto kind :
       {PhantomKind::star, PhantomKind::flower, PhantomKind::disc, PhantomKind::ushape,
        PhantomKind::blobs, PhantomKind::shepp_logan, PhantomKind::step, PhantomKind::impulse}) {
    const Phantom phantom(shape_of(kind, {331, 290, 1}, 3));
    double area = 0, perimeter = 0;
    for (const Polygon& outline : phantom.outlines()) {
      EXPECT_GT(outline.signed_area(), 0);
      area += outline.signed_area();
      perimeter += outline.perimeter();
    }
    const double inside = count_inside(numbers_of(whole_truth(phantom)));
    EXPECT_NEAR(inside, area, perimeter);
    EXPECT_GT(inside, 0);
  }
}

TEST(Shapes, OutlinesGiveTheMaskPixelByPixel) {
  for (const auto kind : {PhantomKind::star, PhantomKind::ushape, PhantomKind::blobs,
                          PhantomKind::shepp_logan, PhantomKind::step, PhantomKind::impulse}) {
    const Phantom phantom(shape_of(kind, {61, 70, 1}, 2));
    const auto mask = numbers_of(whole_truth(phantom));
    const auto outlines = phantom.outlines();
    for (std::size_t i = 0; i < mask.size(); ++i) {
      const auto x = static_cast<double>(i % 61), y = static_cast<double>(i / 61);
      bool inside = false;  // an even number of crossings on the way from the left, in float64
      for (const Polygon& outline : outlines) {
        for (std::size_t k = 0; k < outline.vertices.size(); ++k) {
          const GridPoint a = outline.vertices[k],
                          b = outline.vertices[(k + 1) % outline.vertices.size()];
          const double ay = static_cast<double>(a.y) / 256, by = static_cast<double>(b.y) / 256;
          if ((ay <= y) == (by <= y)) continue;
          const double ax = static_cast<double>(a.x) / 256, bx = static_cast<double>(b.x) / 256;
          inside ^= ax + (y - ay) * (bx - ax) / (by - ay) <= x;
        }
      }
      ASSERT_EQ(mask[i], inside ? 255 : 0) << x << "," << y;
    }
  }
}

TEST(Shapes, StarHasSevenDeepConcavitiesAndNoEdgeAlongAnAxis) {
  const auto star = Phantom(shape_of(PhantomKind::star, {512, 512, 1})).outlines().at(0).vertices;
  ASSERT_EQ(star.size(), 14u);
  for (std::size_t i = 0; i < star.size(); ++i) {
    const GridPoint a = star[(i + 13) % 14], b = star[i], c = star[(i + 1) % 14];
    const std::int64_t turn = (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
    EXPECT_EQ(turn > 0, i % 2 == 0) << i;  // tips and notches alternate
    const double angle = std::atan2(static_cast<double>(c.y - b.y), static_cast<double>(c.x - b.x));
    EXPECT_GT(std::abs(std::sin(2 * angle)), 0.1) << i;
  }
}

TEST(Shapes, BlobsAreAsManyAsPromisedAndDoNotTouch) {
  for (const std::uint64_t seed : {0, 1, 2, 3}) {
    const PhantomOptions options = shape_of(PhantomKind::blobs, {700, 400, 1}, seed);
    // 10 columns and 6 rows of 64-pixel cells, odd rows one fewer.
    EXPECT_EQ(Phantom(options).outlines().size(), 57u);
    EXPECT_EQ(count_objects(mask_of(options), 700, 400), 57);
  }
  EXPECT_EQ(Phantom(shape_of(PhantomKind::blobs, {64, 640, 1})).outlines().size(), 10u);
}

TEST(Shapes, BlobsFollowTheSeed) {
  const auto mask = mask_of(shape_of(PhantomKind::blobs, {200, 200, 1}, 1));
  EXPECT_EQ(mask, mask_of(shape_of(PhantomKind::blobs, {200, 200, 1}, 1)));
  EXPECT_NE(mask, mask_of(shape_of(PhantomKind::blobs, {200, 200, 1}, 2)));
}

TEST(Shapes, VolumesExtrudeThroughTheMiddleHalf) {
  for (const auto kind :
       {PhantomKind::star, PhantomKind::flower, PhantomKind::disc, PhantomKind::ushape}) {
    const auto flat = mask_of(shape_of(kind, {30, 28, 1}));
    const auto deep = mask_of(shape_of(kind, {30, 28, 10}));
    for (std::size_t z = 0; z < 10; ++z) {
      const std::vector<double> slice(
          deep.begin() + static_cast<std::ptrdiff_t>(z * flat.size()),
          deep.begin() + static_cast<std::ptrdiff_t>((z + 1) * flat.size()));
      EXPECT_EQ(slice, z >= 2 && z < 8 ? flat : std::vector<double>(flat.size(), 0.0)) << z;
    }
  }
}

/// Volume of the head's ellipsoid, 4/3 pi abc, to its surface (of order 6 (abc)^(2/3)) times half a
/// pixel.
TEST(Shapes, HeadOfAVolumeIsAnEllipsoid) {
  const double a = .69 * 40, b = .92 * 45, c = .81 * 35;
  const double inside = count_inside(mask_of(shape_of(PhantomKind::shepp_logan, {80, 90, 70})));
  EXPECT_NEAR(inside, 4.0 / 3 * 3.14159265 * a * b * c, 3 * std::pow(a * b * c, 2.0 / 3));
}

/// Toft's intensities at points of the customary picture, y up.
TEST(Shapes, HeadHasToftsIntensities) {
  const Image head = phantom(shape_of(PhantomKind::shepp_logan, {512, 512, 1}));
  const auto at = [&](double x, double y) {
    return int{
        head.row<std::uint8_t>(std::llround(255.5 - 256 * y))[std::llround(255.5 + 256 * x)]};
  };
  EXPECT_EQ(at(0, 0.91), 10);    // skull
  EXPECT_EQ(at(0.45, -0.3), 2);  // brain
  EXPECT_EQ(at(0.22, 0.0), 0);   // right ventricle
  EXPECT_EQ(at(-0.22, 0.0), 0);  // left ventricle, the larger
  EXPECT_EQ(at(-0.32, 0.3), 0);  // its upper end leans outwards
  EXPECT_EQ(at(-0.12, 0.3), 3);  // not inwards
  EXPECT_EQ(at(0, 0.45), 3);     // the round grey body
  EXPECT_EQ(at(0, 0.12), 4);     // overlapped by a small one
  EXPECT_EQ(at(0, -0.1), 3);
  EXPECT_EQ(at(-0.08, -0.605), 3);
  EXPECT_EQ(at(0.06, -0.63), 3);
  EXPECT_EQ(at(0.95, 0.0), 0);  // outside
}

TEST(Shapes, BallsAreRoundInDepth) {
  const auto mask = mask_of(shape_of(PhantomKind::blobs, {64, 64, 64}, 9));
  // One ball of radius r to r (1 + wobble) with r from .24 to .36 of 64.
  const double inside = count_inside(mask);
  EXPECT_GT(inside, 4.0 / 3 * 3.14159 * std::pow(.24 * 64, 3) * 0.9);
  EXPECT_LT(inside, 4.0 / 3 * 3.14159 * std::pow(.36 * 64, 3) * 1.1);
  int slices = 0;
  for (std::size_t z = 0; z < 64; ++z) {
    const auto begin = mask.begin() + static_cast<std::ptrdiff_t>(z * 4096);
    slices += std::count(begin, begin + 4096, 255.0) > 0 ? 1 : 0;
  }
  EXPECT_GE(slices, 2 * .24 * 64 - 1);
  EXPECT_LE(slices, 2 * .36 * 64 + 1);
}

/// One tree: a single object, and near every part of the image.
TEST(Shapes, VesselsAreConnectedAndFillTheImage) {
  for (const std::uint64_t seed : {0, 1, 2}) {
    const auto mask = mask_of(shape_of(PhantomKind::vessels, {400, 300, 1}, seed));
    EXPECT_EQ(count_objects(mask, 400, 300), 1);
    std::set<std::size_t> tiles;  // of 50 x 50 pixels
    for (std::size_t i = 0; i < mask.size(); ++i) {
      if (mask[i] != 0) tiles.insert(i / 400 / 50 * 8 + i % 400 / 50);
    }
    EXPECT_EQ(tiles.size(), 48u);
    const double share = count_inside(mask) / static_cast<double>(mask.size());
    EXPECT_GT(share, 0.03);
    EXPECT_LT(share, 0.3);
  }
}

TEST(Shapes, VesselsFillAVolumeToo) {
  const auto mask = mask_of(shape_of(PhantomKind::vessels, {80, 64, 48}, 1));
  std::set<std::size_t> tiles;  // of 16^3 pixels
  for (std::size_t i = 0; i < mask.size(); ++i) {
    const std::size_t x = i % 80, y = i / 80 % 64, z = i / 80 / 64;
    if (mask[i] != 0) tiles.insert((z / 16 * 4 + y / 16) * 5 + x / 16);
  }
  EXPECT_GE(tiles.size(), 57u);  // of 60
}

}  // namespace
}  // namespace meander
