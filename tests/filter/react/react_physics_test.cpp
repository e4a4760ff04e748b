// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "filter/react/react_testing.hpp"

/// Against solutions known without a grid, and what must hold whatever the genes.
namespace meander {
namespace {

using namespace testing;
using std::numbers::pi;

/// A wave that the Laplacian with this border only multiplies, by `-eigenvalue`.
struct Wave {
  Grid grid;
  double kx = 0, ky = 0;

  Wave(const Shape& shape, ReactBorder border, int nx, int ny) : grid(shape) {
    kx = number(border, shape.x, nx);
    ky = number(border, shape.y, ny);
    for (std::int64_t y = 0; y < shape.y; ++y) {
      for (std::int64_t x = 0; x < shape.x; ++x) {
        grid.at(x, y, 0) = along(border, kx, x) * along(border, ky, y);
      }
    }
  }

  double eigenvalue(ReactLaplacian laplacian) const {
    const double cx = std::cos(kx), cy = std::cos(ky);
    if (laplacian == ReactLaplacian::five) return 4 - 2 * cx - 2 * cy;
    return (20 - 8 * cx - 8 * cy - 4 * cx * cy) / 6;
  }

 private:
  static double number(ReactBorder border, std::int64_t length, int waves) {
    const auto n = static_cast<double>(length);
    if (border == ReactBorder::periodic) return 2 * pi * waves / n;
    return pi * waves /
           (border == ReactBorder::clamp    ? n
            : border == ReactBorder::mirror ? n - 1
                                            : n + 1);
  }
  static double along(ReactBorder border, double k, std::int64_t i) {
    const auto place = static_cast<double>(i);
    if (border == ReactBorder::fixed) return std::sin(k * (place + 1));
    return std::cos(k * (border == ReactBorder::clamp ? place + 0.5 : place));
  }
};

/// e = 0 leaves v to diffuse alone.
TEST(ReactPhysics, WavesOfVDecayAtTheirRate) {
  for (const Device& device : all_devices()) {
    if (!device.info().has_float64) continue;
    for (const ReactLaplacian laplacian : {ReactLaplacian::five, ReactLaplacian::nine}) {
      for (const ReactBorder border : react_borders) {
        ReactOptions options = plain_options();
        options.genes.e = 0;
        options.layer = ReactLayer::v;
        options.laplacian = laplacian;
        options.border = border;
        options.steps = 51;
        const Wave wave({30, 23, 1}, border, 3, 2);
        const double rate = options.diffusion[1] * wave.eigenvalue(laplacian);
        const double factor = std::pow(1 - options.dt * rate, 51);
        Grid expected = wave.grid;
        for (double& value : expected.values) value *= 0.5 * factor;
        const Grid found = grid_of(run_on(device, wave.grid, options));
        const std::string at = words(device, found.shape, options);
        EXPECT_LE(largest_difference(found, expected), 1e-14) << at;
        // The waves are long, so the network is near the equation it stands for.
        const double squared = wave.kx * wave.kx + wave.ky * wave.ky;
        const double continuous = -51 * options.dt * options.diffusion[1] * squared;
        EXPECT_NEAR(std::log(factor) / continuous, 1, 0.1) << at;
      }
    }
  }
}

/// e = 0 and D2 = 0 leave v as it is; u, too small for its cube to count, then goes to a balance.
TEST(ReactPhysics, WavesOfUDecayAtTheirRate) {
  for (const Device& device : all_devices()) {
    if (!device.info().has_float64) continue;
    for (const ReactBorder border : react_borders) {
      ReactOptions options = plain_options();
      options.genes = {.a = 0.3, .b = 1.2, .c = 0, .e = 0};
      options.diffusion = {1.5, 0};
      options.layer = ReactLayer::u;
      options.border = border;
      options.gain = 1e-3;
      options.steps = 20;
      const Wave wave({21, 20, 1}, border, 2, 3);
      const double f = 1 - options.dt * 1.5 * wave.eigenvalue(ReactLaplacian::five);
      const double left = std::pow(f, 20);
      Grid expected = wave.grid;
      for (double& value : expected.values)
        value *= options.gain * (left - options.dt * (1 - left) / (1 - f));
      const Grid found = grid_of(run_on(device, wave.grid, options));
      EXPECT_LE(largest_difference(found, expected), 2e-9) << words(device, found.shape, options);
    }
  }
}

std::array<double, 2> rates(const Genes& g, double u, double v) {
  return {g.c * u - u * u * u / 3 - v, -g.e * (u - g.b * v + g.a)};
}

/// The classical method of order 4 with steps too small to matter.
std::array<double, 2> solved(const Genes& g, double start, double time) {
  const int steps = 20000;
  const double h = time / steps;
  double u = start, v = start;
  for (int i = 0; i < steps; ++i) {
    const auto k1 = rates(g, u, v);
    const auto k2 = rates(g, u + h / 2 * k1[0], v + h / 2 * k1[1]);
    const auto k3 = rates(g, u + h / 2 * k2[0], v + h / 2 * k2[1]);
    const auto k4 = rates(g, u + h * k3[0], v + h * k3[1]);
    u += h / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0]);
    v += h / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1]);
  }
  return {u, v};
}

TEST(ReactPhysics, ConstantStatesFollowTheOrdinaryEquation) {
  for (const Device& device : all_devices()) {
    if (!device.info().has_float64) continue;
    for (const double x : {-0.7, 0.4}) {
      Grid constant({3, 2, 1});
      for (double& value : constant.values) value = x;
      ReactOptions options = plain_options();
      options.diffusion = {0.3, 2.2};
      const auto exact = solved(options.genes, options.gain * x, 4);
      double before = 0;
      for (const std::int64_t steps : {40, 80, 160}) {
        options.steps = steps;
        options.dt = 4.0 / static_cast<double>(steps);
        const Image layers = run_on(device, constant, options);
        const double error = std::max(std::abs(grid_of(layers, 0).at(1, 1, 0) - exact[0]),
                                      std::abs(grid_of(layers, 1).at(1, 1, 0) - exact[1]));
        EXPECT_LT(error, 2 * options.dt) << device.name();
        if (before > 0) {
          EXPECT_NEAR(before / error, 2, 0.2) << device.name() << " x " << x;
        }
        before = error;
      }
    }
  }
}

Grid flipped(const Grid& grid, int axis) {
  Grid out(grid.shape);
  for (std::int64_t z = 0; z < grid.shape.z; ++z) {
    for (std::int64_t y = 0; y < grid.shape.y; ++y) {
      for (std::int64_t x = 0; x < grid.shape.x; ++x) {
        out.at(axis == 0 ? grid.shape.x - 1 - x : x, axis == 1 ? grid.shape.y - 1 - y : y,
               axis == 2 ? grid.shape.z - 1 - z : z) = grid.at(x, y, z);
      }
    }
  }
  return out;
}

Grid transposed(const Grid& grid) {
  Grid out({grid.shape.y, grid.shape.x, grid.shape.z});
  for (std::int64_t z = 0; z < grid.shape.z; ++z) {
    for (std::int64_t y = 0; y < grid.shape.y; ++y) {
      for (std::int64_t x = 0; x < grid.shape.x; ++x) out.at(y, x, z) = grid.at(x, y, z);
    }
  }
  return out;
}

/// The two neighbours along an axis are added to each other first, so flips change no bit; of the
/// four corners this is not so, nor of axes that change their roles.
TEST(ReactPhysics, KnowsNoDirection) {
  for (const Device& device : all_devices()) {
    for (const Shape& shape : {Shape{37, 22, 1}, Shape{9, 8, 7}}) {
      for (const ReactLaplacian laplacian : {ReactLaplacian::five, ReactLaplacian::nine}) {
        const bool volume = shape.z > 1, nine = laplacian == ReactLaplacian::nine;
        if (volume && nine) continue;
        ReactOptions options = plain_options();
        options.layer = ReactLayer::u;
        options.diffusion = {0.4, 1.3};
        options.laplacian = laplacian;
        options.steps = 41;
        const Grid start = random_states(shape, 7);
        const Grid plain = grid_of(run_on(device, start, options, PixelType::f32));
        const std::string at = words(device, shape, options);
        for (int axis = 0; axis < (volume ? 3 : 2); ++axis) {
          const Grid found = grid_of(run_on(device, flipped(start, axis), options, PixelType::f32));
          EXPECT_LE(largest_difference(found, flipped(plain, axis)), nine ? 2e-5 : 0)
              << at << " axis " << axis;
        }
        const Grid turned = grid_of(run_on(device, transposed(start), options, PixelType::f32));
        EXPECT_LE(largest_difference(turned, transposed(plain)), 2e-5) << at;
      }
    }
  }
}

void expect_bracket(const Device& device, const Shape& shape, ReactOptions options) {
  options.steps = 700;
  const double limit = react_dt_limit(shape, options);
  const Image image = device.upload(image_of(random_states(shape, 3), PixelType::f32));
  options.dt = 0.95 * limit;
  Reactor below(device, image.description(), options);
  EXPECT_NO_THROW(below.run(image)) << words(device, shape, options);
  EXPECT_LT(below.figures().v[1], 2) << words(device, shape, options);
  EXPECT_GT(below.figures().v[0], -2) << words(device, shape, options);
  options.dt = 1.1 * limit;
  options.force = true;
  EXPECT_THROW(react(image, options), NotConverged) << words(device, shape, options);
}

TEST(ReactPhysics, TheLimitOfDtIsWhereStepsBeginToGrow) {
  for (const Device& device : all_devices()) {
    for (const ReactBorder border : react_borders) {
      ReactOptions options = plain_options();
      options.border = border;
      expect_bracket(device, {40, 31, 1}, options);
    }
    ReactOptions nine = plain_options();
    nine.laplacian = ReactLaplacian::nine;
    expect_bracket(device, {40, 31, 1}, nine);
    expect_bracket(device, {14, 13, 12}, plain_options());
    // Without diffusion it is -e·b alone that limits.
    ReactOptions alone = plain_options();
    alone.genes = {.a = 0, .b = 10, .c = 1, .e = -1};
    alone.diffusion = {0, 0};
    expect_bracket(device, {8, 8, 1}, alone);
  }
}

}  // namespace
}  // namespace meander
