// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/outline.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "control_testing.hpp"
#include "meander/phantom.hpp"

namespace meander {
namespace {

const std::vector<Polygon> two_outlines{
    {{{0, 0}, {512, 0}, {512, 384}}},
    {{{-1, -128}, {-257, 255}, {1280, 2560}}}};  // of negative area

TEST(Outline, AreaAndPerimeter) {
  EXPECT_EQ(two_outlines[0].signed_area(), 1.5);
  EXPECT_EQ(two_outlines[0].perimeter(), 2 + 1.5 + 2.5);
  EXPECT_LT(two_outlines[1].signed_area(), 0);
  EXPECT_EQ(Polygon{}.signed_area(), 0);
}

TEST(Outline, CsvHoldsExactDecimals) {
  EXPECT_EQ(outlines_as_csv(two_outlines),
            "outline,vertex,x,y\n"
            "0,0,0,0\n0,1,2,0\n0,2,2,1.5\n"
            "1,0,-0.00390625,-0.5\n1,1,-1.00390625,0.99609375\n1,2,5,10\n");
  EXPECT_EQ(outlines_as_csv({}), "outline,vertex,x,y\n");
}

TEST(Outline, GeoJsonIsClosedAndOfPositiveArea) {
  EXPECT_EQ(
      outlines_as_geojson(two_outlines),
      "{\"type\":\"FeatureCollection\",\"features\":[\n"
      "{\"type\":\"Feature\",\"properties\":{\"outline\":0},\"geometry\":{\"type\":\"Polygon\","
      "\"coordinates\":[[[0,0],[2,0],[2,1.5],[0,0]]]}},\n"
      "{\"type\":\"Feature\",\"properties\":{\"outline\":1},\"geometry\":{\"type\":\"Polygon\","
      "\"coordinates\":[[[5,10],[-1.00390625,0.99609375],[-0.00390625,-0.5],[5,10]]]}}\n]}\n");
  EXPECT_EQ(outlines_as_geojson({}), "{\"type\":\"FeatureCollection\",\"features\":[\n]}\n");
}

TEST(Outline, EveryVertexComesBackFromItsText) {
  const auto outlines =
      Phantom({.kind = PhantomKind::blobs, .size = {300, 200, 1}, .seed = 4}).outlines();
  std::istringstream text(outlines_as_csv(outlines));
  std::string line;
  std::getline(text, line);
  for (std::size_t i = 0; i < outlines.size(); ++i) {
    for (const GridPoint& vertex : outlines[i].vertices) {
      std::getline(text, line);
      const auto last = line.rfind(','), before = line.rfind(',', last - 1);
      ASSERT_EQ(std::stod(line.substr(before + 1, last - before - 1)) * 256, vertex.x) << line;
      ASSERT_EQ(std::stod(line.substr(last + 1)) * 256, vertex.y) << line;
    }
  }
  EXPECT_FALSE(std::getline(text, line));
}

TEST(Outline, TextsHearTheirControl) {
  const std::vector<LabelledRegion> regions{{1, {two_outlines[0], {}}}, {2, {two_outlines[1], {}}}};
  const std::vector<PhantomTrack> tracks(3);
  using testing::expect_hears;
  expect_hears([&](const Control& control) { outlines_as_geojson(two_outlines, control); });
  expect_hears([&](const Control& control) { outlines_as_csv(two_outlines, control); });
  expect_hears([&](const Control& control) { regions_as_geojson(regions, control); });
  expect_hears([&](const Control& control) { tracks_as_csv(tracks, control); });
}

}  // namespace
}  // namespace meander
