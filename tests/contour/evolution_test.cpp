// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/evolution.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "contour/track/track_testing.hpp"
#include "control_testing.hpp"
#include "meander/find.hpp"

namespace meander {
namespace {

/// A search of so many changes, each with an outline that tells its number.
std::vector<EvolutionFrame> film_of(std::int64_t changes) {
  EvolutionRecorder recorder;
  for (std::int64_t i = 0; i < changes; ++i) {
    const Polygon outline{{{i, 0}, {i + 1, 0}, {i, 1}}};
    recorder.add(SegmentState{.outline = outline, .iteration = i});
  }
  return recorder.frames();
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
    ASSERT_GT(frames.size(), EvolutionRecorder::most_frames / 2) << changes;
    ASSERT_LE(frames.size(), EvolutionRecorder::most_frames) << changes;
    EXPECT_EQ(first_x(frames.front()), 0) << changes;
    EXPECT_EQ(first_x(frames.back()), changes - 1) << changes;
    for (std::size_t i = 1; i < frames.size(); ++i) {
      const std::int64_t step = first_x(frames[i]) - first_x(frames[i - 1]);
      EXPECT_GT(step, 0) << changes;
      EXPECT_LE(step, 2 * changes / 59 + 1) << changes;
    }
  }
}

void add(EvolutionRecorder& recorder, std::size_t index, std::int64_t x, std::int64_t steps) {
  const Curve curve = curve_at(x);
  recorder.add(SnakeState{.curve_index = index, .curve = curve, .steps = steps});
}

TEST(Evolution, AFrameHoldsAllCurvesOfARound) {
  EvolutionRecorder recorder;
  const Polygon outline{curve_at(0).points};
  recorder.add(SegmentState{.outline = outline, .iteration = 100});
  add(recorder, 0, 1, 0);
  add(recorder, 1, 2, 0);
  add(recorder, 0, 11, 8);
  add(recorder, 1, 12, 8);
  add(recorder, 1, 22, 16);  // the first has come to rest
  for (int again = 0; again < 2; ++again) {
    const auto frames = recorder.frames();
    ASSERT_EQ(frames.size(), 4U);
    EXPECT_EQ(frames[0].step, 100);
    EXPECT_EQ(frames[0].curves, std::vector{curve_at(0)});
    EXPECT_EQ(frames[1].step, 100);
    EXPECT_EQ(first_x(frames[1], 0), 1);
    EXPECT_EQ(first_x(frames[1], 1), 2);
    EXPECT_EQ(frames[2].step, 108);
    EXPECT_EQ(first_x(frames[2], 0), 11);
    EXPECT_EQ(first_x(frames[2], 1), 12);
    EXPECT_EQ(frames[3].step, 116);
    EXPECT_EQ(first_x(frames[3], 0), 11);
    EXPECT_EQ(first_x(frames[3], 1), 22);
  }
}

TEST(Evolution, StatesBeforeAnyStepAreTheStarts) {
  EvolutionRecorder recorder;
  add(recorder, 0, 5, 0);
  add(recorder, 0, 6, 8);
  const auto frames = recorder.frames();
  ASSERT_EQ(frames.size(), 2U);
  EXPECT_EQ(first_x(frames[0]), 5);
  EXPECT_EQ(frames[0].step, 0);
  EXPECT_EQ(first_x(frames[1]), 6);
  EXPECT_EQ(frames[1].step, 8);
}

TEST(Evolution, ARunAfterAnotherGoesOnFromItsEnd) {
  EvolutionRecorder recorder;
  const Polygon outline{curve_at(0).points};
  for (int run = 0; run < 2; ++run) {
    add(recorder, 0, 1, 0);
    add(recorder, 0, 2, 8);
  }
  for (int run = 0; run < 2; ++run) {
    for (const std::int64_t i : {0, 5}) {
      recorder.add(SegmentState{.outline = outline, .iteration = i});
    }
  }
  std::vector<std::int64_t> steps;
  for (const EvolutionFrame& frame : recorder.frames()) steps.push_back(frame.step);
  EXPECT_EQ(steps, (std::vector<std::int64_t>{0, 8, 8, 16, 16, 21, 21, 26}));
}

/// What is shown ends where the search ends, of either model.
TEST(Evolution, EndsWithWhatWasFound) {
  const Image image = testing::frame_of({96, 96, 1}, {{48, 48, 20}}, 5, 10);
  EvolutionRecorder recorder;
  const FindResult found =
      find_outlines(image, {.model = SegmentModel::region_and_edge},
                    {.on_change = [&](const SegmentState& state) { recorder.add(state); },
                     .on_state = [&](const SnakeState& state) { recorder.add(state); }});
  const auto frames = recorder.frames();
  ASSERT_GE(frames.size(), 3U);
  EXPECT_LE(frames.size(), EvolutionRecorder::most_frames);
  EXPECT_EQ(frames.back().curves, curves_of(found));
  EXPECT_TRUE(std::ranges::is_sorted(frames, {}, &EvolutionFrame::step));
}

TEST(EvolutionText, IsInPixels) {
  const std::vector<EvolutionFrame> frames{
      {.step = 3, .curves = {{.points = {{128, 0}, {256, -1}}, .is_open = true}}}};
  EXPECT_EQ(evolution_as_json(frames),
            "[{\"step\":3,\"curves\":[{\"closed\":false,\"points\":[[0.5,0.0],"
            "[1.0,-0.00390625]]}]}]");
  const std::vector<EvolutionFrame> two{{.step = 0, .curves = {{}, {}}}, {.step = 1, .curves = {}}};
  EXPECT_EQ(evolution_as_json(two),
            "[{\"step\":0,\"curves\":[{\"closed\":true,\"points\":[]},"
            "{\"closed\":true,\"points\":[]}]},{\"step\":1,\"curves\":[]}]");
  EXPECT_EQ(evolution_as_json({}), "[]");
}

TEST(EvolutionText, HearsItsControl) {
  const std::vector<EvolutionFrame> frames(3);
  testing::expect_hears([&](const Control& control) { evolution_as_json(frames, control); });
}

}  // namespace
}  // namespace meander
