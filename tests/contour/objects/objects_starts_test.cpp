// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/objects/object_starts.hpp"

#include <cmath>

#include "contour/objects/confine.hpp"
#include "contour/objects/objects_testing.hpp"
#include "contour/objects/windows.hpp"
#include "contour/region/confine.hpp"
#include "core/image_state.hpp"

/// Starts that touch, overlap or leave the image, and who is whose neighbour.
namespace meander {
namespace {

using namespace testing;

constexpr Shape square{64, 64, 1};

int pixels_in(const Region& region) {
  const std::vector<int> pixels = pixels_of(region, 64, 64);
  return static_cast<int>(std::count(pixels.begin(), pixels.end(), 1));
}

/// Outlines of labels side by side share nodes; drawn in they hold the same pixels.
TEST(Starts, ThatTouchAreDrawnApartAndKeepTheirPixels) {
  Image labels = Image::allocate({.shape = square, .type = PixelType::u16});
  for (std::int64_t y = 0; y < 64; ++y) {
    for (std::int64_t x = 0; x < 64; ++x) {
      const bool is_object = x >= 8 && x < 56 && y >= 8 && y < 56;
      labels.mutable_row<std::uint16_t>(y)[x] =
          static_cast<std::uint16_t>(is_object ? 1 + (x + y / 3) / 32 : 0);
    }
  }
  std::vector<Region> touching;
  for (LabelledRegion& part : regions_of_labels(labels)) touching.push_back(part.region);
  ASSERT_GT(touching.size(), 1u);
  EXPECT_FALSE(contour::are_apart(touching));
  const std::vector<Region> starts = contour::prepared_starts(touching, square);
  EXPECT_TRUE(contour::are_apart(starts));
  ASSERT_EQ(starts.size(), touching.size());
  for (std::size_t i = 0; i < starts.size(); ++i) {
    EXPECT_TRUE(is_simple(starts[i].outer));
    EXPECT_EQ(pixels_of(starts[i], 64, 64), pixels_of(touching[i], 64, 64));
    for (std::size_t k = 0; k < i; ++k) EXPECT_FALSE(do_touch(starts[i].outer, starts[k].outer));
  }
}

TEST(Starts, ThatOverlapArePartedForTheLaterOne) {
  const std::vector<Region> starts = contour::prepared_starts(
      {{box_outline(9.5, 9.5, 40.5, 40.5), {}}, {box_outline(29.5, 19.5, 50.5, 30.5), {}}}, square);
  ASSERT_EQ(starts.size(), 2u);
  EXPECT_TRUE(contour::are_apart(starts));
  EXPECT_EQ(pixels_in(starts[0]), 31 * 31 - 11 * 11);
  EXPECT_EQ(pixels_in(starts[1]), 21 * 11);
  // One in the other: what is left has a hole.
  const std::vector<Region> nested =
      contour::prepared_starts({disc(30, 30, 20), disc(30, 30, 8)}, square);
  ASSERT_EQ(nested[0].holes.size(), 1u);
  EXPECT_TRUE(contour::are_apart(nested));
  EXPECT_THROW(contour::prepared_starts({disc(30, 30, 8), disc(30, 30, 20)}, square),
               InvalidArgument);
}

TEST(Starts, HolesLieSideBySideInTheirOutline) {
  const auto is_good = [](std::vector<Polygon> holes) {
    for (Polygon& hole : holes) hole = backwards(hole);
    return contour::are_apart({{box_outline(4.5, 4.5, 40.5, 40.5), holes}});
  };
  const Polygon one = box_outline(10.5, 10.5, 20.5, 20.5);
  EXPECT_TRUE(is_good({one, box_outline(22.5, 10.5, 30.5, 20.5)}));
  EXPECT_FALSE(is_good({one, box_outline(20.5, 12.5, 30.5, 18.5)})) << "touching";
  EXPECT_FALSE(is_good({one, box_outline(12.5, 12.5, 14.5, 14.5)})) << "one in the other";
  EXPECT_FALSE(is_good({box_outline(12.5, 12.5, 14.5, 14.5), one})) << "the other in it";
  EXPECT_FALSE(is_good({one, box_outline(30.5, 30.5, 40.5, 36.5)})) << "touching the outline";
  EXPECT_FALSE(is_good({one, box_outline(44.5, 12.5, 50.5, 14.5)})) << "outside";
}

TEST(Starts, AreCutToTheImageAndPutInOrder) {
  Region start = annulus(32, 32, 20, 8);
  start.outer = backwards(start.outer);
  start.holes[0] = backwards(start.holes[0]);
  const std::vector<Region> one = contour::prepared_starts({start}, square);
  EXPECT_GT(one[0].outer.signed_area(), 0);
  EXPECT_LT(one[0].holes[0].signed_area(), 0);
  const std::vector<Region> cut = contour::prepared_starts({disc(60, 32, 12)}, square);
  for (const GridPoint& p : cut[0].outer.vertices) EXPECT_LE(p.x, 64 * 256 - 128);
  EXPECT_THROW(contour::prepared_starts({disc(100, 32, 12)}, square), InvalidArgument);
}

/// Outlines in a confinement around a disc of 10 pixels, beside one that holds all of a square of
/// 40.
class Confinements : public ::testing::Test {
 protected:
  Confinements() {
    for (std::int64_t y = 0; y < 64; ++y) {
      for (std::int64_t x = 0; x < 64; ++x) {
        const bool is_bright = x >= 24 && x < 40 && y >= 24 && y < 40;
        image_.mutable_row<std::uint8_t>(y)[x] =
            static_cast<std::uint8_t>((is_bright ? 200 : 100) + (x * 7 + y * 5) % 11);
      }
    }
  }
  contour::Confined judged(const Polygon& outline, const Polygon& far, int step) {
    const contour::SumLevels sums(image_.state().backend, image_.state().view, {});
    const contour::Criterion criterion({}, {}, sums.total());
    const auto within = contour::confinement(disc(31.5, 31.5, 10), step, square);
    return contour::judged({outline, {}}, {far, {}}, *within, sums, criterion);
  }

  const Polygon far_ = box_outline(11.5, 11.5, 51.5, 51.5);
  Image image_ = Image::allocate({.shape = square, .type = PixelType::u8});
};

TEST_F(Confinements, AnOutlineOnTheBorderIsHeld) {
  EXPECT_EQ(judged(circle_outline(31.5, 31.5, 10), far_, 0), contour::Confined::held);
  EXPECT_EQ(judged(circle_outline(31.5, 31.5, 14.5), far_, 1), contour::Confined::held);
}

/// A third of the border of this object lies on the confinement: it would not grow there.
TEST_F(Confinements, AnObjectThatTheOtherHasLeftIsToldByItsLevel) {
  EXPECT_EQ(judged(box_outline(23.5, 23.5, 39.5, 39.5), far_, 1), contour::Confined::left_off);
  EXPECT_EQ(judged(box_outline(23.5, 17.5, 39.5, 39.5), far_, 1), contour::Confined::left_off);
  // No object, for its level goes on.
  EXPECT_EQ(judged(box_outline(25.5, 25.5, 33.5, 33.5), box_outline(23.5, 23.5, 39.5, 39.5), 1),
            contour::Confined::on_way);
}

/// A start around something that fills most of it, though its level goes on.
TEST_F(Confinements, AStartThatIsFullHoldsItsObject) {
  const Polygon far = box_outline(23.5, 23.5, 39.5, 39.5);
  EXPECT_EQ(judged(circle_outline(31.5, 31.5, 7.5), far, 0), contour::Confined::left_off);
  EXPECT_EQ(judged(circle_outline(31.5, 31.5, 6.5), far, 0), contour::Confined::on_way);
}

/// A start around something whose border the other one has too, but for a neck.
TEST_F(Confinements, AStartAroundAnObjectHoldsIt) {
  const Polygon neck{{on_grid(27.5, 27.5), on_grid(34.5, 27.5), on_grid(34.5, 30.5),
                      on_grid(39.5, 30.5), on_grid(39.5, 32.5), on_grid(34.5, 32.5),
                      on_grid(34.5, 34.5), on_grid(27.5, 34.5)}};
  EXPECT_EQ(judged(box_outline(27.5, 27.5, 34.5, 34.5), neck, 0), contour::Confined::left_off);
  EXPECT_EQ(judged(box_outline(27.5, 27.5, 34.5, 34.5), neck, 1), contour::Confined::on_way);
}

TEST_F(Confinements, GrowByHalfUpToTheImage) {
  const Region start = disc(31.5, 31.5, 10);
  double radius = 11;
  for (int step = 0; const auto within = contour::confinement(start, step, square); ++step) {
    EXPECT_NEAR(std::sqrt(within->zone.signed_area() / std::numbers::pi),
                std::max(11.0, 10 * std::pow(1.5, step)), 1.2);
    radius = 10 * std::pow(1.5, step);
  }
  EXPECT_GT(radius, 45);
  EXPECT_LT(radius, 74);
}

/// What is nearer to a start than to the others, and all of the image is somebody's.
TEST(Zones, LieBetweenStarts) {
  const std::vector<Region> starts{disc(10, 32, 4), disc(40, 32, 4), disc(40, 55, 2)};
  const std::vector<Polygon> zones = contour::zones_between(starts, square);
  ASSERT_EQ(zones.size(), 3u);
  EXPECT_TRUE(contour::holds(zones[0], on_grid(23, 32)));
  EXPECT_TRUE(contour::holds(zones[1], on_grid(27, 32)));
  EXPECT_TRUE(contour::holds(zones[1], on_grid(63.5, 0)));
  EXPECT_TRUE(contour::holds(zones[2], on_grid(40, 48)));
  EXPECT_FALSE(contour::holds(zones[1], on_grid(40, 48)));
  int covered = 0;
  for (const Polygon& zone : zones) covered += pixels_in({zone, {}});
  EXPECT_NEAR(covered, 64 * 64, 16);
}

TEST(Windows, HoldTheOutlineAndAMarginWithinTheImage) {
  const contour::Box window =
      contour::window_around(box_outline(100, 100, 180, 140), {1000, 130, 1});
  // 40 pixels, half the larger side, beyond the outline, at borders between pixels.
  EXPECT_EQ(window.low, (GridPoint{60 * 256 - 128, 60 * 256 - 128}));
  EXPECT_EQ(window.high, (GridPoint{220 * 256 + 128, 130 * 256 - 128}));
  EXPECT_FALSE(contour::is_held_back(box_outline(100, 100, 180, 140), window, {1000, 130, 1}));
  EXPECT_TRUE(contour::is_held_back(box_outline(59.5, 100, 180, 120), window, {1000, 130, 1}));
}

TEST(Windows, NeighboursAreNeverInOneGroup) {
  phantoms::UniformSequence random(3, 0, phantoms::Purpose::geometry);
  std::vector<contour::Box> boxes;
  for (int i = 0; i < 60; ++i) {
    const GridPoint low{drawn_below(1000, random), drawn_below(1000, random)};
    boxes.push_back({low, {low.x + drawn_below(200, random), low.y + drawn_below(200, random)}});
  }
  const auto neighbours = contour::neighbours_of(boxes);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    std::vector<std::size_t> expected;
    for (std::size_t k = 0; k < boxes.size(); ++k) {
      if (k != i && contour::do_meet(boxes[i], boxes[k])) expected.push_back(k);
    }
    EXPECT_EQ(neighbours[i], expected) << i;
  }
  std::vector<bool> takes_part(boxes.size(), true);
  takes_part[7] = false;
  std::vector<int> seen(boxes.size(), 0);
  for (const auto& group : contour::groups_apart(neighbours, takes_part)) {
    for (std::size_t a = 0; a < group.size(); ++a) {
      ++seen[group[a]];
      for (std::size_t b = 0; b < a; ++b) {
        EXPECT_FALSE(contour::do_meet(boxes[group[a]], boxes[group[b]]));
      }
    }
  }
  for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], i == 7 ? 0 : 1);
}

}  // namespace
}  // namespace meander
