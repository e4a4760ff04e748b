// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/outline_text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "control_testing.hpp"

namespace meander {
namespace {

/// A right triangle with legs of 3 and 4 pixels.
SegmentResult triangle() {
  SegmentResult result;
  result.figures.noise = NoiseModel::poisson;
  Outline outline;
  outline.polygon = {{{128, 0}, {128 + 3 * 256, 0}, {128, 4 * 256}}};
  outline.criterion = -12.5;
  outline.gain = 3.25;
  outline.inside = {.pixels = 6, .mean = 7, .sigma = 0.5};
  outline.outside = {.pixels = 90, .mean = 2, .sigma = 1.5};
  outline.confidence = {4, 0, -2};
  result.outlines.push_back(outline);
  return result;
}

const Spacing wide_micrometres{.x = 0.5, .y = 2, .z = 1, .unit = Unit::micrometre};

TEST(OutlineText, MeasuresInTheUnitOfTheSpacing) {
  const Polygon polygon = triangle().outlines[0].polygon;
  EXPECT_EQ(measure(polygon, {}).area, 6);
  EXPECT_EQ(measure(polygon, {}).perimeter, 12);
  const OutlineMeasure wide = measure(polygon, wide_micrometres);
  EXPECT_EQ(wide.area, 6);  // half as wide, twice as tall
  EXPECT_DOUBLE_EQ(wide.perimeter, 1.5 + 8 + std::hypot(1.5, 8));
  const Polygon reversed{{polygon.vertices.rbegin(), polygon.vertices.rend()}};
  EXPECT_EQ(measure(reversed, {}).area, 6);
}

TEST(OutlineText, GeoJsonInPixelsIsExact) {
  EXPECT_EQ(outlines_as_geojson(triangle()),
            "{\"type\":\"FeatureCollection\",\"spacing\":[1,1],\"unit\":\"px\",\"features\":[\n"
            "{\"type\":\"Feature\",\"properties\":{\"id\":1,\"nodes\":3,\"area\":6,\"perimeter\":"
            "12,\"unit\":\"px\",\"criterion\":-12.5,\"gain\":3.25,\"noise\":\"poisson\","
            "\"inside_mean\":7,\"inside_sigma\":0.5,\"outside_mean\":2,\"outside_sigma\":1.5,"
            "\"circularity\":0.5235987755982988,\"contrast\":3.3333333333333335,\"holes\":0,"
            "\"confidence\":[4,0,-2]},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":"
            "[[[0.5,0],[3.5,0],[0.5,4],[0.5,0]]]}}\n]}\n");
}

TEST(OutlineText, GeoJsonInUnitsOfLengthLeadsBackToPixels) {
  const std::string text = outlines_as_geojson(triangle(), wide_micrometres);
  EXPECT_NE(text.find("\"spacing\":[0.5,2],\"unit\":\"um\""), std::string::npos) << text;
  EXPECT_NE(text.find("[[[0.25,0],[1.75,0],[0.25,8],[0.25,0]]]"), std::string::npos) << text;
  EXPECT_NE(text.find("\"area\":6,"), std::string::npos) << text;
}

TEST(OutlineText, NumbersThatAreNotFiniteAreNull) {
  SegmentResult result = triangle();
  result.outlines[0].gain = std::numeric_limits<double>::infinity();
  const std::string text = outlines_as_geojson(result);
  EXPECT_NE(text.find("\"gain\":null"), std::string::npos) << text;
}

TEST(OutlineText, NoOutlineIsAnEmptyFile) {
  EXPECT_EQ(
      outlines_as_geojson(SegmentResult{}),
      "{\"type\":\"FeatureCollection\",\"spacing\":[1,1],\"unit\":\"px\",\"features\":[\n]}\n");
  EXPECT_EQ(outlines_as_csv(SegmentResult{}), "outline,vertex,x,y,confidence\n");
}

TEST(OutlineText, CsvNamesAUnitWhereThereIsOne) {
  EXPECT_EQ(outlines_as_csv(triangle()),
            "outline,vertex,x,y,confidence\n1,0,0.5,0,4\n1,1,3.5,0,0\n1,2,0.5,4,-2\n");
  EXPECT_EQ(outlines_as_csv(triangle(), wide_micrometres),
            "outline,vertex,x,y,confidence,unit\n1,0,0.25,0,4,um\n1,1,1.75,0,0,um\n"
            "1,2,0.25,8,-2,um\n");
}

std::string attribute(const std::string& svg, const std::string& name) {
  const std::string opening = " " + name + "=\"";
  const auto place = svg.find(opening);
  if (place == std::string::npos) return "";
  const auto begin = place + opening.size();
  return svg.substr(begin, svg.find('"', begin) - begin);
}

TEST(OutlineText, SvgHasTheSizeOfTheImage) {
  const Shape image{100, 40, 1};
  const std::string plain = outlines_as_svg(triangle(), image);
  EXPECT_EQ(attribute(plain, "viewBox"), "-0.5 -0.5 100 40");
  EXPECT_EQ(attribute(plain, "width") + " " + attribute(plain, "height"), "100 40");
  EXPECT_NE(plain.find("d=\"M0.5 0L3.5 0L0.5 4Z\""), std::string::npos) << plain;
  // 100 pixels of half a centimetre; pixels twice as tall as wide, too small to be seen as they
  // are.
  const std::string large =
      outlines_as_svg(triangle(), image, {.x = 0.5, .y = 0.5, .unit = Unit::centimetre});
  EXPECT_EQ(attribute(large, "width") + " " + attribute(large, "height"), "500mm 200mm");
  const std::string small =
      outlines_as_svg(triangle(), image, {.x = 0.25, .y = 0.5, .unit = Unit::micrometre});
  EXPECT_EQ(attribute(small, "width") + " " + attribute(small, "height"), "100 80");
}

TEST(OutlineText, SvgColoursNodesByTheirConfidence) {
  const std::string svg = outlines_as_svg(triangle(), {100, 40, 1});
  EXPECT_NE(svg.find("M0.5 0h0\" stroke=\"hsl(120,"), std::string::npos) << svg;
  EXPECT_NE(svg.find("M3.5 0h0\" stroke=\"hsl(0,"), std::string::npos) << svg;
  EXPECT_NE(svg.find("M0.5 4h0\" stroke=\"hsl(0,"), std::string::npos) << svg;
}

/// The triangle as a closed curve, and two of its sides as an open one.
EdgeResult curves() {
  const std::vector<GridPoint> points = triangle().outlines[0].polygon.vertices;
  EdgeResult result;
  result.outlines.push_back({.curve = {.points = points}, .steps = 12, .loops = 1});
  result.outlines.push_back(
      {.curve = {.points = points, .is_open = true}, .end = SnakeEnd::steps, .steps = 3});
  return result;
}

TEST(CurveText, OpenCurvesAreLinesWithALength) {
  EXPECT_EQ(measure(curves().outlines[1].curve, {}).perimeter, 8);
  EXPECT_EQ(measure(curves().outlines[1].curve, {}).area, 0);
  EXPECT_EQ(measure(curves().outlines[0].curve, {}).perimeter, 12);
  EXPECT_EQ(outlines_as_geojson(curves(), "edge"),
            "{\"type\":\"FeatureCollection\",\"spacing\":[1,1],\"unit\":\"px\",\"features\":[\n"
            "{\"type\":\"Feature\",\"properties\":{\"id\":1,\"nodes\":3,\"area\":6,\"perimeter\":"
            "12,\"unit\":\"px\",\"end\":\"settled\",\"steps\":12,\"loops\":1,\"model\":\"edge\"},"
            "\"geometry\":{\"type\":\"Polygon\",\"coordinates\":"
            "[[[0.5,0],[3.5,0],[0.5,4],[0.5,0]]]}},\n"
            "{\"type\":\"Feature\",\"properties\":{\"id\":2,\"nodes\":3,\"length\":8,\"unit\":"
            "\"px\",\"end\":\"steps\",\"steps\":3,\"loops\":0,\"model\":\"edge\"},"
            "\"geometry\":{\"type\":\"LineString\",\"coordinates\":"
            "[[0.5,0],[3.5,0],[0.5,4]]}}\n]}\n");
}

TEST(CurveText, CsvAndSvgTellClosedFromOpen) {
  EXPECT_EQ(outlines_as_csv(curves(), wide_micrometres),
            "outline,vertex,x,y,unit\n1,0,0.25,0,um\n1,1,1.75,0,um\n1,2,0.25,8,um\n"
            "2,0,0.25,0,um\n2,1,1.75,0,um\n2,2,0.25,8,um\n");
  const std::string text = outlines_as_svg(curves(), {10, 10, 1});
  EXPECT_NE(text.find("d=\"M0.5 0L3.5 0L0.5 4Z\""), std::string::npos) << text;
  EXPECT_NE(text.find("d=\"M0.5 0L3.5 0L0.5 4\""), std::string::npos) << text;
}

TEST(CurveText, WhatHasVanishedHasNoCoordinates) {
  EdgeResult result;
  result.outlines.push_back({.curve = {.points = {{0, 0}, {256, 0}}}, .end = SnakeEnd::vanished});
  EXPECT_NE(outlines_as_geojson(result, "edge").find("\"coordinates\":[]"), std::string::npos);
}

TEST(OutlineText, HearsItsControl) {
  SegmentResult result = triangle();
  result.outlines.resize(3, result.outlines.front());
  const EdgeResult edges = curves();
  const Shape image{10, 10, 1};
  using testing::expect_hears;
  expect_hears([&](const Control& control) { outlines_as_geojson(result, {}, control); });
  expect_hears([&](const Control& control) { outlines_as_csv(result, {}, control); });
  expect_hears([&](const Control& control) { outlines_as_svg(result, image, {}, control); });
  expect_hears([&](const Control& control) { objects_as_csv(result, {}, control); });
  expect_hears([&](const Control& control) { outlines_as_roi_zip(result, control); });
  expect_hears([&](const Control& control) { outlines_as_geojson(edges, "edge", {}, control); });
  expect_hears([&](const Control& control) { outlines_as_csv(edges, {}, control); });
  expect_hears([&](const Control& control) { outlines_as_svg(edges, image, {}, control); });
  expect_hears([&](const Control& control) { objects_as_csv(edges, {}, control); });
  expect_hears([&](const Control& control) { outlines_as_roi_zip(edges, control); });
}

}  // namespace
}  // namespace meander
