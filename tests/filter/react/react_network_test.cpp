// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <cmath>

#include "backend/cpu/stencil/stencil.hpp"
#include "filter/react/react_testing.hpp"

/// Steps, borders and sizes against the equations cell by cell.
namespace meander {
namespace {

using namespace testing;

void expect_plain(const Device& device, const Shape& shape, const ReactOptions& options) {
  const Grid start = random_states(shape, 11);
  PlainNetwork plain(start, options);
  plain.run(options.steps);
  const std::string at = words(device, shape, options);
  if (device.info().has_float64) {
    const Image exact = run_on(device, start, options);
    EXPECT_EQ(exact.type(), PixelType::f64);
    EXPECT_LE(largest_difference(grid_of(exact, 0), plain.u), 1e-13) << at;
    EXPECT_LE(largest_difference(grid_of(exact, 1), plain.v), 1e-13) << at;
  }
  const Image rounded = run_on(device, start, options, PixelType::f32);
  EXPECT_EQ(rounded.type(), PixelType::f32);
  const double tolerance = options.steps == 1 ? 1e-6 : 5e-6;
  EXPECT_LE(largest_difference(grid_of(rounded, 0), plain.u), tolerance) << at;
  EXPECT_LE(largest_difference(grid_of(rounded, 1), plain.v), tolerance) << at;
}

TEST(ReactNetwork, EveryBorderIsExact) {
  for (const Device& device : all_devices()) {
    for (const Shape& shape : {Shape{6, 5, 1}, Shape{5, 4, 3}}) {
      for (const ReactLaplacian laplacian : {ReactLaplacian::five, ReactLaplacian::nine}) {
        if (shape.z > 1 && laplacian == ReactLaplacian::nine) continue;
        for (const ReactBorder border : react_borders) {
          for (const double d1 : {0.0, 0.4}) {
            ReactOptions options = plain_options();
            options.diffusion = {d1, 1.3};
            options.laplacian = laplacian;
            options.border = border;
            for (const std::int64_t steps : {1, 6, 7}) {
              options.steps = steps;
              expect_plain(device, shape, options);
            }
          }
        }
      }
    }
  }
}

TEST(ReactNetwork, EverySizeWorks) {
  const Shape shapes[] = {{1, 1, 1}, {2, 1, 1},  {1, 2, 1},     {3, 1, 1},   {1, 3, 1},   {2, 2, 1},
                          {3, 3, 1}, {31, 2, 1}, {2, 31, 1},    {31, 33, 1}, {33, 31, 1}, {1, 1, 2},
                          {1, 1, 3}, {2, 3, 2},  {1023, 65, 1}, {31, 3, 33}};
  for (const Device& device : all_devices()) {
    for (const Shape& shape : shapes) {
      ReactOptions options = plain_options();
      options.diffusion = {0.4, 1.3};
      options.steps = 3;
      for (const ReactBorder border : react_borders) {
        options.border = border;
        if (shape.x < 1000 || border == ReactBorder::mirror) expect_plain(device, shape, options);
      }
    }
  }
}

TEST(ReactNetwork, GenesAndGainMeanWhatTheEquationsSay) {
  for (const Device& device : all_devices()) {
    ReactOptions options = plain_options();
    options.genes = {.a = 0.31, .b = -0.9, .c = 1.7, .e = 0.45};
    options.diffusion = {0.21, 0.83};
    options.gain = 1.3;
    options.dt = 0.07;
    options.steps = 12;
    expect_plain(device, {7, 6, 1}, options);
  }
}

TEST(ReactNetwork, EvenAndOddStepsReturnTheLastState) {
  for (const Device& device : all_devices()) {
    for (const std::int64_t steps : {0, 1, 2, 31, 32, 33, 64, 65}) {
      ReactOptions options = plain_options();
      options.diffusion = {0, 1.3};
      options.steps = steps;
      expect_plain(device, {4, 5, 1}, options);
    }
  }
}

TEST(ReactNetwork, SnapshotsAreThoseOfSeparateRuns) {
  for (const Device& device : all_devices()) {
    ReactOptions options = plain_options();
    options.steps = 300;
    const Grid start = random_states({19, 17, 1}, 5);
    const Image image = device.upload(
        image_of(start, PixelType::f32, 2, [](int c) { return c == 0 ? 1.0 : -0.5; }));
    const std::vector<std::int64_t> at{0, 1, 2, 37, 256, 300};
    std::vector<std::int64_t> taken;
    std::vector<Image> images;
    Reactor reactor(device, image.description(), options);
    const Image last =
        reactor.run(image, {.at = at, .take = [&](std::int64_t step, const Image& layers) {
                              taken.push_back(step);
                              images.push_back(layers);
                            }});
    ASSERT_EQ(taken, at) << device.name();
    EXPECT_TRUE(same_bits(images.back(), last)) << device.name();
    for (std::size_t i = 0; i < at.size(); ++i) {
      options.steps = at[i];
      EXPECT_EQ(images[i].channels(), 4);
      EXPECT_TRUE(same_bits(images[i], react(image, options).layers)) << device.name() << at[i];
    }
  }
}

TEST(ReactNetwork, AReactorHoldsNothingOfTheLastImage) {
  for (const Device& device : all_devices()) {
    for (const std::int64_t steps : {8, 9}) {
      ReactOptions options = plain_options();
      options.steps = steps;
      const Image one = device.upload(image_of(random_states({13, 9, 1}, 1), PixelType::f32));
      const Image two = device.upload(image_of(random_states({13, 9, 1}, 2), PixelType::f32));
      Reactor reactor(device, one.description(), options);
      const Image first = reactor.run(one);
      const auto range = reactor.figures().u;
      const Image second = reactor.run(two);
      EXPECT_NEAR(reactor.figures().u[0], std::ranges::min(grid_of(second).values), 1e-6);
      EXPECT_NE(reactor.figures().u, range);
      EXPECT_TRUE(same_bits(reactor.run(one), first)) << device.name();
      EXPECT_TRUE(same_bits(react(two, options).layers, second)) << device.name();
      EXPECT_FALSE(same_bits(first, second)) << device.name();
    }
  }
}

TEST(ReactNetwork, ChannelsAreNetworksOfTheirOwn) {
  for (const Device& device : all_devices()) {
    for (const ReactLayer layer : {ReactLayer::u, ReactLayer::v, ReactLayer::both}) {
      ReactOptions options = plain_options();
      options.layer = layer;
      options.steps = 33;
      const Image image = device.upload(image_of(random_states({11, 8, 1}, 4), PixelType::f32, 3,
                                                 [](int c) { return 1.0 - 0.75 * c; }));
      const Image together = react(image, options).layers;
      const int each = layer == ReactLayer::both ? 2 : 1;
      ASSERT_EQ(together.channels(), 3 * each);
      for (int c = 0; c < 3; ++c) {
        const Image alone = react(image.channel(c), options).layers;
        for (int i = 0; i < each; ++i) {
          EXPECT_EQ(largest_difference(grid_of(together, c * each + i), grid_of(alone, i)), 0)
              << device.name() << " channel " << c;
        }
      }
    }
  }
}

TEST(ReactNetwork, LayersAreUAndV) {
  for (const Device& device : all_devices()) {
    ReactOptions options = plain_options();
    options.steps = 20;
    const Grid start = random_states({9, 9, 1}, 8);
    const Image both = run_on(device, start, options, PixelType::f32);
    options.layer = ReactLayer::u;
    EXPECT_TRUE(same_bits(run_on(device, start, options, PixelType::f32), both.channel(0)));
    options.layer = ReactLayer::v;
    EXPECT_TRUE(same_bits(run_on(device, start, options, PixelType::f32), both.channel(1)));
    EXPECT_FALSE(same_bits(both.channel(0), both.channel(1)));
  }
}

TEST(ReactNetwork, ThreadsChangeNoBit) {
  const Device device = Device::open("cpu");
  for (const Shape& shape : {Shape{301, 203, 1}, Shape{41, 37, 29}}) {
    const Image image = image_of(random_states(shape, 6), PixelType::f32);
    ReactOptions options = plain_options();
    options.diffusion = {0.4, 1.3};
    options.steps = 40;
    set_threads(1);
    const Image alone = react(image, options).layers;
    for (const int threads : {2, 3}) {
      set_threads(threads);
      for (int again = 0; again < 2; ++again) {
        EXPECT_TRUE(same_bits(react(image, options).layers, alone)) << threads << " threads";
      }
    }
    set_threads(0);
  }
}

/// Blocked equals plain.
TEST(ReactNetwork, TheWayOfTheCpuChangesNoBit) {
  for (const Shape& shape : {Shape{301, 203, 1}, Shape{1023, 65, 1}, Shape{33, 31, 1}}) {
    const Image image = image_of(random_states(shape, 6), PixelType::f32);
    for (const ReactLaplacian laplacian : {ReactLaplacian::five, ReactLaplacian::nine}) {
      for (const ReactBorder border : react_borders) {
        for (const double d1 : {0.0, 0.4}) {
          ReactOptions options = plain_options();
          options.diffusion = {d1, 1.3};
          options.laplacian = laplacian;
          options.border = border;
          options.steps = 41;
          cpu::set_stencil_path(cpu::StencilPath::rows);
          const Image rows = react(image, options).layers;
          cpu::set_stencil_path(cpu::StencilPath::ring);
          const Image ring = react(image, options).layers;
          cpu::set_stencil_path(cpu::StencilPath::automatic);
          EXPECT_TRUE(same_bits(rows, ring)) << words(image.device(), shape, options);
          EXPECT_TRUE(same_bits(rows, react(image, options).layers));
        }
      }
    }
  }
}

TEST(ReactNetwork, PrecisionDecidesTheTypeOfTheStates) {
  const Device device = Device::open("reference");
  ReactOptions options = plain_options();
  const Grid start = random_states({5, 5, 1}, 9);
  EXPECT_EQ(run_on(device, start, options, PixelType::f16).type(), PixelType::f32);
  options.precision = Precision::float64;
  const Image wide = run_on(device, start, options, PixelType::f32);
  EXPECT_EQ(wide.type(), PixelType::f64);
  EXPECT_TRUE(same_bits(wide, run_on(device, start, options, PixelType::f64)));
}

TEST(ReactNetwork, SpacingIsCarriedOver) {
  const Spacing spacing{.x = 0.5, .y = 0.25, .z = 2, .unit = Unit::micrometre};
  const Image image = image_of(random_states({5, 4, 1}, 9), PixelType::f32).with_spacing(spacing);
  EXPECT_EQ(react(image, {.steps = 3}).layers.spacing(), spacing);
  // Of the image that is run, not of the one that was described.
  Reactor reactor(image.device(), image.description(), {.steps = 3});
  EXPECT_EQ(reactor.run(image.with_spacing({})).spacing(), Spacing{});
}

}  // namespace
}  // namespace meander
