// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "control_testing.hpp"
#include "meander/device.hpp"
#include "meander/error.hpp"
#include "meander/picture.hpp"

namespace meander {
namespace {

using Rgb = std::array<int, 3>;
const Rgb line{255, 64, 0}, dot{255, 236, 64};

template <class T = std::uint16_t>
Image image_of(const Shape& shape, const std::function<double(std::int64_t, std::int64_t)>& at) {
  Image image = Image::allocate({.shape = shape, .type = pixel_type_of<T>()});
  for (std::int64_t y = 0; y < shape.y; ++y) {
    for (std::int64_t x = 0; x < shape.x; ++x) {
      image.mutable_row<T>(y)[x] = static_cast<T>(at(x, y));
    }
  }
  return image;
}

Image half_bright(const Shape& shape) {
  return image_of(shape, [&](std::int64_t x, std::int64_t) { return x < shape.x / 2 ? 100 : 900; });
}

Rgb at(const Image& picture, std::int64_t x, std::int64_t y) {
  const auto value = [&](int c) { return int{picture.row<std::uint8_t>(y, 0, c)[x]}; };
  return {value(0), value(1), value(2)};
}

int grey_at(const Image& picture, std::int64_t x, std::int64_t y) {
  const Rgb colour = at(picture, x, y);
  EXPECT_TRUE(colour[0] == colour[1] && colour[1] == colour[2]) << x << "," << y;
  return colour[0];
}

bool is_grey(const Rgb& colour) { return colour[0] == colour[1] && colour[1] == colour[2]; }

TEST(OutlineOverlay, ImagesBetweenTheSizesKeepTheirPixels) {
  const Image picture = outline_overlay(half_bright({600, 300, 1}), {});
  ASSERT_EQ(picture.shape(), (Shape{600, 300, 1}));
  ASSERT_EQ(picture.channels(), 3);
  ASSERT_EQ(picture.type(), PixelType::u8);
  EXPECT_EQ(grey_at(picture, 299, 7), 0);
  EXPECT_EQ(grey_at(picture, 300, 7), 255);
}

TEST(OutlineOverlay, LargeImagesAreReducedByMeans) {
  // 1025 pixels need a factor of 3 to come below 512; the last box has 2 columns.
  const Image image = image_of({1025, 6, 1}, [](std::int64_t x, std::int64_t y) {
    return x >= 1023 ? 200 : x < 3 && y < 3 ? (x == 0 ? 300 : 0) : 0;
  });
  const Image picture = outline_overlay(image, {}, 512);
  ASSERT_EQ(picture.shape(), (Shape{342, 2, 1}));
  // The first box has a mean of 100, the last of 200, the others of 0.
  EXPECT_NEAR(grey_at(picture, 0, 0), 128, 1);
  EXPECT_EQ(grey_at(picture, 0, 1), 0);
  EXPECT_EQ(grey_at(picture, 341, 0), 255);
  EXPECT_EQ(grey_at(picture, 340, 0), 0);
}

TEST(OutlineOverlay, SmallImagesAreEnlarged) {
  const Image picture = outline_overlay(half_bright({100, 10, 1}), {});
  ASSERT_EQ(picture.shape(), (Shape{500, 50, 1}));
  EXPECT_EQ(grey_at(picture, 249, 49), 0);
  EXPECT_EQ(grey_at(picture, 250, 0), 255);
}

TEST(OutlineOverlay, FewExtremeValuesDoNotDarkenTheRest) {
  const Image image = image_of<float>({600, 100, 1}, [](std::int64_t x, std::int64_t y) {
    if (y == 0 && x < 100) return x % 2 == 0 ? 1e30 : -1e30;
    if (y == 1 && x < 10) return std::numeric_limits<double>::quiet_NaN();
    return x < 300 ? 1.0 : 2.0;
  });
  const Image picture = outline_overlay(image, {});
  EXPECT_EQ(grey_at(picture, 200, 50), 0);
  EXPECT_EQ(grey_at(picture, 400, 50), 255);
}

TEST(OutlineOverlay, FewBrightPixelsOnAPlainGroundAreSeen) {
  const Image picture = outline_overlay(
      image_of({600, 100, 1}, [](std::int64_t x, std::int64_t y) { return x == 7 && y == 9; }), {});
  EXPECT_EQ(grey_at(picture, 7, 9), 255);
  EXPECT_EQ(grey_at(picture, 8, 9), 0);
}

TEST(OutlineOverlay, DrawsTheOutlineWhereItIs) {
  const Polygon box = box_outline(100, 50, 300, 200);
  const Image picture = outline_overlay(half_bright({600, 300, 1}), {{box}});
  for (const auto& [x, y] : {std::pair{200, 50}, {200, 200}, {100, 120}, {300, 120}}) {
    EXPECT_EQ(at(picture, x, y), line) << x << "," << y;
  }
  // Two pixels wide: half of the next pixel is covered, nothing of the one after.
  EXPECT_FALSE(is_grey(at(picture, 200, 51)));
  EXPECT_TRUE(is_grey(at(picture, 200, 52)) && is_grey(at(picture, 200, 48)));
  for (const auto& [x, y] : {std::pair{100, 50}, {300, 50}, {300, 200}, {100, 200}}) {
    EXPECT_EQ(at(picture, x, y), dot) << x << "," << y;
  }
  EXPECT_EQ(grey_at(picture, 200, 120), 0);
  EXPECT_EQ(grey_at(picture, 400, 120), 255);
}

TEST(OutlineOverlay, AllOutlinesHaveDotsOrNone) {
  Polygon crowded;
  for (int x = 400; x < 500; ++x) crowded.vertices.push_back({x * 256, 100 * 256});
  crowded.vertices.push_back({450 * 256, 200 * 256});
  const Image picture =
      outline_overlay(half_bright({600, 300, 1}), {{box_outline(100, 50, 300, 200), crowded}});
  EXPECT_EQ(at(picture, 100, 50), line);
}

TEST(OutlineOverlay, CoordinatesFollowTheScale) {
  // Enlarged five times the centre of pixel 20 lies at 102; reduced by 3 that of pixel 301 at 100.
  const Image large = outline_overlay(half_bright({100, 60, 1}), {{box_outline(20, 10, 40, 30)}});
  EXPECT_EQ(at(large, 102, 102), line);
  EXPECT_EQ(at(large, 202, 102), line);
  EXPECT_TRUE(is_grey(at(large, 99, 102)));
  const Image small =
      outline_overlay(half_bright({1500, 900, 1}), {{box_outline(301, 301, 601, 601)}}, 512);
  EXPECT_EQ(at(small, 100, 150), line);
  EXPECT_EQ(at(small, 200, 150), line);
}

TEST(OutlineOverlay, SlantedLinesAreWhole) {
  const Polygon triangle{{{10 * 256, 10 * 256}, {590 * 256, 250 * 256}, {300 * 256, 290 * 256}}};
  const Image picture = outline_overlay(half_bright({600, 300, 1}), {{triangle}});
  for (int x = 20; x < 580; ++x) {
    const double exact = 10 + (x - 10) * 240.0 / 580;
    const auto y = static_cast<std::int64_t>(std::lround(exact));
    EXPECT_FALSE(is_grey(at(picture, x, y))) << x;
    EXPECT_TRUE(is_grey(at(picture, x, y - 4))) << x;
  }
}

TEST(OutlineOverlay, WhatLiesOutsideIsNotDrawn) {
  const std::int64_t far = largest_coordinate * 256;
  const Polygon wide{{{-far, -far}, {far, -far}, {far, 100 * 256}, {-far, 100 * 256}}};
  const Image picture = outline_overlay(half_bright({600, 300, 1}), {{wide}});
  for (int x = 0; x < 600; x += 37) EXPECT_EQ(at(picture, x, 100), line) << x;
  for (int x = 0; x < 600; x += 37) EXPECT_TRUE(is_grey(at(picture, x, 90))) << x;
}

TEST(OutlineOverlay, NodesThatLieCloseHaveNoDots) {
  Polygon fine;
  for (int x = 0; x <= 200; x += 4) fine.vertices.push_back({(100 + x) * 256, 50 * 256});
  for (int x = 200; x >= 0; x -= 4) fine.vertices.push_back({(100 + x) * 256, 60 * 256});
  const Image picture = outline_overlay(half_bright({600, 300, 1}), {{fine}});
  EXPECT_EQ(at(picture, 120, 50), line);
}

TEST(OutlineOverlay, ACanvasIsDrawnOnAgainAndAgain) {
  const OutlineCanvas canvas(half_bright({600, 300, 1}));
  const Image first = canvas.with({{box_outline(100, 50, 300, 200)}});
  const Image second = canvas.with({});
  EXPECT_EQ(at(first, 200, 50), line);
  EXPECT_EQ(grey_at(second, 200, 50), 0);
  EXPECT_EQ(canvas.description(), second.description());
}

TEST(OutlineOverlay, StatedMemoryIsEnough) {
  const Device cpu = Device::open("cpu");
  for (const Shape& shape :
       {Shape{1, 1, 1}, Shape{100, 10, 1}, Shape{700, 300, 1}, Shape{3000, 2000, 1}}) {
    const Image image = half_bright(shape);
    const std::uint64_t before = cpu.memory().in_use;
    cpu.reset_memory_peak();
    const OutlineCanvas canvas(image, 512);
    const Image picture = canvas.with({});
    const auto used = static_cast<std::int64_t>(cpu.memory().peak - before);
    EXPECT_LE(used, OutlineCanvas::bytes_to_make(shape, 512)) << to_string(shape);
    EXPECT_GT(2 * used, OutlineCanvas::bytes_to_make(shape, 512)) << to_string(shape);
  }
}

TEST(OutlineOverlay, RefusesOtherImages) {
  const Image volume = Image::allocate({.shape = {4, 4, 2}, .type = PixelType::u8});
  const Image colours = Image::allocate({.shape = {4, 4, 1}, .channels = 3, .type = PixelType::u8});
  EXPECT_THROW(outline_overlay(volume, {}), InvalidArgument);
  EXPECT_THROW(outline_overlay(colours, {}), InvalidArgument);
  EXPECT_THROW(outline_overlay(half_bright({4, 4, 1}), {}, 0), InvalidArgument);
}

TEST(OutlineOverlay, HearsItsControl) {
  const std::vector<Polygon> boxes{box_outline(10, 10, 90, 40), box_outline(5, 50, 20, 58)};
  std::vector<Curve> curves;
  std::vector<LabelledRegion> objects;
  for (const Polygon& box : boxes) {
    curves.push_back({.points = box.vertices});
    objects.push_back({std::ssize(objects) + 1, {box, {}}});
  }
  for (const Shape& shape : {Shape{100, 60, 1}, Shape{1500, 900, 1}}) {
    const Image image = half_bright(shape);
    testing::expect_hears(
        [&](const Control& control) { const OutlineCanvas canvas(image, 512, {}, control); });
    const OutlineCanvas canvas(image, 512);
    testing::expect_hears([&](const Control& control) { canvas.with(boxes, control); });
    testing::expect_hears([&](const Control& control) { canvas.with({}, control); });
    testing::expect_hears([&](const Control& control) { canvas.with(curves, curves, control); });
    testing::expect_hears(
        [&](const Control& control) { canvas.with_numbers(objects, curves, control); });
    testing::expect_hears(
        [&](const Control& control) { outline_overlay(image, boxes, 512, control); });
  }
}

}  // namespace
}  // namespace meander
