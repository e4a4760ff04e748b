// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <cmath>
#include <set>

#include "phantom/pixels.hpp"

namespace meander {
namespace {

PhantomOptions objects_of(PhantomKind kind, const Shape& size,
                          std::optional<std::int64_t> count = {}, std::uint64_t seed = 1) {
  return {.kind = kind, .size = size, .seed = seed, .count = count};
}

std::vector<double> as_mask(std::vector<double> labels) {
  for (double& label : labels) label = label > 0 ? 255 : 0;
  return labels;
}

/// The numbers from 1 to n, each a single part by sides, none next to another by sides or corners.
void expect_apart(const Phantom& phantom, std::int64_t n) {
  const std::int64_t nx = phantom.description().shape.x;
  const auto labels = labels_of(phantom);
  const auto parts = parts_by_value(labels, nx, Connected::by_sides);
  EXPECT_EQ(static_cast<std::int64_t>(parts.size()), n + 1);
  EXPECT_EQ(parts.rbegin()->first, static_cast<double>(n));
  for (const auto& [label, count] : parts) {
    EXPECT_TRUE(label == 0 || count == 1) << label;
  }
  EXPECT_EQ(parts_by_value(as_mask(labels), nx, Connected::by_corners)[255], n);
}

TEST(Objects, CountIsExact) {
  for (const std::int64_t count : {1, 2, 3, 7, 40, 150}) {
    for (const Shape& size : {Shape{300, 200, 1}, Shape{127, 400, 1}}) {
      const Phantom phantom(objects_of(PhantomKind::blobs, size, count));
      EXPECT_EQ(phantom.object_count(), count);
      EXPECT_EQ(std::ssize(phantom.outlines()), count);
      expect_apart(phantom, count);
    }
  }
}

TEST(Objects, SmallestBlobsAndRingsAreWholeAndApart) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    // 30 x 30 cells of 8 pixels less 15 of odd rows, and 10 x 10 of 24 pixels less 5.
    expect_apart(Phantom(objects_of(PhantomKind::blobs, {240, 240, 1}, 885, seed)), 885);
    expect_apart(Phantom(objects_of(PhantomKind::rings, {240, 240, 1}, 95, seed)), 95);
  }
}

TEST(Objects, CellsAreAsLargeAsCanBe) {
  // 4096 / 178 = 23: 23 x 23 cells less 11 of odd rows are 518. Cells of 179 are 22 x 22 less 11,
  // 473. Radii are .24 to .36 cells, times .82 to 1.18.
  const auto outlines = Phantom(objects_of(PhantomKind::blobs, {4096, 4096, 1}, 500)).outlines();
  EXPECT_EQ(outlines.size(), 500u);
  for (const Polygon& outline : outlines) {
    EXPECT_GT(outline.signed_area(), 3.1 * std::pow(.24 * 178 * .82, 2));
    EXPECT_LT(outline.signed_area(), 3.2 * std::pow(.36 * 178 * 1.18, 2));
  }
}

TEST(Objects, CountWithoutRoomIsRefused) {
  EXPECT_EQ(refusal_of(objects_of(PhantomKind::blobs, {240, 240, 1}, 885)), "not refused");
  EXPECT_EQ(refusal_of(objects_of(PhantomKind::blobs, {240, 240, 1}, 886)),
            "count is 886 in 240x240 pixels, expected no more than there is room for: each takes 8 "
            "pixels along every axis");
  EXPECT_NE(refusal_of(objects_of(PhantomKind::rings, {240, 240, 1}, 96)), "not refused");
  EXPECT_NE(refusal_of(objects_of(PhantomKind::blobs, {240, 7, 1}, 1)), "not refused");
  EXPECT_NE(refusal_of(objects_of(PhantomKind::blobs, {240, 240, 5}, 1)), "not refused");
  EXPECT_NE(refusal_of(objects_of(PhantomKind::star, {240, 240, 1}, 1)), "not refused");
  EXPECT_NE(refusal_of(objects_of(PhantomKind::blobs, {240, 240, 1}, 0)), "not refused");
}

TEST(Objects, VolumesHaveLabelsToo) {
  for (const PhantomKind kind : {PhantomKind::blobs, PhantomKind::rings}) {
    const Phantom phantom(objects_of(kind, {80, 60, 50}, 9));
    const auto labels = labels_of(phantom);
    EXPECT_EQ(std::set<double>(labels.begin(), labels.end()).size(), 10u);
    EXPECT_EQ(as_mask(labels), numbers_of(whole_truth(phantom)));
  }
}

/// Rings of which half the radius in all directions is missing are hollow balls: 7/8 of the volume,
/// to the pixels of both surfaces.
TEST(Objects, RingsOfAVolumeAreHollow) {
  const auto inside = [](PhantomKind kind) {
    const auto mask = numbers_of(whole_truth(Phantom(objects_of(kind, {64, 64, 64}))));
    return static_cast<double>(std::count(mask.begin(), mask.end(), 255.0));
  };
  // Wobbles add (w2^2 + w3^2) / 2 < 0.01 to the ball and nothing to the hollow, 0.001 of the ratio;
  // the rest is for whole pixels.
  EXPECT_NEAR(inside(PhantomKind::rings) / inside(PhantomKind::blobs), 7.0 / 8, 0.02);
}

TEST(Objects, LabelsAreTheMaskAndTheRegions) {
  for (const PhantomKind kind : {PhantomKind::blobs, PhantomKind::rings}) {
    for (const bool touching : {false, true}) {
      if (touching && kind == PhantomKind::rings) continue;
      PhantomOptions options = objects_of(kind, {210, 150, 1}, 17);
      options.touching = touching;
      const Phantom phantom(options);
      const auto labels = labels_of(phantom);
      EXPECT_EQ(as_mask(labels), numbers_of(whole_truth(phantom)));
      std::vector<double> from_regions(labels.size());
      for (const auto& [label, region] : phantom.regions()) {
        Image mask = Image::allocate({{210, 150, 1}, 1, PixelType::u8, {}});
        Image hole = Image::allocate(mask.description());
        fill_mask(std::vector{region.outer}, mask, 0);
        fill_mask(region.holes, hole, 0);
        const auto in = numbers_of(mask), out = numbers_of(hole);
        for (std::size_t i = 0; i < in.size(); ++i) {
          if (in[i] == 0 || out[i] != 0) continue;
          ASSERT_EQ(from_regions[i], 0);  // none twice
          from_regions[i] = static_cast<double>(label);
        }
      }
      EXPECT_EQ(labels, from_regions);
    }
  }
}

TEST(Objects, RingsHaveARoundHole) {
  const Phantom phantom(objects_of(PhantomKind::rings, {400, 300, 1}, 12));
  // The background around all of them, and a hole in each.
  EXPECT_EQ(parts_by_value(labels_of(phantom), 400, Connected::by_corners)[0], 13);
  for (const auto& [label, region] : phantom.regions()) {
    ASSERT_EQ(region.holes.size(), 1u);
    const double hole = region.holes[0].signed_area();
    EXPECT_LT(hole, 0);
    // Of half the radius, so a quarter of the disc; wobbles add (w2^2 + w3^2) / 2 < 0.01 of it, and
    // polygons of 48 corners are 0.003 smaller than circles, which cancels.
    EXPECT_NEAR(-hole / region.outer.signed_area(), 0.25, 0.004);
    const double radius = std::sqrt(-hole / 3.14159265);
    EXPECT_NEAR(region.holes[0].perimeter(), 2 * 3.14159265 * radius, 0.01 * radius);  // a circle
  }
  EXPECT_THROW(phantom.outlines(), Unsupported);
}

TEST(Objects, OtherKindsHaveNoLabels) {
  const Phantom star(objects_of(PhantomKind::star, {40, 40, 1}));
  EXPECT_EQ(star.object_count(), 0);
  EXPECT_THROW(star.labels_description(), Unsupported);
  EXPECT_THROW(star.regions(), Unsupported);
  EXPECT_THROW(star.tracks(), Unsupported);
  // 400 x 400 cells of 64 pixels are too many for u16.
  EXPECT_THROW(Phantom(objects_of(PhantomKind::blobs, {25600, 25600, 1})).labels_description(),
               Unsupported);
}

PhantomOptions pairs_of(const Shape& size, std::optional<std::int64_t> count, std::uint64_t seed) {
  PhantomOptions options = objects_of(PhantomKind::blobs, size, count, seed);
  options.touching = true;
  return options;
}

/// The outline of two that share an edge: all vertices of one, then those of the other, from that
/// edge on.
Polygon joined(const Polygon& a, const Polygon& b, const std::vector<GridPoint>& shared) {
  Polygon whole;
  for (const Polygon* part : {&a, &b}) {
    const auto& v = part->vertices;
    std::size_t start = 0;
    while (!(std::count(shared.begin(), shared.end(), v[start]) == 1 &&
             std::count(shared.begin(), shared.end(), v[(start + v.size() - 1) % v.size()]) == 1)) {
      ++start;
    }
    for (std::size_t i = 0; i + 1 < v.size(); ++i) {
      whole.vertices.push_back(v[(start + i) % v.size()]);
    }
  }
  return whole;
}

TEST(Objects, PairsShareAnEdgeAndNoPixel) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Phantom phantom(pairs_of({260, 130, 1}, {}, seed));
    const auto outlines = phantom.outlines();
    ASSERT_EQ(outlines.size(), 7u);  // rows of 4 and 3
    for (const Polygon& outline : outlines) {
      EXPECT_TRUE(is_simple(outline));
      EXPECT_GT(outline.signed_area(), 0);
    }
    for (const std::size_t first : {0, 2, 4}) {
      const Polygon &a = outlines[first], &b = outlines[first + 1];
      std::vector<GridPoint> shared;
      for (const GridPoint& vertex : a.vertices) {
        if (std::count(b.vertices.begin(), b.vertices.end(), vertex) == 1) shared.push_back(vertex);
      }
      ASSERT_EQ(shared.size(), 2u);
      const Polygon whole = joined(a, b, shared);
      EXPECT_TRUE(is_simple(whole));
      EXPECT_EQ(whole.signed_area(), a.signed_area() + b.signed_area());
      const double length = std::hypot(shared[1].x - shared[0].x, shared[1].y - shared[0].y) / 256;
      // 0.8 of the smaller radius, which wobbles by 0.82 to 1.18, of its perimeter: 0.8 / (2 pi).
      const double smaller = std::min(a.perimeter(), b.perimeter());
      EXPECT_GT(length, 0.127 * 0.7 * smaller);
      EXPECT_LT(length, 0.127 * 1.4 * smaller);
    }
  }
}

TEST(Objects, PairsAreOnePartWithTwoLabels) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    // The smallest cells, 16 pixels: 15 x 15 less 7, so rows of 15 and of 14 blobs, 7 pairs in
    // each.
    const Phantom smallest(pairs_of({240, 240, 1}, 218, seed));
    const auto labels = labels_of(smallest);
    const auto parts = parts_by_value(labels, 240, Connected::by_sides);
    EXPECT_EQ(parts.size(), 219u);
    for (const auto& [label, count] : parts) {
      EXPECT_TRUE(label == 0 || count == 1) << label;
    }
    EXPECT_EQ(parts_by_value(as_mask(labels), 240, Connected::by_sides)[255], 218 - 15 * 7);
    EXPECT_EQ(parts_by_value(as_mask(labels), 240, Connected::by_corners)[255], 218 - 15 * 7);
  }
}

TEST(Objects, PairsThatCannotBeAreRefused) {
  EXPECT_EQ(refusal_of(pairs_of({64, 64, 1}, {}, 0)), "not refused");
  EXPECT_NE(refusal_of(pairs_of({31, 64, 1}, {}, 0)), "not refused");
  EXPECT_NE(refusal_of(pairs_of({64, 64, 1}, 1, 0)), "not refused");
  EXPECT_NE(refusal_of(pairs_of({64, 64, 64}, {}, 0)), "not refused");
  PhantomOptions rings = objects_of(PhantomKind::rings, {200, 200, 1});
  rings.touching = true;
  EXPECT_EQ(refusal_of(rings), "touching was given with kind rings, expected blobs");
}

}  // namespace
}  // namespace meander
