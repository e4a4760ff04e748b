// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "smooth_testing.hpp"

namespace meander {
namespace {

using namespace testing;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

SmoothOptions fir(Nonfinite nonfinite, const BorderRule& border = {}) {
  SmoothOptions options{.sigma = 1.5, .method = SmoothMethod::fir, .error_bound = 1e-6};
  options.border = border;
  options.nonfinite = nonfinite;
  return options;
}

/// The average over the pixels that count, by direct convolution.
Grid averaged(const Grid& image, const Grid& counts, const BorderRule& border) {
  Grid values = image;
  for (std::size_t i = 0; i < values.values.size(); ++i) {
    values.values[i] = counts.values[i] > 0 ? values.values[i] : 0;
  }
  std::array<double, 3> sigma{1.5, 1.5, image.shape.z > 1 ? 1.5 : 0};
  Grid result = directly_smoothed(values, sigma, {}, border);
  const Grid weights = directly_smoothed(counts, sigma, {}, {border.kind, 1});
  for (std::size_t i = 0; i < result.values.size(); ++i) result.values[i] /= weights.values[i];
  return result;
}

Grid some_mask(const Shape& shape) {
  Grid mask = random_grid(shape, 21);
  for (double& value : mask.values) value = value > 100;
  return mask;
}

/// Deep inside a hole nothing reaches from its rim but the filter's own error, and a quotient of
/// two errors may be anything. There pixels stay NaN; the others are averages of what is around
/// them.
TEST(SmoothNonfinite, LargeHolesAreFilledFromTheirRimOnly) {
  Grid image = random_grid({150, 140, 1}, 23);
  const auto in_hole = [](std::int64_t x, std::int64_t y) {
    return (x - 70) * (x - 70) + (y - 75) * (y - 75) < 50 * 50;
  };
  for (std::int64_t y = 0; y < 140; ++y) {
    for (std::int64_t x = 0; x < 150; ++x) {
      if (in_hole(x, y)) image.at(x, y, 0) = nan;
    }
  }
  using enum SmoothMethod;
  for (const Device& device : all_devices()) {
    for (const SmoothMethod method : {automatic, vanvliet3, vanvliet5, exponential4, fir}) {
      SmoothOptions options{.sigma = 8, .method = method, .nonfinite = Nonfinite::ignore};
      const Grid found = grid_of(smooth(device.upload(image_of(image, PixelType::f32)), options));
      const auto what = device.name() + " " + OptionText<SmoothMethod>::format(method);
      EXPECT_TRUE(std::isnan(found.at(70, 75, 0))) << what;
      EXPECT_FALSE(std::isnan(found.at(70, 75 - 49, 0))) << what;
      for (const double value : found.values) {
        if (std::isnan(value)) continue;
        ASSERT_GE(value, 90) << what;  // the mean is 127, its deviation over the window 3
        ASSERT_LE(value, 165) << what;
      }
    }
  }
}

TEST(SmoothMask, AveragesOverTheMaskAndKeepsTheRest) {
  for (const Shape& shape : {Shape{23, 17, 1}, Shape{9, 8, 7}}) {
    const Grid image = random_grid(shape, 20), mask = some_mask(shape);
    for (const Device& device : all_devices()) {
      for (const BorderRule& border : all_borders) {
        for (const PixelType type : {PixelType::u8, PixelType::f32}) {
          Grid expected = averaged(image, mask, border);
          for (std::size_t i = 0; i < expected.values.size(); ++i) {
            if (mask.values[i] == 0) expected.values[i] = image.values[i];
          }
          // 255 stands for 1: a mask has no levels.
          const Image out =
              smooth(device.upload(image_of(image, type)), fir(Nonfinite::propagate, border),
                     {device.upload(image_of(mask, PixelType::u8, 1, [](int) { return 255.0; }))});
          EXPECT_LE(largest_difference(grid_of(out), expected), 5e-4)
              << device.name() << OptionText<BorderRule>::format(border);
        }
      }
    }
  }
}

TEST(SmoothMask, AFullMaskIsNoMask) {
  const Grid image = random_grid({30, 20, 1}, 22);
  Grid full({30, 20, 1});
  std::fill(full.values.begin(), full.values.end(), 1);
  for (const Device& device : all_devices()) {
    for (const BorderRule& border : all_borders) {
      SmoothOptions options{.sigma = 4, .method = SmoothMethod::exponential6};
      options.border = border;
      const Image there = device.upload(image_of(image, PixelType::f32));
      const Grid masked =
          grid_of(smooth(there, options, {device.upload(image_of(full, PixelType::f32))}));
      EXPECT_LE(largest_difference(masked, grid_of(smooth(there, options))), 3e-4)
          << device.name() << words(options);
    }
  }
}

TEST(SmoothMask, IsAppliedToEveryChannel) {
  const Grid image = random_grid({15, 12, 1}, 23), mask = some_mask({15, 12, 1});
  const auto factor = [](int channel) { return 1.0 + channel; };
  for (const Device& device : all_devices()) {
    const Image three = device.upload(image_of(image, PixelType::u16, 3, factor));
    const Image over = device.upload(image_of(mask, PixelType::u8));
    const Image out = smooth(three, fir(Nonfinite::propagate), {over});
    for (int c = 0; c < 3; ++c) {
      const Grid one = grid_of(smooth(three.channel(c), fir(Nonfinite::propagate), {over}));
      EXPECT_EQ(largest_difference(grid_of(out, c), one), 0) << device.name();
    }
  }
}

TEST(SmoothMask, WhereNothingCountsPixelsKeepWhatTheyHold) {
  const Grid image = random_grid({40, 1, 1}, 24);
  Grid mask({40, 1, 1});
  mask.at(0, 0, 0) = 1;
  for (const Device& device : all_devices()) {
    const Image out = smooth(device.upload(image_of(image, PixelType::f32)), fir(Nonfinite::ignore),
                             {device.upload(image_of(mask, PixelType::u8))});
    EXPECT_LE(largest_difference(grid_of(out), image), 1e-4) << device.name();
  }
}

TEST(SmoothNonfinite, IgnoredPixelsAreFilledFromAroundThem) {
  for (const Shape& shape : {Shape{23, 17, 1}, Shape{9, 8, 7}}) {
    const Grid counts = some_mask(shape);
    Grid image = random_grid(shape, 25);
    for (std::size_t i = 0; i < image.values.size(); ++i) {
      if (counts.values[i] == 0) image.values[i] = i % 3 == 0 ? INFINITY : nan;
    }
    for (const Device& device : all_devices()) {
      for (const BorderRule& border : all_borders) {
        const Image out =
            smooth(device.upload(image_of(image, PixelType::f32)), fir(Nonfinite::ignore, border));
        EXPECT_LE(largest_difference(grid_of(out), averaged(image, counts, border)), 5e-4)
            << device.name() << OptionText<BorderRule>::format(border);
      }
    }
  }
}

TEST(SmoothNonfinite, WithAMaskNothingSpreadsAndPropagateFillsNothing) {
  Grid image = random_grid({12, 10, 1}, 26);
  Grid mask({12, 10, 1});
  std::fill(mask.values.begin(), mask.values.end(), 1);
  image.at(5, 5, 0) = image.at(2, 2, 0) = nan;
  mask.at(2, 2, 0) = 0;
  for (const Device& device : all_devices()) {
    const Image there = device.upload(image_of(image, PixelType::f32));
    const Image over = device.upload(image_of(mask, PixelType::u8));
    const Grid kept = grid_of(smooth(there, fir(Nonfinite::propagate), {over}));
    const Grid filled = grid_of(smooth(there, fir(Nonfinite::ignore), {over}));
    EXPECT_TRUE(std::isnan(kept.at(5, 5, 0))) << device.name();
    EXPECT_TRUE(std::isfinite(filled.at(5, 5, 0))) << device.name();
    for (const Grid& grid : {kept, filled}) {
      EXPECT_TRUE(std::isnan(grid.at(2, 2, 0)));  // outside the mask nothing changes
      EXPECT_TRUE(std::isfinite(grid.at(5, 4, 0)));
    }
  }
}

TEST(SmoothNonfinite, PropagateSpreadsAndErrorRefusesWithTheCount) {
  Grid image = random_grid({12, 10, 1}, 27);
  image.at(5, 5, 0) = nan;
  image.at(6, 5, 0) = INFINITY;
  for (const Device& device : all_devices()) {
    const Image there = device.upload(image_of(image, PixelType::f32));
    EXPECT_TRUE(std::isnan(grid_of(smooth(there, fir(Nonfinite::propagate))).at(4, 5, 0)));
    try {
      smooth(there, fir(Nonfinite::error));
      ADD_FAILURE() << device.name();
    } catch (const InvalidArgument& error) {
      EXPECT_NE(std::string(error.what()).find("holds 2 numbers"), std::string::npos);
    }
  }
}

TEST(SmoothNonfinite, IntegersHaveNone) {
  const Grid grid = random_grid({12, 10, 1}, 28);
  const Image image = image_of(grid, PixelType::u8);
  for (const Nonfinite policy : {Nonfinite::ignore, Nonfinite::error}) {
    EXPECT_EQ(largest_difference(grid_of(smooth(image, fir(policy))),
                                 grid_of(smooth(image, fir(Nonfinite::propagate)))),
              0);
  }
}

TEST(SmoothMask, RefusesOtherShapesDevicesAndDerivatives) {
  const Image image = image_of(random_grid({12, 10, 1}, 29), PixelType::f32);
  EXPECT_THROW(smooth(image, {.sigma = 1}, {image_of(some_mask({10, 12, 1}), PixelType::u8)}),
               InvalidArgument);
  EXPECT_THROW(smooth(image, {.sigma = 1}, {image_of(some_mask({12, 10, 1}), PixelType::u8, 2)}),
               InvalidArgument);
  const Image mask = image_of(some_mask({12, 10, 1}), PixelType::u8);
  EXPECT_THROW(smooth(image, {.sigma = 1}, {Device::open("reference").upload(mask)}),
               InvalidArgument);
  EXPECT_THROW(smooth(image, {.sigma = 1, .order = {1, 0, 0}}, {mask}), InvalidArgument);
  SmoothOptions options{.sigma = 1, .nonfinite = Nonfinite::ignore};
  options.output = SmoothOutput::magnitude;
  EXPECT_THROW(smooth(image, options), InvalidArgument);
}

TEST(SmoothMask, HoldsWhatItEstimates) {
  set_threads(2);
  const Shape shape{150, 100, 80};
  for (const Device& device : all_devices()) {
    for (const PixelType type : {PixelType::u8, PixelType::f32}) {
      for (const double sigma : {1.0, 5.0}) {
        const MemoryWatch watch(device);
        const Image image = device.allocate({.shape = shape, .type = type});
        const Image mask = device.allocate({.shape = shape, .type = PixelType::u8});
        const Image out = smooth(image, {.sigma = sigma}, {mask});
        const double held = watch.held();
        const auto estimate = static_cast<double>(
            estimate_bytes(image.description(), {.sigma = sigma}, device, &mask.description()));
        EXPECT_LE(held, 1.05 * estimate) << device.name() << name_of(type) << sigma;
        EXPECT_GE(held, 0.9 * estimate) << device.name() << name_of(type) << sigma;
      }
    }
  }
  set_threads(0);
}

}  // namespace
}  // namespace meander
