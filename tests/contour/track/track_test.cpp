// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/track.hpp"

#include <gtest/gtest.h>

#include "contour/track/track_testing.hpp"
#include "meander/device.hpp"

namespace meander {
namespace {

using testing::Disc;
using testing::frame_of;
using testing::object_at;

const Shape shape{128, 96, 1};

Image on_cpu(const Image& image) { return Device::open("cpu").upload(image); }

ObjectOptions one_object() {
  ObjectOptions options;
  options.max_objects = 1;
  return options;
}

EdgeOptions edges() {
  EdgeOptions options;
  options.sigma = Scale{2};
  return options;
}

TEST(ObjectTracker, OneObjectKeepsItsNumber) {
  ObjectTracker tracker(one_object());
  double x = 30;
  for (std::int64_t i = 0; i < 6; ++i, x += 9) {
    const Disc disc{x, 48, 12};
    const TrackFrame frame = tracker.next(on_cpu(frame_of(shape, {disc}, 7 + i)));
    ASSERT_EQ(frame.objects.size(), 1u) << i;
    const TrackedObject* object = object_at(frame, disc);
    ASSERT_NE(object, nullptr) << i;
    EXPECT_EQ(frame.frame, i);
    EXPECT_EQ(object->id, 1);
    EXPECT_EQ(object->event, i == 0 ? TrackEvent::appeared : TrackEvent::continued);
    ASSERT_EQ(object->dx.has_value(), i > 0);
    EXPECT_NEAR(object->dx.value_or(9), 9, 1);
  }
}

/// Four bright discs and their frames, as the tests below change them.
struct Scene {
  std::vector<Disc> discs{{40, 40, 11}, {110, 44, 11}, {44, 110, 11}, {112, 108, 12}};
  ObjectTracker tracker{ObjectOptions()};
  std::uint64_t seed = 100;

  TrackFrame next() { return tracker.next(on_cpu(frame_of({160, 152, 1}, discs, ++seed, 25))); }
};

TEST(ObjectTracker, ObjectsAppearAndVanish) {
  Scene scene;
  ASSERT_EQ(scene.next().objects.size(), 4u);
  const Disc gone = scene.discs[1];
  scene.discs.erase(scene.discs.begin() + 1);
  TrackFrame frame = scene.next();
  EXPECT_EQ(object_at(frame, gone), nullptr);
  ASSERT_EQ(frame.objects.size(), 3u);
  ASSERT_EQ(frame.vanished.size(), 1u);
  scene.discs.push_back({78, 76, 11});
  frame = scene.next();
  EXPECT_TRUE(frame.vanished.empty());
  const TrackedObject* fresh = object_at(frame, scene.discs.back());
  ASSERT_NE(fresh, nullptr);
  EXPECT_EQ(fresh->id, 5);
  EXPECT_EQ(fresh->event, TrackEvent::appeared);
  EXPECT_FALSE(fresh->dx);
}

TEST(ObjectTracker, WhatIsLostForTheGapKeepsItsNumber) {
  for (const std::int64_t gap : {0, 1, 2}) {
    ObjectTracker tracker(ObjectOptions(), {}, gap);
    std::vector<Disc> discs{{40, 40, 11}, {110, 44, 11}, {44, 110, 11}};
    std::uint64_t seed = 300;
    const auto next = [&] {
      return tracker.next(on_cpu(frame_of({160, 152, 1}, discs, ++seed, 25)));
    };
    next();
    discs[1].x -= 5;
    const std::int64_t id = object_at(next(), discs[1])->id;
    Disc lost = discs[1];
    discs.erase(discs.begin() + 1);
    EXPECT_EQ(next().vanished, std::vector{id});
    EXPECT_TRUE(next().vanished.empty());
    // Two frames away, it went on as it had been going.
    lost.x -= 15;
    discs.push_back(lost);
    const TrackFrame frame = next();
    const TrackedObject* object = object_at(frame, lost);
    ASSERT_NE(object, nullptr);
    EXPECT_EQ(object->id == id, gap == 2) << gap;
    EXPECT_EQ(object->event, gap == 2 ? TrackEvent::returned : TrackEvent::appeared);
    EXPECT_FALSE(object->dx);
    EXPECT_EQ(next().objects.size(), 3u);
  }
}

TEST(JoinedTracks, AreToldInTheOrderOfTime) {
  const auto frame = [](std::int64_t number, std::vector<TrackedObject> objects) {
    return TrackFrame{.frame = number, .objects = std::move(objects)};
  };
  const auto object = [](std::int64_t id, double x, TrackEvent event = TrackEvent::continued) {
    TrackedObject made{.id = id, .event = event};
    made.x = x;
    return made;
  };
  // Frame 2 has object 1; going back, 2 is found in frame 1 and 1 comes apart in frame 0.
  TrackedObject part = object(3, 5, TrackEvent::divided);
  part.parent = 1;
  const std::vector<TrackFrame> all =
      joined_tracks({frame(2, {object(1, 20, TrackEvent::appeared)}),
                     frame(1, {object(1, 17), object(2, 50, TrackEvent::appeared)}),
                     frame(0, {object(2, 51), part})},
                    {frame(2, {object(1, 20, TrackEvent::appeared)}),
                     frame(3, {object(1, 23), object(2, 90, TrackEvent::appeared)})});
  ASSERT_EQ(all.size(), 4u);
  const auto ids = [&](std::size_t t) {
    std::vector<std::int64_t> found;
    for (const TrackedObject& each : all[t].objects) found.push_back(each.id);
    return found;
  };
  EXPECT_EQ(ids(0), (std::vector<std::int64_t>{3, 4}));
  EXPECT_EQ(ids(1), (std::vector<std::int64_t>{1, 3}));
  EXPECT_EQ(ids(3), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(all[0].objects[0].event, TrackEvent::appeared);
  EXPECT_EQ(all[0].objects[1].parent, 0);
  EXPECT_EQ(all[1].objects[0].event, TrackEvent::appeared);
  EXPECT_EQ(all[1].vanished, std::vector<std::int64_t>{4});
  EXPECT_EQ(all[2].objects[0].event, TrackEvent::continued);
  EXPECT_EQ(all[2].objects[0].dx, 3.0);
  EXPECT_EQ(all[2].vanished, std::vector<std::int64_t>{3});
  EXPECT_EQ(all[3].objects[1].event, TrackEvent::appeared);
}

/// What two discs that lie side by side in frame `together` and before, or in it alone, become on
/// the way back from frame 3 on.
std::vector<TrackFrame> followed_back(std::size_t together, bool only_there) {
  const std::vector<Disc> apart{{40, 40, 9}, {62, 40, 9}}, one{{51, 40, 13}};
  ObjectTracker back(ObjectOptions(),
                     {.starts = {{circle_outline(40, 40, 9), {}}, {circle_outline(62, 40, 9), {}}}},
                     1, TrackDirection::back);
  std::vector<TrackFrame> frames;
  for (std::size_t t = 4; t-- > 0;) {
    const bool is_one = t == together || (t < together && !only_there);
    frames.push_back(back.next(on_cpu(frame_of(shape, is_one ? one : apart, 40 + t))));
    frames.back().frame = static_cast<std::int64_t>(t);
  }
  const std::vector<TrackFrame> forward{frames.front()};
  return joined_tracks(frames, forward);
}

TEST(JoinedTracks, WhatJoinsOnTheWayBackDivides) {
  const std::vector<TrackFrame> all = followed_back(1, false);
  ASSERT_EQ(all.size(), 4u);
  for (const std::size_t t : {std::size_t{0}, std::size_t{1}}) {
    ASSERT_EQ(all[t].objects.size(), 1u) << t;
    EXPECT_EQ(all[t].objects[0].id, 3);
    EXPECT_EQ(all[t].objects[0].event, t == 0 ? TrackEvent::appeared : TrackEvent::continued);
  }
  ASSERT_EQ(all[2].objects.size(), 2u);
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    EXPECT_EQ(all[2].objects[i].id, static_cast<std::int64_t>(i) + 1);
    EXPECT_EQ(all[2].objects[i].event, TrackEvent::divided);
    EXPECT_EQ(all[2].objects[i].parent, 3);
    EXPECT_FALSE(all[2].objects[i].dx);
    EXPECT_EQ(all[3].objects[i].event, TrackEvent::continued);
    EXPECT_EQ(all[3].objects[i].parent, 0);
  }
  EXPECT_TRUE(all[2].vanished.empty());
}

TEST(JoinedTracks, WhatTouchesForAFrameIsNoDivision) {
  const std::vector<TrackFrame> all = followed_back(1, true);
  for (const std::size_t t : {std::size_t{0}, std::size_t{2}, std::size_t{3}}) {
    ASSERT_EQ(all[t].objects.size(), 2u) << t;
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
      EXPECT_EQ(all[t].objects[i].id, static_cast<std::int64_t>(i) + 1) << t;
      EXPECT_EQ(all[t].objects[i].parent, 0);
    }
  }
  EXPECT_EQ(all[2].objects[0].event, TrackEvent::returned);
}

TEST(JoinedTracks, NumbersAreThoseOfTheFrameAsked) {
  TrackedObject mother{.id = 1}, other{.id = 2}, part{.id = 3, .parent = 1};
  const std::vector<TrackFrame> all =
      numbered_from({TrackFrame{.frame = 0, .objects = {mother, other}},
                     TrackFrame{.frame = 1, .objects = {other, part}},
                     TrackFrame{.frame = 2, .objects = {part}, .vanished = {2}}},
                    1);
  EXPECT_EQ(all[0].objects[0].id, 1);
  EXPECT_EQ(all[0].objects[1].id, 3);
  EXPECT_EQ(all[1].objects[1].id, 2);
  EXPECT_EQ(all[1].objects[1].parent, 3);
  EXPECT_EQ(all[2].vanished, std::vector<std::int64_t>{1});
  const TrackFrame joined{.objects = {other}, .joined = {{.part = 1, .whole = 2}}};
  const auto numbered = numbered_from({TrackFrame{.objects = {mother}}, joined}, 1);
  EXPECT_EQ(numbered[1].joined.front().part, 2);
  EXPECT_EQ(numbered[1].joined.front().whole, 1);
  EXPECT_THROW(numbered_from(all, 3), InvalidArgument);
  EXPECT_THROW(numbered_from({}, 0), InvalidArgument);
}

TEST(Trackers, RefuseGapsBelowNone) {
  EXPECT_THROW(ObjectTracker(one_object(), {}, -1), InvalidArgument);
  EXPECT_THROW(EdgeTracker(edges(), {}, false, -1), InvalidArgument);
  EXPECT_THROW(FilmTracker({}, {.gap = -1}), InvalidArgument);
}

TEST(ObjectTracker, PartsOfWhatDividesHaveAParent) {
  Scene scene;
  const std::int64_t parent = object_at(scene.next(), scene.discs[3])->id;
  scene.discs.back() = {102, 108, 8};
  scene.discs.push_back({122, 108, 8});
  const TrackFrame frame = scene.next();
  ASSERT_EQ(frame.objects.size(), 5u);
  EXPECT_TRUE(frame.vanished.empty());
  for (const std::size_t half : {std::size_t{3}, std::size_t{4}}) {
    const TrackedObject* part = object_at(frame, scene.discs[half]);
    ASSERT_NE(part, nullptr);
    EXPECT_EQ(part->event, TrackEvent::divided);
    EXPECT_EQ(part->parent, parent);
    EXPECT_GT(part->id, 4);
  }
}

TEST(ObjectTracker, FastOnesThatPassEachOtherKeepTheirNumbers) {
  // Steps of 16, so that each is next to where the other was: only the step before tells them.
  Scene scene;
  scene.discs = {{20, 40, 8}, {140, 64, 8}};
  TrackFrame frame = scene.next();
  const std::int64_t ids[] = {object_at(frame, scene.discs[0])->id,
                              object_at(frame, scene.discs[1])->id};
  for (int i = 0; i < 7; ++i) {
    scene.discs[0].x += i == 0 ? 8 : 16;
    scene.discs[1].x -= i == 0 ? 8 : 16;
    frame = scene.next();
    for (const int k : {0, 1}) {
      const TrackedObject* object = object_at(frame, scene.discs[static_cast<std::size_t>(k)]);
      ASSERT_NE(object, nullptr) << i << " " << k;
      EXPECT_EQ(object->id, ids[k]) << i;
    }
  }
}

TEST(ObjectTracker, WithStartsNoOtherAppears) {
  ObjectTracker tracker(ObjectOptions(), {.starts = {{circle_outline(40, 40, 8), {}}}});
  const std::vector<Disc> discs{{40, 40, 11}, {110, 44, 11}};
  for (std::uint64_t i = 0; i < 3; ++i) {
    const TrackFrame frame = tracker.next(on_cpu(frame_of({160, 80, 1}, discs, 40 + i, 25)));
    ASSERT_EQ(frame.objects.size(), 1u);
    EXPECT_EQ(object_at(frame, discs[0]), &frame.objects.front());
  }
}

TEST(ObjectTracker, IsTheSameForAnyNumberOfThreads) {
  const auto run = [](int threads) {
    set_threads(threads);
    Scene scene;
    std::vector<TrackFrame> frames{scene.next()};
    for (Disc& disc : scene.discs) disc.x += 5;
    frames.push_back(scene.next());
    set_threads(0);
    return track_outlines_as_csv(frames);
  };
  EXPECT_EQ(run(1), run(3));
}

TEST(ObjectTracker, FramesAreOfOneShape) {
  ObjectTracker tracker(one_object());
  tracker.next(on_cpu(frame_of(shape, {{60, 40, 15}}, 1)));
  EXPECT_THROW(tracker.next(on_cpu(frame_of({64, 64, 1}, {{30, 30, 9}}, 2))), InvalidArgument);
}

/// Two noisy discs that drift a little from frame to frame, with a curve around the first.
Image drifting(double by, std::uint64_t seed) {
  return on_cpu(frame_of({256, 256, 1}, {{90 + by, 96, 40}, {190 + by, 180, 30}}, seed, 10));
}
std::vector<Curve> around_it() { return {{.points = circle_outline(90, 96, 60).vertices}}; }

TEST(EdgeTracker, ACurveFollowsItsObject) {
  EdgeTracker tracker(edges(), around_it());
  for (std::int64_t i = 0; i < 4; ++i) {
    const TrackFrame frame =
        tracker.next(drifting(0.5 * static_cast<double>(i), 20 + static_cast<std::uint64_t>(i)));
    ASSERT_EQ(frame.objects.size(), 1u);
    const TrackedObject& object = frame.objects.front();
    EXPECT_EQ(object.id, 1);
    EXPECT_EQ(object.event, i == 0 ? TrackEvent::appeared : TrackEvent::continued);
    EXPECT_NEAR(object.x, 90 + 0.5 * static_cast<double>(i), 0.5);
    EXPECT_NEAR(object.y, 96, 0.5);
  }
}

TEST(EdgeTracker, AFlowFromTheLastFrameTakesFewerCyclesToTheSameOutline) {
  const EdgeOptions options = edges();
  const EdgeInputs first{.starts = around_it(), .keep_field = true};
  const EdgeResult before = segment_edges(drifting(0, 1), options, first);
  EdgeInputs inputs{.starts = {before.outlines.front().curve}};
  const EdgeResult cold = segment_edges(drifting(0.1, 2), options, inputs);
  inputs.flow_start = before.stages.field;
  const EdgeResult warm = segment_edges(drifting(0.1, 2), options, inputs);
  EXPECT_LT(warm.figures.flow.cycles.size(), cold.figures.flow.cycles.size());
  EXPECT_LE(warm.figures.flow.relative_residual, options.tolerance);
  // Both fields are within the root of the tolerance of the solution, 1 % of the force, and the
  // curves come to rest where it balances: far less than a pixel apart.
  const auto &a = warm.outlines.front(), &b = cold.outlines.front();
  EXPECT_NEAR(a.area, b.area, 0.05 * b.length);
  EXPECT_NEAR(a.length, b.length, 0.01 * b.length);
}

TEST(EdgeTracker, FramesBeginFromTheFlowBeforeWhileCurvesMoveLittle) {
  const auto cycles_with = [](double step) {
    EdgeTracker tracker(edges(), around_it());
    std::vector<std::size_t> cycles;
    for (int i = 0; i < 3; ++i) {
      const TrackFrame frame = tracker.next(drifting(step * i, 1 + static_cast<std::uint64_t>(i)));
      cycles.push_back(frame.flow.cycles.size());
    }
    return cycles;
  };
  const auto near = cycles_with(0.1), far = cycles_with(6);
  EXPECT_LT(near[1], near[0]);
  EXPECT_LT(near[2], near[0]);
  const EdgeInputs cold{.starts = around_it()};
  EXPECT_EQ(far[2], segment_edges(drifting(12, 3), edges(), cold).figures.flow.cycles.size());
}

TEST(EdgeTracker, ACurveThatLosesItsObjectEnds) {
  EdgeTracker tracker(edges(), {{.points = circle_outline(60, 60, 30).vertices},
                                {.points = circle_outline(140, 60, 30).vertices}});
  const Shape wide{200, 120, 1};
  const Disc left{60, 60, 20}, right{140, 60, 20};
  EXPECT_EQ(tracker.next(on_cpu(frame_of(wide, {left, right}, 1, 8))).objects.size(), 2u);
  const TrackFrame frame = tracker.next(on_cpu(frame_of(wide, {left}, 2, 8)));
  ASSERT_EQ(frame.objects.size(), 1u);
  EXPECT_EQ(frame.objects.front().id, 1);
  EXPECT_EQ(frame.vanished, std::vector<std::int64_t>{2});
}

/// Eight points of this distance go around the start, but not around the disc.
TEST(EdgeTracker, ACurveMayShrinkBelowWhatAStartNeeds) {
  EdgeOptions options = edges();
  options.snake.point_spacing = 20;
  EdgeTracker tracker(options, {{.points = circle_outline(60, 60, 30).vertices}});
  for (const std::uint64_t seed : {1, 2, 3}) {
    const TrackFrame frame = tracker.next(on_cpu(frame_of({120, 120, 1}, {{60, 60, 20}}, seed, 8)));
    ASSERT_EQ(frame.objects.size(), 1u) << seed;
    EXPECT_LT(frame.objects.front().perimeter, 160) << seed;
  }
}

TEST(EdgeTracker, ACurveThatIsLostForTheGapKeepsItsNumber) {
  const Shape wide{200, 120, 1};
  const Disc left{60, 60, 20}, right{140, 60, 20};
  for (const std::int64_t gap : {0, 1}) {
    EdgeTracker tracker(edges(),
                        {{.points = circle_outline(60, 60, 30).vertices},
                         {.points = circle_outline(140, 60, 30).vertices}},
                        false, gap);
    tracker.next(on_cpu(frame_of(wide, {left, right}, 1, 8)));
    tracker.next(on_cpu(frame_of(wide, {left}, 2, 8)));
    const TrackFrame frame = tracker.next(on_cpu(frame_of(wide, {left, right}, 3, 8)));
    ASSERT_EQ(frame.objects.size(), gap == 0 ? 1u : 2u);
    EXPECT_TRUE(frame.vanished.empty());
    if (gap == 0) continue;
    const TrackedObject* object = object_at(frame, right);
    ASSERT_NE(object, nullptr);
    EXPECT_EQ(object->id, 2);
    EXPECT_EQ(object->event, TrackEvent::returned);
    EXPECT_FALSE(object->dx);
  }
}

}  // namespace
}  // namespace meander
