// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "control_testing.hpp"
#include "meander/error.hpp"
#include "meander/picture.hpp"
#include "picture/concavity.hpp"

namespace meander {
namespace {

constexpr std::int64_t pixel = grid_steps_per_pixel;

/// Corners in pixels.
Curve curve_of(const std::vector<std::array<std::int64_t, 2>>& corners, bool is_open = false) {
  Curve curve{.is_open = is_open};
  for (const auto& [x, y] : corners) curve.points.push_back({x * pixel, y * pixel});
  return curve;
}

/// A square with a notch from above that is 30 deep on a floor of 30 x 10.
Curve notched() {
  return curve_of(
      {{0, 0}, {10, 0}, {10, 30}, {25, 31}, {40, 30}, {40, 0}, {50, 0}, {50, 50}, {0, 50}});
}

std::array<int, 3> at(const Image& picture, std::int64_t x, std::int64_t y) {
  const auto value = [&](int c) { return int{picture.row<std::uint8_t>(y, 0, c)[x]}; };
  return {value(0), value(1), value(2)};
}

Image grey(const Shape& shape, std::uint16_t value) {
  Image image = Image::allocate({.shape = shape, .type = PixelType::u16});
  for (std::int64_t y = 0; y < shape.y; ++y) {
    std::fill_n(image.mutable_row<std::uint16_t>(y), shape.x, value);
  }
  return image;
}

Field rightwards(const Shape& shape) {
  Image vectors = Image::allocate({.shape = shape, .channels = 2});
  for (std::int64_t y = 0; y < shape.y; ++y) {
    std::fill_n(vectors.mutable_row<float>(y, 0, 0), shape.x, 0.001F);
    std::fill_n(vectors.mutable_row<float>(y, 0, 1), shape.x, 0.0F);
  }
  return Field(vectors);
}

TEST(Concavity, DeepestPointIsTheFloorOfTheNotch) {
  const Curve shape = notched();
  const GridPoint expected{25 * pixel, 31 * pixel};
  for (std::size_t turn = 0; turn < shape.points.size(); ++turn) {
    Curve turned = shape;
    std::rotate(turned.points.begin(), turned.points.begin() + static_cast<std::ptrdiff_t>(turn),
                turned.points.end());
    EXPECT_EQ(pictures::deepest_point({&turned, 1}), expected) << turn;
    std::reverse(turned.points.begin(), turned.points.end());
    EXPECT_EQ(pictures::deepest_point({&turned, 1}), expected) << turn;
  }
  const std::vector<Curve> two{curve_of({{90, 0}, {99, 0}, {94, 3}, {99, 9}, {90, 9}}), shape};
  EXPECT_EQ(pictures::deepest_point(two), expected);
}

TEST(Concavity, OpenCurvesAndNoneHaveAPointToo) {
  const Curve line = curve_of({{1, 1}, {5, 2}, {9, 1}}, true);
  EXPECT_EQ(pictures::deepest_point({&line, 1}), (GridPoint{5 * pixel, 2 * pixel}));
  EXPECT_EQ(pictures::deepest_point({}), GridPoint{});
}

TEST(OutlineCanvas, OpenCurvesAreNotClosedAndStartsAreBlue) {
  const OutlineCanvas canvas(grey({600, 600, 1}, 7));
  const std::vector<Curve> lines{curve_of({{100, 100}, {300, 100}, {300, 300}}, true)};
  const std::vector<Curve> starts{curve_of({{50, 400}, {550, 400}, {300, 590}})};
  const Image picture = canvas.with(lines, starts);
  EXPECT_EQ(at(picture, 200, 100), (std::array{255, 64, 0}));
  EXPECT_EQ(at(picture, 300, 200), (std::array{255, 64, 0}));
  EXPECT_EQ(at(picture, 200, 200)[0], at(picture, 200, 200)[2]);  // no line back
  EXPECT_EQ(at(picture, 200, 400), (std::array{72, 156, 255}));
  EXPECT_EQ(at(picture, 175, 495)[2], 255);  // a closed start is closed
  const std::vector<Curve> over{curve_of({{50, 400}, {550, 400}}, true)};
  EXPECT_EQ(at(canvas.with(over, starts), 200, 400), (std::array{255, 64, 0}));
}

TEST(EdgePictures, AreAllOfOneSize) {
  const Shape shape{120, 100, 1};
  const std::vector<Curve> outlines{notched()};
  const EdgeStages stages{
      .smoothed = grey(shape, 5), .edges = grey(shape, 0), .field = rightwards(shape)};
  const EdgePictures made = edge_pictures(grey(shape, 9), stages, {}, outlines);
  const Shape expected{480, 400, 1};
  for (const Image& picture : {made.smoothed, made.edges, made.flow, made.outline}) {
    EXPECT_EQ(picture.shape(), expected);
    EXPECT_EQ(picture.channels(), 3);
  }
  // To the right is red, of full brightness however short the vectors are.
  EXPECT_EQ(at(made.flow, 100, 300), (std::array{255, 0, 0}));
  EXPECT_EQ(made.figure.shape().x, 8 + 3 * (480 + 8));
  const EdgePictures fewer =
      edge_pictures(grey(shape, 9), {.field = rightwards(shape)}, {}, outlines);
  EXPECT_TRUE(fewer.smoothed.empty() && fewer.edges.empty());
  EXPECT_EQ(fewer.outline.shape(), expected);
}

TEST(EdgePictures, StagesOfAnotherShapeAreRefused) {
  const Image image = grey({20, 10, 1}, 1);
  EXPECT_THROW(edge_pictures(image, {}, {}, {}), InvalidArgument);
  EXPECT_THROW(edge_pictures(image, {.field = rightwards({10, 20, 1})}, {}, {}), InvalidArgument);
  EXPECT_THROW(
      edge_pictures(image, {.smoothed = grey({20, 11, 1}, 1), .field = rightwards({20, 10, 1})}, {},
                    {}),
      InvalidArgument);
}

TEST(Pictures, HearTheirControl) {
  const Shape shape{700, 300, 1};
  const Image image = grey(shape, 7);
  const Field field = rightwards(shape);
  const std::vector<Curve> curves{notched()};
  const EdgeStages stages{.smoothed = image, .edges = image, .field = field};
  const Image tile = OutlineCanvas(image).with({});
  const std::vector<std::vector<Tile>> rows{{{tile, "a"}, {tile, "b"}}, {{tile, "c"}}};
  using testing::expect_hears;
  expect_hears([&](const Control& control) { contact_sheet(rows, 100, control); });
  expect_hears([&](const Control& control) { reduced_image(image, 100, control); });
  expect_hears([&](const Control& control) { field_colours(field, control); });
  expect_hears([&](const Control& control) { field_arrows(image, field, {}, control); });
  expect_hears([&](const Control& control) { flow_picture(image, field, field, control); });
  expect_hears(
      [&](const Control& control) { edge_pictures(image, stages, curves, curves, control); });
}

}  // namespace
}  // namespace meander
