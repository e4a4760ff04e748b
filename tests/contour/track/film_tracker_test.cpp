// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include "contour/track/track_testing.hpp"
#include "meander/track.hpp"

namespace meander {
namespace {

using testing::frame_of;

const Shape shape{160, 96, 1};

/// Two discs that go to the right; the second is there from frame 1 on.
Image frame(std::int64_t index) {
  const double x = 4 * static_cast<double>(index);
  std::vector<testing::Disc> discs{{36 + x, 46, 16}};
  if (index > 0) discs.push_back({104 + x, 50, 12});
  return frame_of(shape, discs, 60 + static_cast<std::uint64_t>(index), 10);
}
ObjectInputs two_starts() {
  return {.starts = {{circle_outline(44, 46, 14), {}}, {circle_outline(112, 50, 10), {}}}};
}
std::vector<Curve> curve_around(double x, double y, double radius) {
  return {{.points = circle_outline(x, y, radius).vertices}};
}

/// What was found, in full.
std::string text_of(const std::vector<TrackFrame>& frames) {
  return tracks_as_csv(frames) + track_outlines_as_csv(frames);
}

/// Follows all frames, and says in which order they were wanted.
std::vector<std::int64_t> follow(FilmTracker& tracker) {
  std::vector<std::int64_t> order;
  while (const auto index = tracker.wanted()) {
    order.push_back(*index);
    EXPECT_EQ(tracker.add(frame(*index)).frame, *index);
  }
  return order;
}

TrackFrame numbered(TrackFrame frame, std::int64_t index) {
  frame.frame = index;
  return frame;
}

TEST(FilmTracker, FromTheFirstFrameOnResultsAreFinal) {
  FilmTracker tracker({}, {.frames = 3});
  ObjectTracker by_hand{ObjectOptions()};
  std::vector<TrackFrame> expected, told;
  while (const auto index = tracker.wanted()) {
    told.push_back(tracker.add(frame(*index)));
    expected.push_back(by_hand.next(frame(*index)));
  }
  EXPECT_EQ(text_of(told), text_of(expected));
  EXPECT_EQ(text_of(tracker.frames()), text_of(expected));
  EXPECT_TRUE(tracker.edges().outlines.empty());
  EXPECT_TRUE(tracker.unsettled().empty());
}

TEST(FilmTracker, StartsAreFollowedBothWays) {
  const FindOptions options{.model = SegmentModel::region_and_edge, .edge = {.sigma = 2}};
  FilmTracker tracker(options, {.frames = 4, .from = 2, .gap = 0}, {.regions = two_starts()});
  EXPECT_EQ(follow(tracker), (std::vector<std::int64_t>{2, 1, 0, 2, 3}));
  const auto followed = [&](TrackDirection direction, const std::vector<std::int64_t>& order) {
    ObjectTracker regions(options.region, two_starts(), 0, direction);
    EdgeTracker edges(options.edge, {}, true, 0);
    std::vector<TrackFrame> frames;
    for (const std::int64_t i : order) {
      frames.push_back(numbered(edges.refine(frame(i), regions.next(frame(i))), i));
    }
    return frames;
  };
  const std::vector<TrackFrame> expected = joined_tracks(followed(TrackDirection::back, {2, 1, 0}),
                                                         followed(TrackDirection::forward, {2, 3}));
  ASSERT_EQ(expected.size(), 4u);
  EXPECT_EQ(text_of(tracker.frames()), text_of(expected));
  EXPECT_EQ(tracker.edges().outlines.size(), 2u);
}

TEST(FilmTracker, FoundRegionsHaveTheNumbersOfTheirFrame) {
  FilmTracker tracker({}, {.frames = 3, .from = 1});
  EXPECT_EQ(follow(tracker), (std::vector<std::int64_t>{1, 0, 1, 2}));
  ObjectTracker first{ObjectOptions()};
  first.next(frame(1));
  ObjectTracker by_hand(ObjectOptions{.background = first.figures().is_local ? Background::local
                                                                             : Background::global});
  std::vector<TrackFrame> frames;
  for (const std::int64_t i : {0, 1, 2}) frames.push_back(by_hand.next(frame(i)));
  EXPECT_EQ(text_of(tracker.frames()), text_of(numbered_from(frames, 1)));
  EXPECT_EQ(tracker.frames()[1].objects.size(), 2u);
}

/// A slope under frame 1 alone: what holds there holds for all.
TEST(FilmTracker, TheFrameToBeginWithDecidesTheBackground) {
  const auto sloped = [](std::int64_t index) {
    Image image = frame(index);
    for (std::int64_t y = 0; index == 1 && y < shape.y; ++y) {
      auto* row = image.mutable_row<std::uint8_t>(y);
      for (std::int64_t x = 0; x < shape.x; ++x) {
        row[x] = static_cast<std::uint8_t>(row[x] / 2 + x / 2);
      }
    }
    return image;
  };
  const auto options_with = [](Background background) {
    return FindOptions{.region = {.background = background}};
  };
  const auto followed = [&](Background background) {
    FilmTracker tracker(options_with(background), {.frames = 3, .from = 1});
    while (const auto index = tracker.wanted()) {
      // A frame that is refused changes nothing.
      EXPECT_THROW(tracker.add(Image::allocate({.shape = {8, 8, 2}})), InvalidArgument);
      tracker.add(sloped(*index));
    }
    return text_of(tracker.frames());
  };
  ASSERT_TRUE(segment_objects(sloped(1), {}).figures.is_local);
  ASSERT_FALSE(segment_objects(sloped(0), {}).figures.is_local);
  EXPECT_EQ(followed(Background::automatic), followed(Background::local));
  EXPECT_NE(followed(Background::automatic), followed(Background::global));
}

TEST(FilmTracker, CurvesAreFollowedAlongEdges) {
  const FindOptions options{.model = SegmentModel::edge};
  FilmTracker tracker(options, {.frames = 3}, {.curves = curve_around(36, 46, 24)});
  EdgeTracker by_hand(options.edge, curve_around(36, 46, 24), false);
  follow(tracker);
  std::vector<TrackFrame> expected;
  for (const std::int64_t i : {0, 1, 2}) expected.push_back(by_hand.next(frame(i)));
  EXPECT_EQ(text_of(tracker.frames()), text_of(expected));
  FilmTracker rough(options, {.frames = 3},
                    {.curves = curve_around(36, 46, 24), .are_rough = true});
  EdgeTracker rough_by_hand(options.edge, curve_around(36, 46, 24), true);
  EXPECT_EQ(text_of({rough.add(frame(0))}), text_of({rough_by_hand.next(frame(0))}));
  EXPECT_EQ(rough.edges().outlines.front().steps, rough_by_hand.result().outlines.front().steps);
}

TEST(FilmTracker, AFrameThatThrewMayBeTriedAgain) {
  FilmTracker tracker({}, {.frames = 2, .from = 1}), undisturbed({}, {.frames = 2, .from = 1});
  follow(undisturbed);
  while (const auto index = tracker.wanted()) {
    Image volume = Image::allocate({.shape = {8, 8, 2}});
    EXPECT_THROW(tracker.add(volume), InvalidArgument);
    ASSERT_EQ(tracker.wanted(), index);
    EXPECT_THROW(tracker.frames(), LogicError);
    tracker.add(frame(*index));
  }
  EXPECT_EQ(text_of(tracker.frames()), text_of(undisturbed.frames()));
  EXPECT_THROW(tracker.add(frame(0)), LogicError);
}

/// A stop that comes when a frame is done, or nearly so, either undoes it or is too late.
TEST(FilmTracker, AFrameThatWasStoppedAtItsEndMayBeTriedAgain) {
  for (const SegmentModel model : {SegmentModel::region, SegmentModel::edge}) {
    TrackInputs inputs;
    if (model == SegmentModel::edge) inputs.curves = curve_around(36, 46, 24);
    const FindOptions options{.model = model, .edge = {.sigma = 2}};
    FilmTracker tracker(options, {.frames = 3}, inputs),
        undisturbed(options, {.frames = 3}, inputs);
    follow(undisturbed);
    while (const auto index = tracker.wanted()) {
      std::stop_source stop;
      const auto stop_at_end = [&](double fraction) {
        if (fraction > 0.85) stop.request_stop();
      };
      try {
        tracker.add(frame(*index), {.stop = stop.get_token(), .progress = stop_at_end});
      } catch (const Cancelled&) {
        ASSERT_EQ(tracker.wanted(), index);
        tracker.add(frame(*index));
      }
    }
    EXPECT_EQ(text_of(tracker.frames()), text_of(undisturbed.frames()));
  }
}

TEST(FilmTracker, AFrameThatIsNotThereIsRefused) {
  EXPECT_THROW(FilmTracker({}, {.frames = 3, .from = 3}), InvalidArgument);
  EXPECT_THROW(FilmTracker({}, {.frames = 3, .from = -1}), InvalidArgument);
  EXPECT_NO_THROW(FilmTracker({}, {.frames = 3, .from = 2}));
}

TEST(FilmTracker, RefusesAtOnce) {
  EXPECT_THROW(FilmTracker({}, {.frames = 0}), InvalidArgument);
  EXPECT_THROW(FilmTracker({}, {.frames = 3, .gap = -1}), InvalidArgument);
  EXPECT_THROW(FilmTracker({}, {.frames = 3}, {.curves = curve_around(36, 46, 24)}),
               InvalidArgument);
  EXPECT_THROW(FilmTracker({.model = SegmentModel::edge}, {.frames = 3}, {.regions = two_starts()}),
               InvalidArgument);
  const FindOptions options{.model = SegmentModel::edge, .edge = {.mu = std::nan("")}};
  EXPECT_THROW(FilmTracker(options, {.frames = 3}), InvalidArgument);
}

TEST(FilmTracker, ProgressNeverFalls) {
  std::vector<double> seen;
  const auto keep = [&](double fraction) { seen.push_back(fraction); };
  FilmTracker tracker({.model = SegmentModel::region_and_edge}, {.frames = 2});
  while (const auto index = tracker.wanted()) {
    seen.clear();
    tracker.add(frame(*index), {.progress = keep});
    EXPECT_GE(seen.size(), 4u);
    EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
    EXPECT_EQ(seen.back(), 1);
  }
}

TEST(FilmTracker, LosingAnObjectIsNoFaultAndNotSettlingIs) {
  FilmTracker lost({.model = SegmentModel::edge, .edge = {.sigma = 2}}, {.frames = 2},
                   {.curves = curve_around(36, 46, 24), .are_rough = true});
  lost.add(frame(0));
  EXPECT_TRUE(lost.unsettled().empty());
  EXPECT_TRUE(lost.add(frame_of(shape, {{120, 50, 20}}, 9, 10)).objects.empty());
  EXPECT_EQ(unsettled_of(lost.edges()), std::vector<std::size_t>{0});
  EXPECT_TRUE(lost.unsettled().empty());
  FilmTracker moving({.model = SegmentModel::edge, .edge = {.sigma = 2, .snake = {.max_steps = 8}}},
                     {.frames = 1}, {.curves = curve_around(36, 46, 34), .are_rough = true});
  moving.add(frame(0));
  EXPECT_EQ(moving.unsettled(), std::vector<std::size_t>{0});
}

TEST(TrackCounts, AddUp) {
  const TrackedObject old{.id = 1, .event = TrackEvent::continued},
      back{.id = 2, .event = TrackEvent::returned},
      part{.id = 4, .parent = 3, .event = TrackEvent::divided},
      other{.id = 5, .parent = 3, .event = TrackEvent::divided}, fresh{.id = 6};
  const TrackCounts counts =
      counts_of({.objects = {old, back, part, other, fresh}, .vanished = {7, 8}});
  EXPECT_EQ(counts.appeared, 1);
  EXPECT_EQ(counts.vanished, 2);
  EXPECT_EQ(counts.returned, 1);
  EXPECT_EQ(counts.divided, 1);
  EXPECT_EQ(counts.tracks, 3);
  TrackCounts all = counts;
  all += counts;
  EXPECT_EQ(all.appeared, 2);
  EXPECT_EQ(all.vanished, 4);
  EXPECT_EQ(all.returned, 2);
  EXPECT_EQ(all.divided, 2);
  EXPECT_EQ(all.tracks, 6);
}

TEST(TrackedObjects, OpenCurvesCoverNothing) {
  const TrackedObject open{.id = 1, .curve = {.points = {{0, 0}, {256, 0}}, .is_open = true}},
      closed{.id = 4, .curve = {.points = circle_outline(9, 9, 4).vertices}};
  const std::vector<LabelledRegion> objects = objects_of(TrackFrame{.objects = {open, closed}});
  ASSERT_EQ(objects.size(), 1u);
  EXPECT_EQ(objects[0].label, 4);
  EXPECT_EQ(objects[0].region.outer.vertices, closed.curve.points);
}

}  // namespace
}  // namespace meander
