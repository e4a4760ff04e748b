// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace meander
