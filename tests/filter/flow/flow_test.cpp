// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "control_testing.hpp"
#include "filter/flow/flow_testing.hpp"
#include "meander/phantom.hpp"

/// The gradient that a flow starts from, its steps and its storages.
namespace meander {
namespace {

using namespace testing;

/// Exactly what float32 holds, with edges along and across.
Grid steps_and_waves(const Shape& shape) {
  return grid_from(shape, [](double x, double y, double z) {
    return std::round(64 * std::sin(0.31 * x + 0.17 * y) + 20 * std::cos(0.5 * z - 0.2 * x) +
                      90 * (x + 2 * y + z > 22));
  });
}

TEST(FlowGradient, IsThatOfTheImageScaledToOne) {
  for (const Device& device : all_devices()) {
    for (const Shape& shape : {Shape{19, 14, 1}, Shape{9, 8, 7}, Shape{2, 5, 1}, Shape{11, 1, 3}}) {
      for (const FlowBorder border : flow_borders) {
        for (const Spacing& spacing : {Spacing{}, Spacing{0.5, 1.5, 1}, Spacing{3, 2, 8}}) {
          const Grid grid = steps_and_waves(shape);
          const Image image = device.upload(image_with(grid, spacing, PixelType::f32));
          const Vectors expected = plain_gradient(grid, border, spacing);
          const Field found = flow_gradient(image, {.border = border});
          EXPECT_EQ(found.components().type(), PixelType::f32);
          EXPECT_EQ(found.components().spacing(), spacing);
          // Some roundings of numbers up to 1.
          expect_within(vectors_of(found), expected, 5e-7, words(device, shape, {}, spacing));
        }
      }
    }
  }
}

TEST(FlowGradient, DoesNotDependOnTheRangeOrTypeOfPixels) {
  for (const Device& device : all_devices()) {
    Grid grid = steps_and_waves({21, 16, 1});
    for (double& value : grid.values) value = std::round(value / 2 + 60);
    const Vectors expected = plain_gradient(grid, FlowBorder::mirror);
    for (const PixelType type : all_pixel_types) {
      if (type == PixelType::f64 && !device.info().has_float64) continue;
      const Field found = flow_gradient(device.upload(image_of(grid, type)), {});
      EXPECT_EQ(found.components().type(),
                type == PixelType::f64 ? PixelType::f64 : PixelType::f32);
      expect_within(vectors_of(found), expected, 5e-7,
                    device.name() + " " + std::string(name_of(type)));
    }
  }
}

/// The Gaussian's derivative itself, by convolution. The library's has an error of 1e-3 at most.
TEST(FlowGradient, IsThatOfAGaussianWithSigma) {
  for (const Device& device : all_devices()) {
    const Grid grid = steps_and_waves({40, 30, 1});
    const Spacing spacing{0.25, 0.5, 1, Unit::micrometre};  // only ratios count
    const auto [low, high] = std::ranges::minmax(grid.values);
    Vectors expected;
    for (const std::array<int, 3>& order : {std::array{1, 0, 0}, std::array{0, 1, 0}}) {
      expected.push_back(directly_smoothed(grid, {3, 1.5, 0}, order, {Border::mirror, 0}));
    }
    for (double& value : expected[0].values) value /= high - low;
    for (double& value : expected[1].values) value /= 2 * (high - low);
    FlowOptions options;
    options.sigma = OptionText<Scale>::parse("3,1.5px");
    const Image image = device.upload(image_with(grid, spacing, PixelType::f32));
    expect_relative(vectors_of(flow_gradient(image, options)), expected, 5e-3, device.name());
  }
}

TEST(FlowGradient, IsZeroAlongAnAxisOfOnePixel) {
  for (const Shape& shape : {Shape{20, 1, 1}, Shape{1, 20, 1}, Shape{20, 1, 4}, Shape{1, 9, 8}}) {
    const Image image = image_of(steps_and_waves(shape), PixelType::f32);
    for (const bool has_sigma : {false, true}) {
      FlowOptions options;
      if (has_sigma) options.sigma = Scale(1.5);
      const Vectors found = vectors_of(flow_gradient(image, options));
      EXPECT_EQ(norm_of({found[shape.x == 1 ? 0 : 1]}), 0) << to_string(shape);
      EXPECT_GT(norm_of({found[shape.x == 1 ? 1 : 0]}), 0.1) << to_string(shape);
    }
  }
}

TEST(FlowGradient, OfAConstantImageIsZeroAndSoIsItsFlow) {
  for (const Device& device : all_devices()) {
    for (const Shape& shape : {Shape{1, 1, 1}, Shape{17, 9, 1}, Shape{5, 4, 3}, Shape{1, 6, 1}}) {
      Grid grid(shape);
      for (double& value : grid.values) value = 42;
      const Image image = device.upload(image_of(grid, PixelType::u8));
      for (const FlowSolver solver :
           {FlowSolver::multigrid, FlowSolver::explicit_steps, FlowSolver::fed}) {
        const FlowResult result = flow(image, {.solver = solver});
        EXPECT_EQ(norm_of(vectors_of(result.field)), 0) << device.name() << to_string(shape);
        EXPECT_EQ(result.field.dimensions(), shape.rank());
        EXPECT_EQ(result.figures.max_v0, 0);
        if (solver == FlowSolver::multigrid) {
          EXPECT_TRUE(result.figures.converged);
        }
      }
    }
  }
}

TEST(FlowSteps, AreThoseOfTheEquation) {
  const Shape shapes[] = {{13, 9, 1}, {7, 6, 5}, {64, 3, 1}, {3, 3, 1}, {1, 12, 1}, {3, 1, 4}};
  for (const Device& device : all_devices()) {
    if (!device.info().has_float64) continue;
    for (const Shape& shape : shapes) {
      for (const FlowBorder border : flow_borders) {
        const Spacing spacing{1, 1.25, 2};
        const Grid grid = steps_and_waves(shape);
        FlowOptions options = explicit_steps_of(0.1, 5, Precision::float64);
        options.border = border;
        const FlowResult found = flow(device.upload(image_with(grid, spacing)), options);
        const Vectors v0 = plain_gradient(grid, border, spacing);
        const Vectors expected = plain_steps(v0, v0, 0.1, border, 5, spacing);
        const std::string at = words(device, shape, options, spacing);
        expect_within(vectors_of(found.field), expected, 1e-14, at);
        EXPECT_EQ(found.figures.time, 5) << at;
        EXPECT_NEAR(found.figures.max_v0, std::sqrt(std::ranges::max(squares_of(v0).values)),
                    1e-12);
        EXPECT_NEAR(found.figures.relative_residual,
                    plain_residual(expected, v0, 0.1, border, spacing), 1e-9)
            << at;
      }
    }
  }
}

/// A result that came out of the wrong one of two buffers is a step behind.
TEST(FlowSteps, AreExactlyAsManyAsAskedFor) {
  for (const Device& device : all_devices()) {
    const Grid grid = sharp_phantom({37, 29, 1});
    const Vectors v0 = plain_gradient(grid, FlowBorder::mirror);
    const Image image = device.upload(image_of(grid, PixelType::f32));
    for (const int steps : {0, 1, 2, 3, 16, 17, 64}) {
      const FlowResult found = flow(image, explicit_steps_of(0.15, steps));
      const FlowResult next = flow(image, explicit_steps_of(0.15, steps + 1));
      EXPECT_EQ(found.figures.iterations, steps);
      const Vectors expected =
          plain_steps(vectors_of(found.field), v0, 0.15, FlowBorder::mirror, 1);
      const std::string at = device.name() + " step " + std::to_string(steps);
      expect_within(vectors_of(next.field), expected, 1e-6, at);
      // They are told apart: the step itself is larger than that.
      EXPECT_GT(largest_difference(vectors_of(found.field), expected), 1e-4) << at;
    }
  }
}

TEST(FlowSteps, AreAsManyAsTheImageIsLongWhenNotGiven) {
  const Image image = image_of(sharp_phantom({37, 50, 1}), PixelType::f32);
  const FlowResult found = flow(image, {.solver = FlowSolver::explicit_steps});
  EXPECT_EQ(found.figures.iterations, 50);
  expect_within(vectors_of(found.field), vectors_of(flow(image, explicit_steps_of(0.1, 50)).field),
                0, "50 steps");
}

/// Whatever the storage: what a field in 16 bits came out as goes in again unchanged.
TEST(FlowSteps, GoOnFromWhereTheyStart) {
  for (const Device& device : all_devices()) {
    for (const Shape& shape : {Shape{41, 33, 1}, Shape{14, 9, 11}}) {
      for (const auto& [storage, name] : ChoiceNames<FlowStorage>::values) {
        const Image image = device.upload(image_of(sharp_phantom(shape), PixelType::f32));
        const auto after = [&, kind = storage](std::int64_t steps, const Field& start) {
          FlowOptions options = explicit_steps_of(0.1, steps);
          options.storage = kind;
          return flow(image, options, {.start = start}).field;
        };
        expect_within(vectors_of(after(5, after(4, {}))), vectors_of(after(9, {})), 0,
                      device.name() + " " + std::string(name));
      }
    }
  }
}

/// A field of magnitude 1 everywhere, so that b = 1, and the chessboard that steps amplify most.
TEST(FlowSteps, AreRefusedBeyondTheLimitAndBoundedBelow) {
  const Device device = Device::open("cpu");
  const Shape shape{24, 18, 1};
  const Spacing spacing{2, 1, 1};
  Vectors v0(2, Grid(shape));
  for (double& value : v0[0].values) value = 1;
  const Grid chessboard = grid_from(
      shape, [](double x, double y, double) { return std::fmod(x + y, 2) == 0 ? 1e-3 : -1e-3; });
  const Vectors start(2, chessboard);
  const Field field = field_of(device, v0, PixelType::f64, spacing);
  const double limit = flow_mu_limit(field.components().description(), 1);
  EXPECT_DOUBLE_EQ(limit, (2 - 1.0) / (4 * (0.25 + 1)));
  const FlowInputs inputs{.start = field_of(device, start, PixelType::f64, spacing)};

  // The limit is where chessboards begin to grow: the equation itself says so.
  const auto after = [&](double mu) {
    return norm_of_difference(plain_steps(start, v0, mu, FlowBorder::mirror, 300, spacing), v0);
  };
  EXPECT_GT(after(1.05 * limit), 100.0);
  const FlowResult below =
      flow(field, explicit_steps_of(0.999 * limit, 300, Precision::float64), inputs);
  EXPECT_LE(norm_of_difference(vectors_of(below.field), v0), norm_of_difference(start, v0));
  EXPECT_DOUBLE_EQ(below.figures.mu_limit, limit);
  for (const double mu : {1.001 * limit, 1e6}) {
    try {
      flow(field, explicit_steps_of(mu, 300, Precision::float64), inputs);
      FAIL() << "mu " << mu;
    } catch (const InvalidArgument& failure) {
      EXPECT_NE(std::string(failure.what()).find("0.2"), std::string::npos) << failure.what();
      EXPECT_NE(std::string(failure.what()).find("mu is"), std::string::npos) << failure.what();
    }
  }
}

TEST(FlowSteps, HaveTheLimitOfTheirAxes) {
  EXPECT_DOUBLE_EQ(flow_mu_limit({.shape = {8, 8, 1}, .channels = 2}, 0), 2.0 / 8);
  EXPECT_DOUBLE_EQ(flow_mu_limit({.shape = {8, 8, 8}, .channels = 3}, 1), 1.0 / 12);
  EXPECT_DOUBLE_EQ(flow_mu_limit({.shape = {8, 8, 8}, .channels = 3, .spacing = {1, 2, 4}}, 0.5),
                   1.75 / (4 * (1 + 0.25 + 0.0625)));
  // Nothing flows along an axis of one pixel.
  EXPECT_DOUBLE_EQ(flow_mu_limit({.shape = {8, 1, 1}, .channels = 2}, 0), 2.0 / 4);
  EXPECT_TRUE(std::isinf(flow_mu_limit({.shape = {1, 1, 1}, .channels = 2}, 0)));
  // The third side of a plane's pixels is no matter.
  EXPECT_DOUBLE_EQ(flow_mu_limit({.shape = {8, 8, 1}, .channels = 2, .spacing = {2, 2, 0.1}}, 0),
                   2.0 / 8);
}

/// A volume of one slice is an image; one whose slices are equal behaves as that image, whatever
/// the axis along which nothing changes.
TEST(FlowSteps, OfAVolumeWithEqualSlicesAreThoseOfTheSlice) {
  for (const Device& device : all_devices()) {
    const Grid plane = steps_and_waves({15, 12, 1});
    const Grid stacked = grid_from({15, 12, 4}, [&](double x, double y, double) {
      return plane.at(static_cast<std::int64_t>(x), static_cast<std::int64_t>(y), 0);
    });
    for (const FlowBorder border : flow_borders) {
      FlowOptions options = explicit_steps_of(0.1, 20);
      options.border = border;
      const Vectors in_plane =
          vectors_of(flow(device.upload(image_of(plane, PixelType::f32)), options).field);
      const Field volume = flow(device.upload(image_of(stacked, PixelType::f32)), options).field;
      for (std::int64_t z = 0; z < 4; ++z) {
        const Image slice = volume.components().download().slices(z, z + 1);
        const Vectors found{grid_of(slice, 0), grid_of(slice, 1)};
        expect_within(found, in_plane, 1e-6, device.name() + " slice " + std::to_string(z));
        EXPECT_EQ(norm_of({grid_of(slice, 2)}), 0);
      }
    }
  }
}

class FlowOfStar : public ::testing::Test {
 protected:
  const Image star_ = phantom({.kind = PhantomKind::star, .size = {128, 128, 1}});
  const FlowResult converged_ = flow(star_, in_double(0.1, 1e-11));
  const Vectors solution_ = vectors_of(converged_.field);

  double error_of(const FlowOptions& options) const {
    return relative_error(vectors_of(flow(star_, options).field), solution_);
  }
};

TEST_F(FlowOfStar, FastStepsGoFartherThanManySteps) {
  ASSERT_TRUE(converged_.figures.converged);
  const double few = error_of({.solver = FlowSolver::fed, .iterations = 64});
  const double many = error_of(explicit_steps_of(0.1, 512));
  EXPECT_LT(few, many);
  EXPECT_LT(many, 1);
  EXPECT_GT(many, 0.3);  // explicit steps are far from the solution
  EXPECT_LT(error_of({.solver = FlowSolver::fed, .iterations = 512}), few);
  const FlowResult fast = flow(star_, {.solver = FlowSolver::fed, .iterations = 64});
  EXPECT_EQ(fast.figures.iterations, 64);
  // With the limit 2/(8μ + max b) and max b = 1/2.
  EXPECT_NEAR(fast.figures.time, 2 / (8 * 0.1 + 0.5) * 64 * 65 / 3, 1e-3);
  EXPECT_FALSE(fast.figures.converged);
}

/// Whatever its length, a cycle enlarges no part of the error: with the clamp border, where the
/// parts are orthogonal, the whole of it then shrinks.
TEST_F(FlowOfStar, FastStepsDoNotMindTheLimitOrTheirCount) {
  for (const double mu : {0.1, 20.0}) {
    FlowOptions options = in_double(mu, 1e-11);
    options.border = FlowBorder::clamp;
    const Vectors solution = vectors_of(flow(star_, options).field);
    double before = relative_error(vectors_of(flow_gradient(star_, options)), solution);
    options.solver = FlowSolver::fed;
    for (const std::int64_t steps : {1, 2, 7, 63, 65, 100, 129}) {
      options.iterations = steps;
      const FlowResult found = flow(star_, options);
      EXPECT_EQ(found.figures.iterations, steps);
      const double error = relative_error(vectors_of(found.field), solution);
      EXPECT_LT(error, before) << "mu " << mu << " steps " << steps;
      before = error;
    }
    EXPECT_LT(before, 0.5) << mu;
  }
}

/// Every step rounds the state by half a quantum at most and, when 1 - 4μ >= b, enlarges no error;
/// V0 is rounded too, which b(V - V0) feels at most three times as much. The quantum is 2/65534, of
/// f16 2^-11 of magnitudes up to 1/√2.
TEST_F(FlowOfStar, StoragesRoundEachStepToTheirQuantum) {
  for (const Device& device : all_devices()) {
    const Image image = device.upload(star_);
    const int steps = 6;
    FlowOptions options = explicit_steps_of(0.1, steps);
    const Vectors exact = vectors_of(flow(image, options).field);
    for (const auto& [storage, quantum] : {std::pair{FlowStorage::snorm16, 1.0 / 32767},
                                           std::pair{FlowStorage::f16, std::pow(2.0, -11)}}) {
      options.storage = storage;
      const FlowResult found = flow(image, options);
      EXPECT_EQ(found.field.components().type(), PixelType::f32);
      EXPECT_TRUE(std::isnan(found.figures.relative_residual));
      const double bound = (0.5 + 2 * steps) * quantum;
      const std::string at = device.name() + " " + OptionText<FlowStorage>::format(storage);
      expect_within(vectors_of(found.field), exact, bound, at);
      EXPECT_GT(largest_difference(vectors_of(found.field), exact), quantum / 8) << at;
    }
  }
}

TEST_F(FlowOfStar, PartsOf32767AreWhatSnormHolds) {
  FlowOptions options = explicit_steps_of(0.1, 10);
  options.storage = FlowStorage::snorm16;
  for (const Grid& component : vectors_of(flow(star_, options).field)) {
    for (const double value : component.values) {
      ASSERT_NEAR(value * 32767, std::round(value * 32767), 2e-3);
    }
  }
}

/// Changes below half a quantum vanish: far from an edge the field stands still, and short of where
/// it would be.
TEST(FlowStorage, DiffusionStopsInSnorm) {
  const Grid edge = grid_from({300, 6, 1}, [](double x, double, double) { return x > 10; });
  const auto along = [&](FlowStorage storage, std::int64_t steps) {
    FlowOptions options = explicit_steps_of(0.1, steps);
    options.storage = storage;
    const Vectors field = vectors_of(flow(image_of(edge, PixelType::f32), options).field);
    return std::vector<double>(field[0].values.begin(), field[0].values.begin() + 300);
  };
  const auto reach = [](const std::vector<double>& row) {
    return std::ranges::count_if(row, [](double value) { return value > 1 / 32767.0; });
  };
  const auto stopped = along(FlowStorage::snorm16, 20000);
  EXPECT_EQ(stopped, along(FlowStorage::snorm16, 20200));
  EXPECT_GT(reach(stopped), 20);
  const auto exact = along(FlowStorage::f32, 20000);
  EXPECT_NE(exact, along(FlowStorage::f32, 20200));
  EXPECT_LT(2 * reach(stopped), reach(exact));
}

TEST(FlowOutputs, MagnitudeAndUnitVectors) {
  for (const Device& device : all_devices()) {
    for (const Shape& shape : {Shape{9, 5, 1}, Shape{4, 3, 5}}) {
      Vectors vectors = plain_gradient(steps_and_waves(shape), FlowBorder::mirror);
      for (Grid& grid : vectors) grid.values[3] = 0;
      const Field field = field_of(device, vectors, PixelType::f32);
      const Grid found = grid_of(magnitude_of(field));
      const Vectors unit = vectors_of(unit_vectors_of(field));
      const Grid squares = squares_of(vectors);
      for (std::size_t i = 0; i < squares.values.size(); ++i) {
        const double length = std::sqrt(squares.values[i]);
        EXPECT_NEAR(found.values[i], length, 1e-6);
        for (std::size_t c = 0; c < vectors.size(); ++c) {
          const double expected = length == 0 ? 0 : vectors[c].values[i] / length;
          EXPECT_NEAR(unit[c].values[i], expected, 2e-6) << device.name();
        }
      }
      EXPECT_EQ(found.values[3], 0);
    }
  }
}

TEST(FlowOutputs, HearTheirControl) {
  const Field field =
      field_of(Device::open("cpu"), plain_gradient(steps_and_waves({9, 5, 1}), FlowBorder::mirror),
               PixelType::f32);
  testing::expect_hears([&](const Control& control) { magnitude_of(field, control); });
  testing::expect_hears([&](const Control& control) { unit_vectors_of(field, control); });
}

}  // namespace
}  // namespace meander
