// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/smooth.hpp"

#include "smooth_testing.hpp"

namespace meander {
namespace {

using namespace testing;

/// How far a result may be from the direct convolution, in units of the image's range: an error of
/// the impulse response, of its peak, adds up over its support of some 10 sigma.
double tolerance(const SmoothPlan& plan, std::size_t component) {
  double error = 5e-6, scale = 1;
  for (const SmoothAxis& axis : plan.components[component]) {
    if (axis.sigma == 0) continue;
    error += 4 * axis.error;
    scale /= std::pow(std::max(axis.sigma, 0.5), axis.order);
  }
  return error * scale * 255;
}

void expect_direct(const Device& device, const Grid& grid, const SmoothOptions& options,
                   PixelType type = PixelType::f32) {
  const Image image = device.upload(image_of(grid, type));
  const Image out = smooth(image, options);
  std::array<double, 3> sigma = options.sigma.value;
  if (grid.shape.z == 1) sigma[2] = 0;
  if (grid.shape.z == 1 && grid.shape.y == 1) sigma[1] = 0;
  const Grid expected = directly_smoothed(grid, sigma, options.order, options.border);
  EXPECT_LE(largest_difference(grid_of(out), expected),
            tolerance(plan_smooth(image.description(), options), 0))
      << device.name() << " " << to_string(grid.shape) << " " << words(options);
}

TEST(Smooth, EveryBorderAndOrderIsTheDirectConvolution) {
  for (const Device& device : all_devices()) {
    for (const BorderRule& border : all_borders) {
      for (const std::array<int, 3>& order :
           {std::array{0, 0, 0}, std::array{1, 0, 0}, std::array{0, 2, 0}, std::array{1, 1, 0}}) {
        for (const SmoothMethod method : {SmoothMethod::fir, SmoothMethod::exponential8}) {
          SmoothOptions options{.sigma = {2.0, 1.5}, .order = order, .method = method};
          options.border = border;
          expect_direct(device, random_grid({17, 23, 1}, 1), options);
        }
      }
    }
  }
}

TEST(Smooth, EveryMethodIsTheDirectConvolutionWithinItsError) {
  using enum SmoothMethod;
  for (const Device& device : all_devices()) {
    for (const SmoothMethod method : {automatic, yvv1995, yvv2002, vanvliet3, vanvliet4, vanvliet5,
                                      deriche, exponential4, exponential6, exponential8}) {
      for (const BorderRule& border : all_borders) {
        SmoothOptions options{.sigma = 3.0, .method = method};
        options.border = border;
        expect_direct(device, random_grid({31, 20, 1}, 2), options);
      }
    }
  }
}

TEST(Smooth, VolumesAreTheDirectConvolution) {
  for (const Device& device : all_devices()) {
    for (const BorderRule& border : all_borders) {
      for (const std::array<int, 3>& order :
           {std::array{0, 0, 0}, std::array{0, 0, 1}, std::array{1, 0, 1}, std::array{0, 1, 2}}) {
        SmoothOptions options{.sigma = {1.0, 2.0, 1.5}, .order = order};
        options.method = SmoothMethod::exponential6;
        options.border = border;
        expect_direct(device, random_grid({11, 9, 13}, 3), options);
      }
    }
  }
}

TEST(Smooth, AxesOfOneTwoAndThreePixelsWork) {
  for (const Device& device : all_devices()) {
    for (const Shape& shape : {Shape{1, 1, 1}, Shape{2, 1, 1}, Shape{1, 3, 1}, Shape{3, 2, 1},
                               Shape{2, 3, 2}, Shape{1, 1, 3}, Shape{5, 1, 2}}) {
      for (const BorderRule& border : all_borders) {
        for (const SmoothMethod method :
             {SmoothMethod::fir, SmoothMethod::vanvliet4, SmoothMethod::exponential6}) {
          SmoothOptions options{.sigma = 2.5, .method = method};
          options.border = border;
          expect_direct(device, random_grid(shape, 4), options);
        }
      }
    }
  }
}

/// Memory of the caller's may have any pitch; the engines must neither read nor write between rows.
TEST(Smooth, OddPitchesChangeNothing) {
  const Grid grid = random_grid({67, 41, 3}, 8);
  const Image packed = image_of(grid, PixelType::f32);
  const Pitch odd{.row = (67 + 5) * 4, .slice = (67 + 5) * 4 * 41 + 12, .channel = 1 << 16};
  std::vector<float> memory(1 << 16, NAN);
  Image wrapped = Image::wrap(memory.data(), packed.description(), odd);
  for (std::int64_t z = 0; z < 3; ++z) {
    for (std::int64_t y = 0; y < 41; ++y)
      std::copy_n(packed.row<float>(y, z), 67, wrapped.mutable_row<float>(y, z));
  }
  using enum SmoothMethod;
  for (const Device& device : all_devices()) {
    for (const SmoothMethod method : {fir, vanvliet5, exponential6}) {
      const SmoothOptions options{.sigma = 2.5, .method = method};
      EXPECT_EQ(largest_difference(grid_of(smooth(device.upload(wrapped), options)),
                                   grid_of(smooth(device.upload(packed), options))),
                0)
          << device.name() << " " << words(options);
    }
  }
}

/// A row is one-dimensional: nothing comes in from above and below it.
TEST(Smooth, RowsHaveOneAxis) {
  for (const Device& device : all_devices()) {
    SmoothOptions options{.sigma = 3};
    options.border = {Border::constant, 0};
    expect_direct(device, random_grid({101, 1, 1}, 6), options);
    options.order = {1, 1, 1};  // what `--order 1` means
    Grid ramp({101, 1, 1});
    for (std::size_t i = 0; i < ramp.values.size(); ++i) ramp.values[i] = static_cast<double>(i);
    const Image image = device.upload(image_of(ramp, PixelType::f32));
    EXPECT_NEAR(grid_of(smooth(image, options)).at(50, 0, 0), 1, 1e-4) << device.name();
    SmoothOptions gradient{.sigma = 3};
    gradient.output = SmoothOutput::gradient;
    EXPECT_EQ(smooth(image, gradient).channels(), 1);
  }
}

/// Neither large nor small numbers are squared on the way.
TEST(Smooth, MagnitudesKeepTheirRange) {
  const Grid grid = random_grid({40, 30, 1}, 7);
  SmoothOptions options{.sigma = 2};
  options.output = SmoothOutput::magnitude;
  for (const Device& device : all_devices()) {
    const auto largest = [&](double factor) {
      const Image image = image_of(grid, PixelType::f32, 1, [=](int) { return factor; });
      const Grid found = grid_of(smooth(device.upload(image), options));
      return *std::ranges::max_element(found.values) / factor;
    };
    const double expected = largest(1);
    EXPECT_GT(expected, 1);
    EXPECT_NEAR(largest(1e-30), expected, 1e-5 * expected) << device.name();
    EXPECT_NEAR(largest(1e33), expected, 1e-5 * expected) << device.name();
  }
}

TEST(Smooth, AnAxisWithoutSigmaIsLeftAlone) {
  for (const Device& device : all_devices()) {
    for (const Scale& sigma :
         {Scale(0), Scale(2, 0), Scale(0, 2), Scale(0, 0, 2), Scale(2, 2, 0)}) {
      expect_direct(device, random_grid({9, 8, 7}, 5), {.sigma = sigma});
    }
    const Grid grid = random_grid({9, 8, 1}, 5);
    EXPECT_EQ(
        largest_difference(
            grid_of(smooth(device.upload(image_of(grid, PixelType::u8)), {.sigma = 0})), grid),
        0);
  }
}

TEST(Smooth, ReadsEveryPixelType) {
  const Grid grid = random_grid({33, 21, 1}, 6);
  for (const Device& device : all_devices()) {
    const Grid expected =
        grid_of(smooth(device.upload(image_of(grid, PixelType::f32)), {.sigma = 4}));
    for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::i16, PixelType::f16}) {
      const Image out = smooth(device.upload(image_of(grid, type)), {.sigma = 4});
      EXPECT_EQ(out.type(), PixelType::f32);
      EXPECT_EQ(largest_difference(grid_of(out), expected), 0) << device.name() << name_of(type);
    }
  }
}

TEST(Smooth, DoublePrecisionIsExactToTwelveDigits) {
  const Grid grid = random_grid({40, 30, 1}, 7);
  for (const Device& device : all_devices()) {
    SmoothOptions options{.sigma = 2, .method = SmoothMethod::fir};
    options.precision = Precision::float64;
    if (!device.info().has_float64) {
      EXPECT_THROW(smooth(device.upload(image_of(grid, PixelType::u8)), options), Unsupported);
      continue;
    }
    const Image wide = smooth(device.upload(image_of(grid, PixelType::u8)), options);
    EXPECT_EQ(wide.type(), PixelType::f64);
    EXPECT_EQ(largest_difference(grid_of(wide),
                                 grid_of(smooth(device.upload(image_of(grid, PixelType::f64)),
                                                {.sigma = 2, .method = SmoothMethod::fir}))),
              0);
    const double error = plan_smooth(wide.description(), options).components[0][0].error;
    EXPECT_LE(largest_difference(grid_of(wide), directly_smoothed(grid, {2, 2, 0}, {}, {})),
              255 * (1e-12 + 8 * error));
  }
}

TEST(Smooth, ConstantsStayAndRampsAndParabolasAnswerTheirDerivatives) {
  Grid constant({64, 48, 1}), ramp({64, 48, 1}), parabola({64, 48, 1});
  for (std::int64_t y = 0; y < 48; ++y) {
    for (std::int64_t x = 0; x < 64; ++x) {
      constant.at(x, y, 0) = 1000;
      ramp.at(x, y, 0) = static_cast<double>(3 * x);
      parabola.at(x, y, 0) = static_cast<double>(x * x) / 64;
    }
  }
  for (const Device& device : all_devices()) {
    const auto middle = [&](const Grid& grid, const std::array<int, 3>& order, PixelType type) {
      const SmoothOptions options{.sigma = 3, .order = order};
      return grid_of(smooth(device.upload(image_of(grid, type)), options)).at(32, 24, 0);
    };
    EXPECT_LE(largest_difference(grid_of(smooth(device.upload(image_of(constant, PixelType::u16)),
                                                {.sigma = 20, .method = SmoothMethod::vanvliet3})),
                                 constant),
              0)
        << device.name();
    EXPECT_NEAR(middle(ramp, {1, 0, 0}, PixelType::u8), 3, 2e-4) << device.name();
    EXPECT_NEAR(middle(ramp, {0, 1, 0}, PixelType::u8), 0, 2e-4) << device.name();
    EXPECT_NEAR(middle(parabola, {2, 0, 0}, PixelType::f32), 2.0 / 64, 1e-4) << device.name();
  }
}

TEST(Smooth, SpacingScalesSigmaAndDerivatives) {
  const Grid grid = random_grid({30, 30, 9}, 8);
  const Spacing spacing{.x = 0.5, .y = 0.25, .z = 2, .unit = Unit::micrometre};
  for (const Device& device : all_devices()) {
    const Image plain = device.upload(image_of(grid, PixelType::f32));
    const Image spaced = plain.with_spacing(spacing);
    const Image out = smooth(spaced, {.sigma = Scale(2000, Unit::nanometre)});
    EXPECT_EQ(out.spacing(), spacing);
    EXPECT_EQ(largest_difference(grid_of(out), grid_of(smooth(plain, {.sigma = {4, 8, 1}}))), 0)
        << device.name();
    const Grid slope = grid_of(smooth(spaced, {.sigma = 2, .order = {1, 2, 0}}));
    Grid per_pixel = grid_of(smooth(plain, {.sigma = 2, .order = {1, 2, 0}}));
    for (double& value : per_pixel.values) value *= 1 / 0.5 / 0.25 / 0.25;
    EXPECT_LE(largest_difference(slope, per_pixel), 2e-3) << device.name();
  }
}

TEST(Smooth, ComponentsAreTheSingleDerivatives) {
  const Grid grid = random_grid({19, 14, 11}, 9);
  const auto derivative = [](const Image& image, const std::array<int, 3>& order) {
    return grid_of(smooth(image, {.sigma = 2, .order = order}));
  };
  for (const Device& device : all_devices()) {
    const Image image = device.upload(image_of(grid, PixelType::u8));
    SmoothOptions options{.sigma = 2};
    options.output = SmoothOutput::gradient;
    const Image gradient = smooth(image, options);
    options.output = SmoothOutput::hessian;
    const Image hessian = smooth(image, options);
    ASSERT_EQ(gradient.channels(), 3);
    ASSERT_EQ(hessian.channels(), 6);
    const std::array<int, 3> firsts[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const std::array<int, 3> seconds[] = {{2, 0, 0}, {1, 1, 0}, {1, 0, 1},
                                          {0, 2, 0}, {0, 1, 1}, {0, 0, 2}};
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(largest_difference(grid_of(gradient, k), derivative(image, firsts[k])), 0)
          << device.name() << k;
    }
    for (int k = 0; k < 6; ++k) {
      EXPECT_EQ(largest_difference(grid_of(hessian, k), derivative(image, seconds[k])), 0)
          << device.name() << k;
    }
  }
}

TEST(Smooth, MagnitudeAndLaplacianFoldTheComponents) {
  for (const Shape& shape : {Shape{19, 14, 11}, Shape{30, 20, 1}}) {
    const Grid grid = random_grid(shape, 10);
    const int rank = shape.rank();
    for (const Device& device : all_devices()) {
      const Image image = device.upload(image_of(grid, PixelType::u8));
      SmoothOptions options{.sigma = 2};
      options.output = SmoothOutput::gradient;
      const Image gradient = smooth(image, options);
      options.output = SmoothOutput::hessian;
      const Image hessian = smooth(image, options);
      options.output = SmoothOutput::magnitude;
      const Grid magnitude = grid_of(smooth(image, options));
      options.output = SmoothOutput::laplacian;
      const Grid laplacian = grid_of(smooth(image, options));
      Grid norm(shape), trace(shape);
      for (int k = 0; k < rank; ++k) {
        const Grid slope = grid_of(gradient, k);
        const int pure[] = {0, rank == 2 ? 2 : 3, 5};
        const Grid curve = grid_of(hessian, pure[k]);
        for (std::size_t i = 0; i < norm.values.size(); ++i) {
          norm.values[i] = std::hypot(norm.values[i], slope.values[i]);
          trace.values[i] += curve.values[i];
        }
      }
      EXPECT_LE(largest_difference(magnitude, norm), 2e-5) << device.name();
      EXPECT_LE(largest_difference(laplacian, trace), 2e-5) << device.name();
    }
  }
}

TEST(Smooth, ChannelsAreImagesOfTheirOwn) {
  const Grid grid = random_grid({21, 18, 1}, 11);
  const auto factor = [](int channel) { return 1.0 + channel; };
  for (const Device& device : all_devices()) {
    const Image image = device.upload(image_of(grid, PixelType::u16, 3, factor));
    for (const SmoothOutput output :
         {SmoothOutput::image, SmoothOutput::gradient, SmoothOutput::magnitude}) {
      SmoothOptions options{.sigma = 2.5};
      options.output = output;
      const Image all = smooth(image, options);
      const int each = output == SmoothOutput::gradient ? 2 : 1;
      ASSERT_EQ(all.channels(), 3 * each);
      for (int c = 0; c < 3 * each; ++c) {
        const Image one = smooth(image.channel(c / each), options);
        EXPECT_EQ(largest_difference(grid_of(all, c), grid_of(one, c % each)), 0) << device.name();
      }
    }
  }
}

TEST(Smooth, IsLinear) {
  const Grid a = random_grid({40, 25, 1}, 12), b = random_grid({40, 25, 1}, 13);
  Grid both = a;
  for (std::size_t i = 0; i < both.values.size(); ++i) both.values[i] += 2 * b.values[i];
  for (const Device& device : all_devices()) {
    const auto result = [&](const Grid& grid) {
      return grid_of(smooth(device.upload(image_of(grid, PixelType::f32)), {.sigma = 5}));
    };
    Grid sum = result(a);
    const Grid second = result(b);
    for (std::size_t i = 0; i < sum.values.size(); ++i) sum.values[i] += 2 * second.values[i];
    EXPECT_LE(largest_difference(sum, result(both)), 765 * 1e-6) << device.name();
  }
}

TEST(Smooth, AnyNumberOfThreadsGivesTheSameBits) {
  const Image image = image_of(random_grid({301, 203, 5}, 14), PixelType::u16);
  set_threads(1);
  SmoothOptions options{.sigma = 3};
  options.output = SmoothOutput::hessian;
  const Image alone = smooth(image, options);
  for (int count = 2; count <= 8; ++count) {
    set_threads(count);
    const Image together = smooth(image, options);
    for (int c = 0; c < 6; ++c) {
      EXPECT_EQ(largest_difference(grid_of(alone, c), grid_of(together, c)), 0) << count;
    }
  }
  set_threads(0);
}

/// Larger than a group of lines, so that passes along every axis are cut.
TEST(Smooth, CutPassesAreTheWholePasses) {
  const Grid grid = random_grid({4100, 4100, 1}, 15);
  const Image image = image_of(grid, PixelType::u8);
  const Image out = smooth(image, {.sigma = 3, .method = SmoothMethod::vanvliet3});
  const Image columns =
      smooth(image, {.sigma = {0, 3}, .method = SmoothMethod::vanvliet3}).download();
  // Rows at both ends and about the joint in the middle, each a small image of its own along x.
  for (const std::int64_t begin : {0, 2040, 4080}) {
    Image rows = Image::allocate({.shape = {4100, 20, 1}, .type = PixelType::f32});
    for (std::int64_t y = 0; y < 20; ++y) {
      std::copy_n(columns.row<float>(begin + y), 4100, rows.mutable_row<float>(y));
    }
    const Image expected = smooth(rows, {.sigma = {3, 0}, .method = SmoothMethod::vanvliet3});
    EXPECT_EQ(largest_difference(grid_of(out.rows(begin, begin + 20)), grid_of(expected)), 0)
        << begin;
  }
  // Columns likewise, as images that are too narrow to be cut.
  for (const std::int64_t begin : {0, 2040, 4080}) {
    Grid stripe({20, 4100, 1}), found({20, 4100, 1});
    for (std::int64_t y = 0; y < 4100; ++y) {
      for (std::int64_t x = 0; x < 20; ++x) {
        stripe.at(x, y, 0) = grid.at(begin + x, y, 0);
        found.at(x, y, 0) = columns.row<float>(y)[begin + x];
      }
    }
    const Image expected = smooth(image_of(stripe, PixelType::u8),
                                  {.sigma = {0, 3}, .method = SmoothMethod::vanvliet3});
    EXPECT_EQ(largest_difference(found, grid_of(expected)), 0) << begin;
  }
}

TEST(Smooth, StopsWhenAskedAndReportsProgressThatNeverFalls) {
  const Image image = image_of(random_grid({600, 500, 4}, 16), PixelType::u8);
  for (const Device& device : all_devices()) {
    const Image there = device.upload(image);
    std::stop_source stop;
    std::vector<double> seen;
    Control control{.stop = stop.get_token(), .progress = [&](double f) { seen.push_back(f); }};
    smooth(there, {.sigma = 2}, {}, control);
    EXPECT_TRUE(std::ranges::is_sorted(seen));
    EXPECT_GE(seen.size(), 4u);
    EXPECT_EQ(seen.front(), 0);
    EXPECT_EQ(seen.back(), 1);
    control.progress = [&](double f) { f > 0.3 ? stop.request_stop() : false; };
    EXPECT_THROW(smooth(there, {.sigma = 2}, {}, control), Cancelled);
  }
}

TEST(Smooth, RefusesWhatMakesNoSense) {
  const Image image = image_of(random_grid({8, 8, 1}, 17), PixelType::u8);
  const auto refuses = [&](const SmoothOptions& options) {
    EXPECT_THROW(smooth(image, options), InvalidArgument) << words(options);
  };
  refuses({.sigma = -1});
  refuses({.sigma = std::nan("")});
  refuses({.sigma = {1, INFINITY}});
  refuses({.sigma = Scale(1, Unit::micrometre)});
  refuses({.sigma = 1, .order = {3, 0, 0}});
  refuses({.sigma = 1, .order = {-1, 0, 0}});
  refuses({.sigma = {0, 1}, .order = {1, 0, 0}});
  SmoothOptions options{.sigma = 1, .order = {1, 0, 0}};
  options.output = SmoothOutput::gradient;
  refuses(options);
  options = {.sigma = {1, 0}};
  options.output = SmoothOutput::magnitude;
  refuses(options);
}

void expect_estimate(const Device& device, PixelType type, SmoothOutput output, double sigma) {
  SmoothOptions options{.sigma = sigma};
  options.output = output;
  const Description description{.shape = {150, 100, 80}, .channels = 2, .type = type};
  const MemoryWatch watch(device);
  const Image in = device.allocate(description);
  const Image out = smooth(in, options);
  const double held = watch.held();
  const auto estimate = static_cast<double>(estimate_bytes(description, options, device));
  const std::string found = device.name() + " " + std::string(name_of(type)) + " " +
                            OptionText<SmoothOutput>::format(output) + " " + std::to_string(sigma);
  EXPECT_LE(held, 1.05 * estimate) << found;
  EXPECT_GE(held, 0.9 * estimate) << found;
}

TEST(Smooth, HoldsWhatItEstimates) {
  set_threads(2);
  for (const Device& device : all_devices()) {
    for (const SmoothOutput output : {SmoothOutput::gradient, SmoothOutput::magnitude,
                                      SmoothOutput::hessian, SmoothOutput::laplacian}) {
      expect_estimate(device, PixelType::u8, output, 5);
    }
    for (const double sigma : {1.0, 5.0}) {
      expect_estimate(device, PixelType::f16, SmoothOutput::image, sigma);
      expect_estimate(device, PixelType::f32, SmoothOutput::image, sigma);
    }
    expect_estimate(device, PixelType::u8, SmoothOutput::magnitude, 1);
  }
  set_threads(0);
}

}  // namespace
}  // namespace meander
