// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "meander/outline_text.hpp"

/// Objects with holes and tables of many.
namespace meander {
namespace {

const Spacing wide_micrometres{.x = 0.5, .y = 2, .z = 1, .unit = Unit::micrometre};

Polygon reversed(Polygon ring) {
  std::reverse(ring.vertices.begin(), ring.vertices.end());
  return ring;
}

/// A square of 8 pixels with one of 4 pixels missing at its lower right, a pixel from the border.
Outline square_with_hole() {
  Outline outline;
  outline.id = 3;
  outline.polygon = box_outline(10, 20, 18, 28);
  outline.holes = {reversed(box_outline(13, 23, 17, 27))};
  outline.inside = {.pixels = 48, .mean = 11, .sigma = 0.5};
  outline.outside = {.pixels = 900, .mean = 2, .sigma = 1.5};
  outline.confidence = {4, 0.5, 7, 2};
  return outline;
}

SegmentResult two_objects() {
  SegmentResult result;
  Outline plain = square_with_hole();
  plain.id = 1;
  plain.holes.clear();
  plain.outside.sigma = 0;
  plain.confidence = {1, 2, 3, 4};
  result.outlines = {plain, square_with_hole()};
  return result;
}

TEST(Regions, AreMeasuredWithoutTheirHoles) {
  const Region region = region_of(square_with_hole());
  EXPECT_EQ(region.area(), 48);
  EXPECT_EQ(region.perimeter(), 32 + 16);
  EXPECT_EQ(measure(region, wide_micrometres).area, 48);  // half as wide, twice as tall
  EXPECT_EQ(measure(region, wide_micrometres).perimeter, 8 + 32 + 4 + 16);
}

TEST(Regions, CentroidAndCircularityAreThoseOfWhatIsCovered) {
  const ObjectMeasure found = measure(square_with_hole(), {});
  EXPECT_EQ(found.area, 48);
  EXPECT_EQ(found.perimeter, 48);
  // (64·14 - 16·15) / 48 and (64·24 - 16·25) / 48.
  EXPECT_DOUBLE_EQ(found.x, 41.0 / 3);
  EXPECT_DOUBLE_EQ(found.y, 71.0 / 3);
  EXPECT_DOUBLE_EQ(found.circularity, 4 * std::numbers::pi * 48 / (32 * 32));
  EXPECT_EQ(found.contrast, 6);
  EXPECT_EQ(found.confidence, 0.5);
  const ObjectMeasure wide = measure(square_with_hole(), wide_micrometres);
  EXPECT_DOUBLE_EQ(wide.x, 41.0 / 6);
  EXPECT_DOUBLE_EQ(wide.y, 142.0 / 3);
  EXPECT_DOUBLE_EQ(wide.circularity, 4 * std::numbers::pi * 48 / (40 * 40));
}

TEST(Regions, CentroidsFarFromTheOriginAreExact) {
  Outline far = square_with_hole();
  const std::int64_t away = (largest_coordinate - 100) * grid_steps_per_pixel;
  for (GridPoint& point : far.polygon.vertices) point.x += away;
  for (GridPoint& point : far.holes[0].vertices) point.x += away;
  EXPECT_DOUBLE_EQ(measure(far, {}).x, 41.0 / 3 + static_cast<double>(largest_coordinate - 100));
  EXPECT_DOUBLE_EQ(measure(far, {}).y, 71.0 / 3);
}

TEST(Regions, ADiscIsRound) {
  Outline disc;
  disc.polygon = circle_outline(40, 30, 20);
  const ObjectMeasure found = measure(disc, {});
  // A polygon of 32 nodes: π/(n tan(π/n)) = 0.9968, nodes rounded to 1/256 pixel.
  EXPECT_NEAR(found.circularity, 0.99678, 1e-4);
  EXPECT_DOUBLE_EQ(found.x, 40);
  EXPECT_DOUBLE_EQ(found.y, 30);
  EXPECT_TRUE(std::isnan(found.confidence));
}

TEST(HolesText, GeoJsonHasThemAsFurtherRings) {
  const std::string text = outlines_as_geojson(two_objects());
  EXPECT_NE(text.find("\"id\":1,"), std::string::npos) << text;
  EXPECT_NE(text.find("\"contrast\":null,\"holes\":0,"), std::string::npos) << text;
  EXPECT_NE(text.find("\"id\":3,\"nodes\":4,\"area\":48,\"perimeter\":48,"), std::string::npos)
      << text;
  EXPECT_NE(text.find("\"contrast\":6,\"holes\":1,\"confidence\":[4,0.5,7,2]},\"geometry\":"
                      "{\"type\":\"Polygon\",\"coordinates\":["
                      "[[10,20],[18,20],[18,28],[10,28],[10,20]],"
                      "[[13,27],[17,27],[17,23],[13,23],[13,27]]]}}"),
            std::string::npos)
      << text;
}

TEST(HolesText, GeoJsonTurnsHolesThatRunTheWrongWay) {
  SegmentResult result = two_objects();
  result.outlines[1].holes[0] = reversed(result.outlines[1].holes[0]);
  const std::string text = outlines_as_geojson(result);
  EXPECT_NE(text.find(",[[13,27],[17,27],[17,23],[13,23],[13,27]]"), std::string::npos) << text;
}

TEST(HolesText, CsvNumbersTheRings) {
  EXPECT_EQ(outlines_as_csv(two_objects(), wide_micrometres),
            "outline,vertex,x,y,confidence,ring,unit\n"
            "1,0,5,40,1,0,um\n1,1,9,40,2,0,um\n1,2,9,56,3,0,um\n1,3,5,56,4,0,um\n"
            "3,0,5,40,4,0,um\n3,1,9,40,0.5,0,um\n3,2,9,56,7,0,um\n3,3,5,56,2,0,um\n"
            "3,0,6.5,54,,1,um\n3,1,8.5,54,,1,um\n3,2,8.5,46,,1,um\n3,3,6.5,46,,1,um\n");
}

TEST(HolesText, SvgHasOnePathForAllRings) {
  const std::string text = outlines_as_svg(two_objects(), {40, 40, 1});
  EXPECT_NE(text.find("<g id=\"outline3\">\n"), std::string::npos) << text;
  EXPECT_NE(text.find("fill-rule=\"evenodd\" d=\"M10 20L18 20L18 28L10 28Z"
                      "M13 27L17 27L17 23L13 23Z\"><title>outline 3</title></path>"),
            std::string::npos)
      << text;
}

TEST(ObjectTable, HasALineAnObject) {
  SegmentResult result = two_objects();
  // 4π·64/32² and 4π·48/32², as float64 prints them.
  EXPECT_EQ(objects_as_csv(result),
            "id,area,perimeter,circularity,x,y,mean,sigma,background_mean,background_sigma,"
            "contrast,confidence,nodes,holes\n"
            "1,64,32,0.7853981633974483,14,24,11,0.5,2,0,,1,4,0\n"
            "3,48,48,0.5890486225480862,13.666666666666666,23.666666666666668,11,0.5,2,1.5,6,0.5,"
            "4,1\n");
  result.outlines.resize(1);
  EXPECT_EQ(objects_as_csv(result, wide_micrometres),
            "id,area,perimeter,circularity,x,y,mean,sigma,background_mean,background_sigma,"
            "contrast,confidence,nodes,holes,unit\n"
            "1,64,40,0.5026548245743669,7,48,11,0.5,2,0,,1,4,0,um\n");
}

TEST(ObjectTable, OfCurvesLeavesOutWhatHasNoMeaning) {
  EdgeResult result;
  result.outlines.resize(3);
  result.outlines[0].curve = {.points = square_with_hole().polygon.vertices};
  result.outlines[1].curve = {.points = {{0, 0}, {768, 1024}}, .is_open = true};
  result.outlines[2].end = SnakeEnd::vanished;
  EXPECT_EQ(objects_as_csv(result),
            "id,area,perimeter,circularity,x,y,nodes,end\n"
            "1,64,32,0.7853981633974483,14,24,4,settled\n"
            "2,,5,,,,2,settled\n"
            "3,0,0,,,,0,vanished\n");
}

}  // namespace
}  // namespace meander
