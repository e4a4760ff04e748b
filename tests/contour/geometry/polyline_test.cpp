// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "contour/geometry/polyline.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "contour/edge/motion.hpp"

namespace meander::contour {
namespace {

Polyline circle(double radius, int points) {
  Polyline line;
  for (int i = 0; i < points; ++i) {
    const double angle = 2 * std::numbers::pi * i / points;
    line.points.push_back({50 + radius * std::cos(angle), 50 + radius * std::sin(angle)});
  }
  return line;
}

double distance(const Point& a, const Point& b) { return std::hypot(a.x - b.x, a.y - b.y); }

TEST(Polyline, LengthAndAreaAreThoseOfTheShape) {
  const Polyline square{.points = {{1, 2}, {4, 2}, {4, 6}, {1, 6}}};
  EXPECT_DOUBLE_EQ(square.length(), 14);
  EXPECT_DOUBLE_EQ(square.area(), 12);
  EXPECT_DOUBLE_EQ(square.middle().x, 2.5);
  EXPECT_DOUBLE_EQ(square.middle().y, 4);
  const Polyline open{.points = square.points, .is_open = true};
  EXPECT_DOUBLE_EQ(open.length(), 10);
}

TEST(Polyline, ResamplingKeepsTheShapeAndEvensTheDistances) {
  const Polyline square{.points = {{0, 0}, {30, 0}, {30, 30}, {0, 30}}};
  const Polyline even = resampled(square, count_for(square, 2, 8));
  ASSERT_EQ(even.points.size(), 60u);
  for (std::size_t i = 0; i < 60; ++i) EXPECT_NEAR(distance(even.points[i], even.next(i)), 2, 1e-9);
  EXPECT_NEAR(even.area(), 900, 1e-9);
  EXPECT_EQ(count_for(square, 1000, 8), 8u);
}

TEST(Polyline, ResamplingKeepsBothEndsOfALine) {
  const Polyline line{.points = {{0, 0}, {1, 0}, {10, 0}}, .is_open = true};
  const Polyline even = resampled(line, count_for(line, 2, 3));
  ASSERT_EQ(even.points.size(), 6u);
  EXPECT_EQ(even.points.front().x, 0);
  EXPECT_EQ(even.points.back().x, 10);
  EXPECT_NEAR(even.points[1].x, 2, 1e-12);
}

/// Points that went round a circle by the same way all, and come back.
TEST(Polyline, ASlideIsFoundAndTakenBack) {
  const Polyline before = circle(40, 360);
  Polyline turned = before;
  std::rotate(turned.points.begin(), turned.points.begin() + 2, turned.points.end());
  const double slide = mean_slide(before, turned);
  EXPECT_NEAR(slide, 40 * std::sin(2 * 2 * std::numbers::pi / 360), 1e-9);
  const Polyline back = resampled(turned, 360, -slide);
  for (std::size_t i = 0; i < 360; ++i) {
    // A slide is measured along the tangent, which on two steps of 360 is short by 2e-4 of them.
    EXPECT_LT(distance(back.points[i], before.points[i]), 1e-3);
  }
}

TEST(Polyline, OnlyMovesAcrossTheLineCount) {
  const Polyline before = circle(20, 60);
  Polyline slid = before;
  std::rotate(slid.points.begin(), slid.points.begin() + 2, slid.points.end());
  EXPECT_NEAR(largest_move(before, slid), 0, 1e-12);
  Polyline moved = before;
  moved.points[30].x -= 1.5;  // opposite to where points begin: straight outwards
  EXPECT_NEAR(largest_move(before, moved), 1.5, 1e-9);
}

TEST(EdgeLoops, ACurveWithoutAnyStaysAsItIs) {
  Polyline line = circle(20, 60);
  EXPECT_EQ(cut_loops(line, 8), 0);
  EXPECT_EQ(line.points.size(), 60u);
}

/// Two points that changed their places make a loop of one crossing.
TEST(EdgeLoops, ASmallOneIsTakenOut) {
  Polyline line = circle(20, 60);
  std::swap(line.points[17], line.points[18]);
  EXPECT_EQ(cut_loops(line, 8), 1);
  EXPECT_LT(line.points.size(), 60u);
  EXPECT_GE(line.points.size(), 57u);
  EXPECT_TRUE(is_simple({on_grid(line).points}));
  EXPECT_NEAR(line.area(), circle(20, 60).area(), 10);
}

TEST(EdgeLoops, TwoPointsInOnePlaceDoNotStay) {
  Polyline line = circle(20, 60);
  line.points[0] = line.points[59];
  EXPECT_EQ(cut_loops(line, 8), 1);
  EXPECT_GE(line.points.size(), 58u);
  EXPECT_TRUE(is_simple({on_grid(line).points}));
}

/// An eight: neither half is small.
TEST(EdgeLoops, LargeOnesAreRefused) {
  Polyline eight;
  for (int i = 0; i < 80; ++i) {
    const double t = 2 * std::numbers::pi * (i + 0.5) / 80;
    eight.points.push_back({50 + 30 * std::sin(t), 50 + 15 * std::sin(2 * t)});
  }
  EXPECT_FALSE(cut_loops(eight, 8).has_value());
}

TEST(EdgeLoops, OpenLinesAreNotClosedByAnEdge) {
  // A horseshoe whose ends have passed each other: closed it would cross itself, open it does once.
  Polyline line{.is_open = true};
  for (int i = 0; i <= 60; ++i) line.points.push_back({static_cast<double>(i), 0});
  Polyline crossing = line;
  EXPECT_EQ(cut_loops(line, 3), 0);
  crossing.points[30] = {30, 4};
  crossing.points[31] = {33.5, 0.5};
  crossing.points[32] = {30.5, -1};
  crossing.points[33] = {30.5, 6};
  EXPECT_GT(cut_loops(crossing, 3).value_or(0), 0);
  EXPECT_EQ(crossing.points.front().x, 0);
  EXPECT_EQ(crossing.points.back().x, 60);
}

}  // namespace
}  // namespace meander::contour
