// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "evolution.hpp"

#include <gtest/gtest.h>

namespace meander::app {
namespace {

/// A search of so many changes, each with an outline that tells its number.
std::vector<Polygon> film_of(std::int64_t changes) {
  Evolution evolution;
  for (std::int64_t i = 0; i < changes; ++i) evolution.add({{{i, 0}, {i + 1, 0}, {i, 1}}});
  return evolution.frames();
}

TEST(Evolution, ShowsEveryChangeOfFew) {
  EXPECT_TRUE(film_of(0).empty());
  for (const std::int64_t changes : {1, 2, 59, 60}) {
    const auto frames = film_of(changes);
    ASSERT_EQ(frames.size(), static_cast<std::size_t>(changes));
    for (std::size_t i = 0; i < frames.size(); ++i) {
      EXPECT_EQ(frames[i].vertices.at(0).x, static_cast<std::int64_t>(i)) << changes;
    }
  }
}

TEST(Evolution, SpreadsManyEvenlyFromTheFirstToTheLast) {
  for (const std::int64_t changes : {61, 119, 120, 121, 240, 1000, 12345}) {
    const auto frames = film_of(changes);
    ASSERT_GT(frames.size(), Evolution::most_frames / 2) << changes;
    ASSERT_LE(frames.size(), Evolution::most_frames) << changes;
    EXPECT_EQ(frames.front().vertices.at(0).x, 0) << changes;
    EXPECT_EQ(frames.back().vertices.at(0).x, changes - 1) << changes;
    for (std::size_t i = 1; i < frames.size(); ++i) {
      const std::int64_t step = frames[i].vertices.at(0).x - frames[i - 1].vertices.at(0).x;
      EXPECT_GT(step, 0) << changes;
      EXPECT_LE(step, 2 * changes / 59 + 1) << changes;
    }
  }
}

}  // namespace
}  // namespace meander::app
