// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <cmath>

#include "control_testing.hpp"
#include "filter/react/react_testing.hpp"

/// From pixels to states and back.
namespace meander {
namespace {

using namespace testing;

/// What a row of pixels begins as.
std::vector<double> starts(const std::vector<double>& pixels, PixelType type,
                           const ReactWindow& window, ReactFigures* figures = nullptr) {
  Grid grid({static_cast<std::int64_t>(pixels.size()), 1, 1});
  grid.values = pixels;
  const Image image = image_of(grid, type);
  const ReactOptions options{.dt = 0.005, .gain = 2, .steps = 0, .window = window};
  Reactor reactor(image.device(), image.description(), options);
  const Image layers = reactor.run(image);
  if (figures != nullptr) *figures = reactor.figures();
  return grid_of(layers).values;
}

void expect_starts(const std::vector<double>& pixels, PixelType type, const ReactWindow& window,
                   const std::vector<double>& expected) {
  const std::vector<double> found = starts(pixels, type, window);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], 1e-6) << name_of(type) << " pixel " << pixels[i];
  }
}

TEST(ReactPixels, WindowsBecomeMinusAndPlusTheGain) {
  using enum ReactWindow::Kind;
  expect_starts({0, 51, 255}, PixelType::u8, full, {-2, -1.2, 2});
  expect_starts({0, 65535, 13107}, PixelType::u16, full, {-2, 2, -1.2});
  expect_starts({-32768, 32767, -0.5 + 0.5}, PixelType::i16, full, {-2, 2, 2.0 / 65535});
  expect_starts({10, 20, 12.5}, PixelType::f32, full, {-2, 2, -1});
  expect_starts({10, 20, 12.5}, PixelType::f16, full, {-2, 2, -1});
  expect_starts({10, 20, 12.5}, PixelType::f64, full, {-2, 2, -1});
  expect_starts({10, 110, 35}, PixelType::u8, range, {-2, 2, -1});
  expect_starts({0, 100, 255}, PixelType::u8, {50, 100}, {-6, 2, 14.4});
}

/// One pixel in 1000 is left out at each end and becomes what the end becomes, in both layers and
/// on every type; a window of a film is taken as it is.
TEST(ReactPixels, FewPixelsThatHoldTheRangeAreCutOff) {
  using enum ReactWindow::Kind;
  std::vector<double> pixels(2000);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<double>(i % 101);
  pixels[0] = 200;
  ReactFigures figures;
  for (const PixelType type : {PixelType::u8, PixelType::i16, PixelType::f32, PixelType::f64}) {
    for (const ReactWindow::Kind kind : {automatic, fit}) {
      const bool is_few = kind == automatic;  // 200 is no more than twice 100
      const auto found = starts(pixels, type, kind, &figures);
      EXPECT_EQ(figures.window, (std::array{0.0, is_few ? 100.0 : 200.0}));
      EXPECT_EQ(figures.beyond, is_few ? 1 : 0);
      EXPECT_NEAR(found[0], 2, 1e-6);
      EXPECT_NEAR(found[25], is_few ? -1 : -1.5, 1e-6);
    }
  }
  pixels[0] = 201;
  starts(pixels, PixelType::u8, fit, &figures);
  EXPECT_EQ(figures.window, (std::array{0.0, 100.0}));
  ReactWindow of_film(automatic);
  of_film.ends = {20, 60};
  expect_starts({0, 50, 255}, PixelType::u8, of_film, {-2, 1, 2});
}

/// At dt = 0.1 a state beyond 4.5 leaps further out.
TEST(ReactPixels, WindowsThatPixelsLeaveTooFarAreRefused) {
  Grid grid({3, 1, 1});
  grid.values = {0, 100, 255};
  const Image image = image_of(grid, PixelType::u8);
  EXPECT_NO_THROW(react(image, {.steps = 1, .window = {40, 100}}));
  EXPECT_THROW(react(image, {.steps = 1, .window = {50, 70}}), InvalidArgument);
  EXPECT_NO_THROW(react(image, {.steps = 1, .window = {50, 70}, .force = true}));
  EXPECT_THROW(react(image, {.gain = 5, .steps = 1}), InvalidArgument);
}

TEST(ReactPixels, HearTheirControl) {
  const Image image = image_of(random_grid({6, 5, 1}, 3), PixelType::u8);
  const ReactOptions options{.steps = 0};
  const auto [layers, figures] = react(image, options);
  expect_hears([&, &layers = layers, &figures = figures](const Control& control) {
    react_pixels(layers, options, figures, PixelType::u8, control);
  });
}

TEST(ReactPixels, BothLayersBeginAlike) {
  const Image image = image_of(random_grid({6, 5, 1}, 3), PixelType::u8);
  const Image layers = react(image, {.steps = 0, .layer = ReactLayer::both}).layers;
  EXPECT_LE(largest_difference(grid_of(layers, 0), grid_of(layers, 1)), 1e-7);
}

TEST(ReactPixels, ConstantImagesBeginAsZero) {
  for (const PixelType type : {PixelType::u8, PixelType::f16, PixelType::f32, PixelType::f64}) {
    ReactFigures figures;
    for (const double state : starts({7, 7, 7}, type, ReactWindow::Kind::range, &figures)) {
      EXPECT_EQ(state, 0);
    }
    EXPECT_EQ(figures.window, (std::array<double, 2>{7, 7}));
  }
}

TEST(ReactPixels, PixelsMustBeFinite) {
  for (const ReactWindow& window : {ReactWindow(), ReactWindow(0, 1)}) {
    try {
      starts({1, std::nan(""), INFINITY, 2}, PixelType::f32, window);
      FAIL() << "NaN was taken";
    } catch (const InvalidArgument& failure) {
      EXPECT_STREQ(failure.what(), "the image holds 2 numbers that are not finite, expected none");
    }
  }
}

TEST(ReactPixels, WindowsThatFloatsCannotResolveAreRefused) {
  EXPECT_THROW(starts({0, 1e-42}, PixelType::f32, {}), InvalidArgument);
  EXPECT_THROW(starts({-3e38, 3e38}, PixelType::f32, {}), InvalidArgument);
  EXPECT_THROW(starts({-1.7e308, 1.7e308}, PixelType::f64, {}), InvalidArgument);
  EXPECT_NEAR(starts({-1e30, 1e30}, PixelType::f32, {})[1], 2, 1e-6);
  EXPECT_NEAR(starts({0, 1e-42}, PixelType::f64, {})[1], 2, 1e-12);
}

/// One row of states through a map.
std::vector<double> pixels_of(const std::vector<double>& states, const ReactMap& map,
                              PixelType type, ReactLayer layer = ReactLayer::u) {
  Grid grid({static_cast<std::int64_t>(states.size()), 1, 1});
  grid.values = states;
  const int channels = layer == ReactLayer::both ? 2 : 1;
  const Image layers = image_of(grid, PixelType::f32, channels, [](int c) { return c + 1.0; });
  const ReactFigures figures{.window = {100, 200}, .u = {-1, 3}, .v = {-2, 6}};
  const Image pixels =
      react_pixels(layers, {.gain = 0.5, .layer = layer, .output_map = map}, figures, type);
  EXPECT_EQ(pixels.type(), type);
  std::vector<double> found;
  for (int c = 0; c < channels; ++c) {
    visit(type, [&]<class T>(std::type_identity<T>) {
      const T* row = pixels.download().row<T>(0, 0, c);
      for (std::size_t i = 0; i < states.size(); ++i) found.push_back(to_double(row[i]));
    });
  }
  return found;
}

using Numbers = std::vector<double>;

TEST(ReactPixels, RangeAndWindowFillIntegerTypes) {
  EXPECT_EQ(pixels_of({-1, 0, 3}, {}, PixelType::u8), (Numbers{0, 64, 255}));
  EXPECT_EQ(pixels_of({-1, 1, 3}, {}, PixelType::u16), (Numbers{0, 32768, 65535}));
  EXPECT_EQ(pixels_of({-1, 3}, {}, PixelType::i16), (Numbers{0, 32767}));
  const ReactMap window{ReactMap::Kind::window, {-0.5, 0.5}};
  EXPECT_EQ(pixels_of({-2, -0.5, 0.1, 0.5, 2}, window, PixelType::u8),
            (Numbers{0, 0, 153, 255, 255}));
}

TEST(ReactPixels, EachLayerHasItsOwnRange) {
  EXPECT_EQ(pixels_of({-1, 3}, {}, PixelType::u8, ReactLayer::both), (Numbers{0, 255, 0, 255}));
  EXPECT_EQ(pixels_of({-2, 6}, {}, PixelType::u8, ReactLayer::v), (Numbers{0, 255}));
}

TEST(ReactPixels, FloatsHoldTheStates) {
  const ReactMap window{ReactMap::Kind::window, {-0.5, 0.5}};
  for (const PixelType type : {PixelType::f16, PixelType::f32, PixelType::f64}) {
    EXPECT_EQ(pixels_of({-2, 0.25}, {}, type), (Numbers{-2, 0.25}));
    EXPECT_EQ(pixels_of({-2, 0.25}, window, type), (Numbers{-2, 0.25}));
  }
}

TEST(ReactPixels, InputGoesBackThroughWindowAndGain) {
  const ReactMap input{ReactMap::Kind::input};
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::f32, PixelType::f64}) {
    EXPECT_EQ(pixels_of({-0.5, 0, 0.25, 0.5}, input, type), (Numbers{100, 150, 175, 200}));
  }
  EXPECT_EQ(pixels_of({-2, 2}, input, PixelType::u8), (Numbers{0, 255}));
}

TEST(ReactPixels, ConstantLayersBecomeZero) {
  Grid grid({3, 1, 1});
  grid.values = {2, 2, 2};
  const Image image = image_of(grid, PixelType::f32);
  const Image pixels = react_pixels(image, {}, {.u = {2, 2}}, PixelType::u8);
  EXPECT_EQ(pixels.download().row<std::uint8_t>(0)[1], 0);
}

TEST(ReactPixels, PairsOfLayersMustBeWhole) {
  const Image image = image_of(Grid({3, 1, 1}), PixelType::f32, 3);
  EXPECT_THROW(react_pixels(image, {.layer = ReactLayer::both}, {}, PixelType::u8),
               InvalidArgument);
}

/// Without steps `input` is the identity.
TEST(ReactPixels, InputUndoesTheStart) {
  for (const Device& device : all_devices()) {
    for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::i16}) {
      const Image image = device.upload(image_of(random_grid({50, 9, 1}, 2), type));
      const ReactOptions options{.steps = 0, .window = ReactWindow::Kind::range};
      Reactor reactor(device, image.description(), options);
      ReactOptions back = options;
      back.output_map.kind = ReactMap::Kind::input;
      const Image pixels = react_pixels(reactor.run(image), back, reactor.figures(), type);
      const Image a = pixels.download(), b = image.download();
      for (std::int64_t y = 0; y < 9; ++y) {
        const std::size_t bytes = 50 * size_of(type);
        EXPECT_TRUE(std::equal(a.row_bytes(y), a.row_bytes(y) + bytes, b.row_bytes(y)))
            << device.name() << name_of(type);
      }
    }
  }
}

}  // namespace
}  // namespace meander
