// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/outline_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "control_testing.hpp"
#include "meander/error.hpp"

/// Files of starts, to the last grid point.
namespace meander {
namespace {

class OutlineFile : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              ("meander_outline_file_" + std::string(test->name()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& text) const {
    const auto path = folder_ / name;
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }

  std::filesystem::path folder_;
};

Polygon scaled(std::vector<GridPoint> points) {
  for (GridPoint& p : points) p = {p.x * grid_steps_per_pixel, p.y * grid_steps_per_pixel};
  return {std::move(points)};
}

const std::vector<Region> two_regions = {
    {scaled({{1, 1}, {9, 1}, {9, 9}, {1, 9}}), {scaled({{3, 3}, {3, 5}, {5, 5}, {5, 3}})}},
    {scaled({{20, 20}, {24, 20}, {24, 24}}), {}}};

#ifdef MEANDER_WITH_JSON

TEST_F(OutlineFile, PolygonsOfGeoJsonWithHoles) {
  const std::string first = R"([[[1,1],[9,1],[9,9],[1,9],[1,1]],[[3,3],[3,5],[5,5],[5,3],[3,3]]])";
  const std::string second = "[[[20,20],[24,20],[24,24],[20,20]]]";
  const std::string multi =
      file("m.geojson", R"({"type":"MultiPolygon","coordinates":[)" + first + "," + second + "]}");
  EXPECT_EQ(read_regions(multi, {}), two_regions);
  const auto feature = [](const std::string& rings) {
    return R"({"type":"Feature","geometry":{"type":"Polygon","coordinates":)" + rings + "}}";
  };
  const std::string half = file("c.json", R"({"type":"FeatureCollection","spacing":[0.5,0.25],)"
                                          R"("features":[)" +
                                              feature("[[[10,5],[12,5],[12,6]]]") + "]}");
  EXPECT_EQ(read_regions(half, {}), (std::vector<Region>{two_regions[1]}));
}

TEST_F(OutlineFile, RingsOfAnyDirectionAreTurned) {
  // The outer ring backwards, the hole forwards: they begin where the last node was.
  const std::string path =
      file("t.geojson", R"({"type":"Polygon","coordinates":)"
                        R"([[[1,9],[9,9],[9,1],[1,1]],[[5,3],[5,5],[3,5],[3,3]]]})");
  EXPECT_EQ(read_regions(path, {}), std::vector<Region>{two_regions[0]});
}

TEST_F(OutlineFile, GeoJsonThatStopsShortIsMalformed) {
  EXPECT_THROW(read_regions(file("s.geojson", R"({"type":"Polygon","coordinates":[[[1,9)"), {}),
               MalformedFile);
}

#else

TEST_F(OutlineFile, GeoJsonIsRefusedWithoutItsPart) {
  EXPECT_THROW(read_regions(file("p.geojson", "{}"), {}), Unsupported);
}

#endif

TEST_F(OutlineFile, OutlinesOfCsvWithRings) {
  const std::string path = file("o.csv",
                                "outline,vertex,x,y,confidence,ring\n"
                                "1,0,1,1,9,0\n1,1,9,1,9,0\n1,2,9,9,9,0\n1,3,1,9,9,0\n"
                                "1,0,3,3,,1\n1,1,3,5,,1\n1,2,5,5,,1\n1,3,5,3,,1\n"
                                "2,0,20,20,9,0\n2,1,24,20,9,0\n2,2,24,24,9,0\n");
  EXPECT_EQ(read_regions(path, {}), two_regions);
  try {
    read_curves(path, {}, false);
    FAIL();
  } catch (const Unsupported& error) {
    EXPECT_EQ(error.about.path, path);
  }
}

TEST_F(OutlineFile, PointsAreCirclesAndBoxesAreBoxes) {
  EXPECT_EQ(read_regions(file("p.csv", "x,y\n100,7.5\n"), {}),
            (std::vector<Region>{{circle_outline(100, 7.5, 8), {}}}));
  EXPECT_EQ(
      read_regions(file("r.csv", "x,y,r\n100,7.5,3\n2,2,1.25\n"), {}),
      (std::vector<Region>{{circle_outline(100, 7.5, 3), {}}, {circle_outline(2, 2, 1.25), {}}}));
  EXPECT_EQ(read_regions(file("b.csv", "x0,y0,x1,y1\n9,8,1,2\n"), {}),
            (std::vector<Region>{{box_outline(1, 2, 9, 8), {}}}));
  const auto curves = read_curves(file("c.csv", "x,y,r\n50,60,9\n"), {}, false);
  EXPECT_EQ(curves, (std::vector<Curve>{{.points = circle_outline(50, 60, 9).vertices}}));
}

TEST_F(OutlineFile, CirclesThatWouldMeetAreSmaller) {
  // 6, 8 and 10 pixels apart as in the triangle; the last is far enough from all.
  const auto regions = read_regions(file("p.csv", "x,y\n50,50\n56,50\n56,58\n80,58\n"), {});
  const std::vector<Region> expected{{circle_outline(50, 50, 0.45 * 6), {}},
                                     {circle_outline(56, 50, 0.45 * 6), {}},
                                     {circle_outline(56, 58, 0.45 * 8), {}},
                                     {circle_outline(80, 58, 8), {}}};
  EXPECT_EQ(regions, expected);
}

TEST_F(OutlineFile, PointsAndBoxesHaveNoShapes) {
  EXPECT_FALSE(has_shapes(file("p.csv", "x,y\n5,2\n")));
  EXPECT_FALSE(has_shapes(file("b.csv", "x0,y0,x1,y1\n1,2,5,6\n")));
  EXPECT_TRUE(has_shapes(file("o.csv", "outline,vertex,x,y\n1,0,1,1\n1,1,9,1\n1,2,9,9\n")));
  EXPECT_TRUE(has_shapes("labels.tif"));
}

TEST_F(OutlineFile, UnitsLeadToPixels) {
  Spacing spacing;
  spacing.x = 0.5, spacing.y = 0.25, spacing.unit = Unit::micrometre;
  EXPECT_EQ(read_regions(file("b.csv", "x0,y0,x1,y1,unit\n1,2,5,6,um\n"), spacing),
            (std::vector<Region>{{box_outline(2, 8, 10, 24), {}}}));
  EXPECT_EQ(read_regions(file("m.csv", "x0,y0,x1,y1,unit\n0.001,0.002,0.005,0.006,mm\n"), spacing),
            (std::vector<Region>{{box_outline(2, 8, 10, 24), {}}}));
  // A radius is measured along x.
  EXPECT_EQ(read_regions(file("p.csv", "x,y,r,unit\n5,2,3,um\n"), spacing),
            (std::vector<Region>{{circle_outline(10, 8, 6), {}}}));
  EXPECT_EQ(read_regions(file("q.csv", "x,y,r,unit\n5,2,3,px\n"), spacing),
            (std::vector<Region>{{circle_outline(5, 2, 3), {}}}));
}

TEST_F(OutlineFile, HearsItsControl) {
  const std::string points = file("p.csv", "x,y\n50,50\n56,50\n");
  const std::string boxes = file("b.csv", "x0,y0,x1,y1\n9,8,1,2\n");
  const std::string outlines = file("o.csv", "outline,vertex,x,y\n1,0,1,1\n1,1,9,1\n1,2,9,9\n");
  std::vector<std::string> paths{points, boxes, outlines};
#ifdef MEANDER_WITH_JSON
  paths.push_back(
      file("s.geojson", R"({"type":"Polygon","coordinates":[[[1,1],[9,1],[9,9],[1,1]]]})"));
#endif
  for (const std::string& path : paths) {
    testing::expect_hears([&](const Control& control) { read_regions(path, {}, control); });
    testing::expect_hears([&](const Control& control) { read_curves(path, {}, false, control); });
  }
}

}  // namespace
}  // namespace meander
