// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/track/match.hpp"

#include <gtest/gtest.h>

#include "contour/geometry/polygon_testing.hpp"
#include "contour/track/track_starts.hpp"

namespace meander::contour {
namespace {

constexpr Shape image{200, 160, 1};

Region disc(double x, double y, double radius) { return {circle_outline(x, y, radius), {}}; }

Region ring(double x, double y, double radius) {
  Polygon hole = circle_outline(x, y, radius / 2);
  std::reverse(hole.vertices.begin(), hole.vertices.end());
  return {circle_outline(x, y, radius), {hole}};
}

std::vector<TrackShape> shapes(const std::vector<Region>& regions) {
  std::vector<TrackShape> shapes;
  for (const Region& region : regions) shapes.emplace_back(region, image);
  return shapes;
}

TrackMatches match(const std::vector<Region>& expected, const std::vector<Region>& found) {
  return match_tracks(shapes(expected), shapes(found), image);
}

/// Pixel by pixel, by another way to tell inside from outside.
bool holds(const Region& region, std::int64_t x, std::int64_t y) {
  if (testing::winding_number(region.outer, x, y) == 0) return false;
  for (const Polygon& hole : region.holes) {
    if (testing::winding_number(hole, x, y) != 0) return false;
  }
  return true;
}

template <class F>
std::int64_t count_pixels(F&& is_of_it) {
  std::int64_t count = 0;
  for (std::int64_t y = 0; y < image.y; ++y) {
    for (std::int64_t x = 0; x < image.x; ++x) count += is_of_it(x, y) ? 1 : 0;
  }
  return count;
}

TEST(TrackPixels, SetsAreThoseOfSinglePixels) {
  const Region a = ring(60.3, 50.8, 30), b = disc(85, 60.4, 25), beyond = disc(195, 3, 20);
  for (const auto& pair : {std::pair(a, b), {b, a}, {beyond, a}, {a, a}}) {
    const Region &one = pair.first, &two = pair.second;
    const PixelSet p = pixels_of(one, image), q = pixels_of(two, image);
    EXPECT_EQ(p.count(), count_pixels([&](auto x, auto y) { return holds(one, x, y); }));
    EXPECT_EQ(count_common(p, q),
              count_pixels([&](auto x, auto y) { return holds(one, x, y) && holds(two, x, y); }));
    const PixelSet rest = without(p, q);
    EXPECT_EQ(rest.count(), p.count() - count_common(p, q));
    EXPECT_EQ(count_common(rest, q), 0);
    EXPECT_EQ(count_common(rest, p), rest.count());
  }
}

TEST(TrackPixels, GrowthReachesAllNeighbours) {
  const Region region = disc(5, 150, 12);
  const auto near = [&](std::int64_t x, std::int64_t y) {
    for (const std::int64_t dy : {-1, 0, 1}) {
      for (const std::int64_t dx : {-1, 0, 1}) {
        const bool is_inside = x + dx >= 0 && y + dy >= 0 && x + dx < image.x && y + dy < image.y;
        if (is_inside && holds(region, x + dx, y + dy)) return true;
      }
    }
    return false;
  };
  EXPECT_EQ(grown(pixels_of(region, image), image).count(), count_pixels(near));
}

/// Two squares with a line of one pixel between them are two; a line that leads nowhere is none.
TEST(TrackPixels, NecksPartWhatTheyJoin) {
  contour::PixelSet joined;
  for (std::int64_t y = 0; y < 9; ++y) {
    if (y == 4) {
      joined.runs.push_back({y, 0, 24});
    } else {
      joined.runs.push_back({y, 0, 9});
      joined.runs.push_back({y, 14, 20});
    }
  }
  const std::vector<Region> parts = contour::parts_without_necks(joined);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_NEAR(parts[0].area(), 81, 4);
  EXPECT_NEAR(parts[1].area(), 54, 4);
  contour::PixelSet tail;
  for (std::int64_t y = 0; y < 9; ++y) tail.runs.push_back({y, 0, y == 4 ? 24 : 9});
  EXPECT_TRUE(contour::parts_without_necks(tail).empty());
}

TEST(TrackPixels, CentroidsAreThoseOfTheShape) {
  const Region box{box_outline(10, 20, 16, 28), {}};
  EXPECT_EQ(centroid_of(box).x, 13);
  EXPECT_EQ(centroid_of(box).y, 24);
  // A square of 8 with a hole of 2 in its right half: x = (64·4 - 4·6)/60.
  Polygon hole = box_outline(5, 3, 7, 5);
  std::reverse(hole.vertices.begin(), hole.vertices.end());
  const Point centre = centroid_of(Region{box_outline(0, 0, 8, 8), {hole}});
  EXPECT_NEAR(centre.x, 232.0 / 60, 1e-12);
  EXPECT_NEAR(centre.y, 4, 1e-12);
  const Curve open{.points = {{0, 0}, {4 * 256, 0}, {4 * 256, 4 * 256}}, .is_open = true};
  EXPECT_NEAR(centroid_of(open).x, 3, 1e-12);
  EXPECT_NEAR(centroid_of(open).y, 1, 1e-12);
}

TEST(TrackMatch, PathsThatCrossKeepTheirOwners) {
  // Two that passed each other: each is expected where the other was, and is found near there.
  const auto matches =
      match({disc(80, 80, 12), disc(50, 80, 12)}, {disc(52, 81, 12), disc(78, 79, 12)});
  EXPECT_EQ(matches.finding_of[0], 1u);
  EXPECT_EQ(matches.finding_of[1], 0u);
  EXPECT_TRUE(matches.unclaimed.empty());
}

TEST(TrackMatch, TheLargerOverlapWins) {
  const auto matches = match({disc(50, 50, 12), disc(62, 50, 12)}, {disc(64, 50, 12)});
  EXPECT_FALSE(matches.finding_of[0]);
  EXPECT_EQ(matches.finding_of[1], 0u);
}

TEST(TrackMatch, AJumpBeyondTheRadiusIsFollowed) {
  // No pixel in common, but within a diameter; and one beyond that, which is somebody else's.
  const auto matches = match({disc(50, 50, 10)}, {disc(50, 69, 10)});
  EXPECT_LT(pixels_of(disc(50, 50, 10), image).box().y1, 69 - 8);
  EXPECT_EQ(matches.finding_of[0], 0u);
  const auto beyond = match({disc(50, 50, 10)}, {disc(50, 75, 10)});
  EXPECT_FALSE(beyond.finding_of[0]);
  EXPECT_EQ(beyond.unclaimed, std::vector<std::size_t>{0});
}

TEST(TrackMatch, TheNearerOfTwoJumpsWins) {
  const auto matches = match({disc(40, 50, 10), disc(80, 50, 10)}, {disc(60.5, 50, 10)});
  EXPECT_FALSE(matches.finding_of[0]);
  EXPECT_EQ(matches.finding_of[1], 0u);
}

TEST(TrackMatch, ASpeckIsNobodysJump) {
  const auto matches = match({disc(50, 50, 12)}, {disc(50, 66, 3)});
  EXPECT_FALSE(matches.finding_of[0]);
  EXPECT_EQ(matches.unclaimed.size(), 1u);
}

TEST(TrackMatch, ObjectsAppearAndAreMissed) {
  const auto matches =
      match({disc(40, 40, 10), disc(120, 40, 10)}, {disc(42, 40, 10), disc(60, 120, 9)});
  EXPECT_EQ(matches.finding_of[0], 0u);
  EXPECT_FALSE(matches.finding_of[1]);
  EXPECT_EQ(matches.unclaimed, std::vector<std::size_t>{1});
}

TEST(TrackMatch, HalvesInsideAreParts) {
  const auto matches = match({disc(100, 80, 20)}, {disc(87, 80, 12), disc(113, 80, 12)});
  EXPECT_EQ(matches.parts_of[0], (std::vector<std::size_t>{0, 1}));
  EXPECT_FALSE(matches.finding_of[0]);
  EXPECT_TRUE(matches.unclaimed.empty());
}

TEST(TrackMatch, ASpeckBesideTheObjectIsNoPart) {
  const auto matches = match({disc(100, 80, 20)}, {disc(98, 80, 18), disc(117, 80, 3)});
  EXPECT_TRUE(matches.parts_of[0].empty());
  EXPECT_EQ(matches.finding_of[0], 0u);
}

TEST(TrackMatch, TwoFoundAsOneStayTwo) {
  const Region both{box_outline(60, 60, 110, 90), {}};
  const auto matches = match({disc(73, 75, 12), disc(98, 75, 12)}, {both});
  EXPECT_FALSE(matches.finding_of[0]);
  EXPECT_FALSE(matches.finding_of[1]);
  EXPECT_TRUE(matches.unclaimed.empty());
}

TEST(TrackStarts, NoTwoOverlapOrTouch) {
  TrackStarts starts(image);
  EXPECT_TRUE(starts.add(disc(50, 50, 15)));
  EXPECT_TRUE(starts.add(disc(72, 50, 15)));   // what is left of it
  EXPECT_FALSE(starts.add(disc(52, 50, 15)));  // nothing much is
  const Region elsewhere = disc(150, 120, 10);
  EXPECT_TRUE(starts.add(disc(52, 55, 15), &elsewhere));
  EXPECT_EQ(starts.regions().back(), elsewhere);
  EXPECT_TRUE(starts.add(disc(196, 20, 12)));  // cut at the border
  EXPECT_FALSE(starts.add(disc(-30, 20, 12)));
  EXPECT_FALSE(starts.add({box_outline(-5, -5, 300, 300), {}}));
  ASSERT_EQ(starts.regions().size(), 4u);
  EXPECT_EQ(starts.regions()[0], disc(50, 50, 15));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_TRUE(is_simple(starts.regions()[i].outer));
    for (std::size_t k = 0; k < i; ++k) {
      const PixelSet a = grown(pixels_of(starts.regions()[i], image), image);
      EXPECT_EQ(count_common(a, pixels_of(starts.regions()[k], image)), 0);
    }
  }
  EXPECT_EQ(starts.nearest(pixels_of(disc(75, 50, 15), image)), 1u);
  EXPECT_EQ(starts.nearest(pixels_of(disc(100, 140, 5), image)), std::nullopt);
}

}  // namespace
}  // namespace meander::contour
