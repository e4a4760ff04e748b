// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include "control_testing.hpp"
#include "meander/track.hpp"

namespace meander {
namespace {

/// A square of 8 by 4 pixels that moved by (3, 4), and a part of something else.
std::vector<TrackFrame> two_frames() {
  TrackedObject box{.id = 1};
  box.curve.points = box_outline(2, 2, 10, 6).vertices;
  box.x = 6, box.y = 4, box.area = 32, box.perimeter = 24;
  TrackedObject there = box;
  there.event = TrackEvent::continued;
  there.curve.points = box_outline(5, 6, 13, 10).vertices;
  there.x = 9, there.y = 8, there.dx = 3, there.dy = 4;
  Polygon hole = box_outline(8, 7, 10, 9);
  std::reverse(hole.vertices.begin(), hole.vertices.end());
  there.holes = {hole};
  TrackedObject part = box;
  part.id = 3, part.parent = 2, part.event = TrackEvent::divided;
  return {{.frame = 4, .objects = {box}}, {.frame = 5, .objects = {there, part}, .vanished = {7}}};
}

TEST(TrackText, TableInPixels) {
  EXPECT_EQ(tracks_as_csv(two_frames()),
            "frame,id,parent,event,area,perimeter,x,y,speed\n"
            "4,1,,appeared,32,24,6,4,\n"
            "5,1,,continued,28,32,9,8,5\n"
            "5,3,2,divided,32,24,6,4,\n");
}

TEST(TrackText, TableInUnitsAndSeconds) {
  const TrackScale scale{.spacing = {0.5, 0.5, 1, Unit::micrometre}, .seconds = 2};
  EXPECT_EQ(tracks_as_csv(two_frames(), scale),
            "frame,id,parent,event,area,perimeter,x,y,speed,unit,seconds\n"
            "4,1,,appeared,8,12,3,2,,um,8\n"
            "5,1,,continued,7,16,4.5,4,1.25,um,10\n"
            "5,3,2,divided,8,12,3,2,,um,10\n");
}

TEST(TrackText, OutlinesHaveFrameIdAndRing) {
  const std::string text = track_outlines_as_csv(two_frames());
  EXPECT_TRUE(text.starts_with("frame,id,ring,vertex,x,y\n4,1,0,0,2,2\n4,1,0,1,10,2\n"));
  EXPECT_NE(text.find("\n5,1,1,0,8,9\n"), std::string::npos);
}

TEST(TrackText, FeaturesHaveFrameIdAndParent) {
  const std::string text = tracks_as_geojson(two_frames());
  EXPECT_NE(text.find("\"frame\":4,\"id\":1,\"parent\":null,\"event\":\"appeared\""),
            std::string::npos);
  EXPECT_NE(text.find("\"frame\":5,\"id\":3,\"parent\":2,\"event\":\"divided\""),
            std::string::npos);
  EXPECT_NE(text.find("[[[5,6],[13,6],[13,10],[5,10],[5,6]],[[8,9],[10,9],[10,7],[8,7],[8,9]]]"),
            std::string::npos);
  EXPECT_NE(text.find("\"speed\":5,"), std::string::npos);
}

TEST(TrackText, HearsItsControl) {
  const std::vector<TrackFrame> frames = two_frames();
  using testing::expect_hears;
  expect_hears([&](const Control& control) { tracks_as_csv(frames, {}, control); });
  expect_hears([&](const Control& control) { tracks_as_geojson(frames, {}, control); });
  expect_hears([&](const Control& control) { track_outlines_as_csv(frames, {}, control); });
  expect_hears([&](const Control& control) { tracks_as_roi_zip(frames, control); });
}

}  // namespace
}  // namespace meander
