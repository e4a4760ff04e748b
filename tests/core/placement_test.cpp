// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

#include "meander/image.hpp"

namespace meander {
namespace {

const Placement oblique{.origin = {10, -20, 30},
                        .step = {{{0.5, 0.25, 0}, {-1, 2, 0.125}, {0, -0.75, 3}}},
                        .axes = WorldAxes::ras,
                        .from = WorldOrigin::scanner};

TEST(Placement, APartBeginsWhereItsFirstPixelWas) {
  const Placement part = oblique.moved_to(4, 2, 1);
  EXPECT_EQ(part.origin, (Placement::Vector{10 + 2 - 2, -20 + 1 + 4 - 0.75, 30 + 0.25 + 3}));
  EXPECT_EQ(part.step, oblique.step);
}

TEST(Placement, OtherAxesMirrorWhatPointsTheOtherWay) {
  const Placement lps = oblique.in_axes(WorldAxes::lps);
  EXPECT_EQ(lps.origin, (Placement::Vector{-10, 20, 30}));
  EXPECT_EQ(lps.step[1], (Placement::Vector{1, -2, 0.125}));
  EXPECT_EQ(lps.axes, WorldAxes::lps);
  EXPECT_EQ(lps.from, oblique.from);
  const Placement las = oblique.in_axes(WorldAxes::las);
  EXPECT_EQ(las.origin, (Placement::Vector{-10, -20, 30}));
  EXPECT_EQ(las.in_axes(WorldAxes::lps), lps);
  EXPECT_EQ(lps.in_axes(WorldAxes::ras), oblique);
}

TEST(Placement, AxesWithoutANameAreTakenForLps) {
  Placement unnamed = oblique;
  unnamed.axes = WorldAxes::unnamed;
  EXPECT_EQ(unnamed.in_axes(WorldAxes::lps).origin, oblique.origin);
  EXPECT_EQ(unnamed.in_axes(WorldAxes::ras).origin, (Placement::Vector{-10, 20, 30}));
}

TEST(Placement, AnotherUnitScalesAllLengths) {
  const Placement scaled = oblique.scaled(4);
  EXPECT_EQ(scaled.origin, (Placement::Vector{40, -80, 120}));
  EXPECT_EQ(scaled.step[2], (Placement::Vector{0, -3, 12}));
}

/// Steps along axes of the world, the first step along `along[0]` and so on, 1 to 3 with a sign.
Placement straight(const std::array<int, 3>& along, WorldAxes axes) {
  Placement placement{.step = {}, .axes = axes};
  for (std::size_t i = 0; i < 3; ++i) {
    placement.step[i][static_cast<std::size_t>(std::abs(along[i])) - 1] = along[i] < 0 ? -2 : 2;
  }
  return placement;
}

TEST(Placement, OrientationNamesWhereTheAxesLead) {
  EXPECT_EQ(straight({1, 2, 3}, WorldAxes::ras).orientation(), "RAS");
  EXPECT_EQ(straight({1, 2, 3}, WorldAxes::lps).orientation(), "LPS");
  EXPECT_EQ(straight({1, 2, 3}, WorldAxes::las).orientation(), "LAS");
  EXPECT_EQ(straight({-1, -2, -3}, WorldAxes::ras).orientation(), "LPI");
  EXPECT_EQ(straight({2, -3, 1}, WorldAxes::lps).orientation(), "PIL");
  EXPECT_EQ(straight({2, -3, 1}, WorldAxes::scanner).orientation(), "+y-z+x");
}

TEST(Placement, OrientationGivesEachAxisOfTheWorldOnce) {
  // Steps x and y both go mostly to the right; together they follow best with y to the front.
  Placement skewed = straight({1, 2, 3}, WorldAxes::ras);
  skewed.step[1] = {3, 2, 0};
  EXPECT_EQ(skewed.orientation(), "RAS");
  Placement flat = skewed;
  flat.step[2] = {0, 0, 0};
  EXPECT_EQ(flat.orientation().size(), 3u);
}

TEST(Placement, AxesOfTheWorldHaveNames) {
  EXPECT_EQ(name_of(WorldAxes::ras), "ras");
  EXPECT_EQ(name_of(WorldAxes::left_handed), "left-handed");
  EXPECT_EQ(name_of(WorldAxes::unnamed), "unnamed");
}

}  // namespace
}  // namespace meander
