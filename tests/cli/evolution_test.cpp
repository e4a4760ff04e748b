// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "segment/evolution.hpp"

#include <gtest/gtest.h>

namespace meander::app {
namespace {

/// A search of so many changes, each with an outline that tells its number.
std::vector<EvolutionFrame> film_of(std::int64_t changes) {
  Evolution evolution;
  for (std::int64_t i = 0; i < changes; ++i) {
    evolution.add({.step = i, .curves = {{.points = {{i, 0}, {i + 1, 0}, {i, 1}}}}});
  }
  return evolution.frames();
}

std::int64_t first_x(const EvolutionFrame& frame, std::size_t curve = 0) {
  return frame.curves.at(curve).points.at(0).x;
}

Curve curve_at(std::int64_t x) { return {.points = {{x, 0}, {x + 9, 0}, {x, 9}}}; }

TEST(Evolution, ShowsEveryChangeOfFew) {
  EXPECT_TRUE(film_of(0).empty());
  for (const std::int64_t changes : {1, 2, 59, 60}) {
    const auto frames = film_of(changes);
    ASSERT_EQ(frames.size(), static_cast<std::size_t>(changes));
    for (std::size_t i = 0; i < frames.size(); ++i) {
      EXPECT_EQ(first_x(frames[i]), static_cast<std::int64_t>(i)) << changes;
    }
  }
}

TEST(Evolution, SpreadsManyEvenlyFromTheFirstToTheLast) {
  for (const std::int64_t changes : {61, 119, 120, 121, 240, 1000, 12345}) {
    const auto frames = film_of(changes);
    ASSERT_GT(frames.size(), Evolution::most_frames / 2) << changes;
    ASSERT_LE(frames.size(), Evolution::most_frames) << changes;
    EXPECT_EQ(first_x(frames.front()), 0) << changes;
    EXPECT_EQ(first_x(frames.back()), changes - 1) << changes;
    for (std::size_t i = 1; i < frames.size(); ++i) {
      const std::int64_t step = first_x(frames[i]) - first_x(frames[i - 1]);
      EXPECT_GT(step, 0) << changes;
      EXPECT_LE(step, 2 * changes / 59 + 1) << changes;
    }
  }
}

TEST(SnakeEvolution, AFrameHoldsAllCurvesOfARound) {
  Evolution evolution;
  SnakeEvolution snakes(evolution, {curve_at(1), curve_at(2)}, 100);
  const auto add = [&](std::size_t index, std::int64_t x, std::int64_t steps) {
    const Curve curve = curve_at(x);
    snakes.add({.curve_index = index, .curve = curve, .steps = steps});
  };
  add(0, 11, 8);
  add(1, 12, 8);
  add(1, 22, 16);  // the first has come to rest
  snakes.finish();
  const auto frames = evolution.frames();
  ASSERT_EQ(frames.size(), 3U);
  EXPECT_EQ(frames[0].step, 100);
  EXPECT_EQ(first_x(frames[0], 0), 1);
  EXPECT_EQ(first_x(frames[0], 1), 2);
  EXPECT_EQ(frames[1].step, 108);
  EXPECT_EQ(first_x(frames[1], 0), 11);
  EXPECT_EQ(first_x(frames[1], 1), 12);
  EXPECT_EQ(frames[2].step, 116);
  EXPECT_EQ(first_x(frames[2], 0), 11);
  EXPECT_EQ(first_x(frames[2], 1), 22);
}

TEST(SnakeEvolution, StatesBeforeAnyStepAreTheStarts) {
  Evolution evolution;
  SnakeEvolution snakes(evolution, {}, 0);
  const Curve start = curve_at(5), later = curve_at(6);
  snakes.add({.curve_index = 0, .curve = start, .steps = 0});
  snakes.add({.curve_index = 0, .curve = later, .steps = 8});
  snakes.finish();
  const auto frames = evolution.frames();
  ASSERT_EQ(frames.size(), 2U);
  EXPECT_EQ(first_x(frames[0]), 5);
  EXPECT_EQ(first_x(frames[1]), 6);
}

TEST(EvolutionText, IsInPixels) {
  const std::vector<EvolutionFrame> frames{
      {.step = 3, .curves = {{.points = {{128, 0}, {256, -1}}, .is_open = true}}}};
  const std::string text = evolution_as_json(frames, {.shape = {7, 5, 1}});
  EXPECT_NE(text.find("\"shape\":[5,7]"), std::string::npos) << text;
  EXPECT_NE(text.find("\"frames\":[{\"step\":3,\"curves\":[{\"closed\":false,\"points\":[[0.5,0.0],"
                      "[1.0,-0.00390625]]}]}]"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace meander::app
