// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "filter/flow/flow_testing.hpp"

/// What multigrid solves, and how fast it gets there.
namespace meander {
namespace {

using namespace testing;

/// Along one axis, an eigenfunction of the second difference over the border rule, and the
/// eigenvalue, which is not negative.
struct Wave {
  double number = 0, shift = 0, eigenvalue = 0;
  Wave(int halves, std::int64_t length, double side, FlowBorder border) {
    const double periods = static_cast<double>(border == FlowBorder::mirror ? length - 1 : length);
    number = halves * std::numbers::pi / periods;
    shift = border == FlowBorder::mirror ? 0 : 0.5;
    eigenvalue = std::pow(2 * std::sin(number / 2) / side, 2);
  }
  double operator()(double at) const { return std::cos(number * (at + shift)); }
};

/// V0 is of length 1 everywhere, so b = 1, and its first component an eigenfunction of the
/// Laplacian: the solution is the same over 1 + μλ.
void expect_wave(const Shape& shape, const Spacing& spacing, FlowBorder border, double mu) {
  const std::array<double, 3> sides = relative_sides(shape, spacing);
  const Wave along_x(3, shape.x, sides[0], border), along_y(2, shape.y, sides[1], border);
  const bool volume = shape.z > 1;
  const Wave along_z(volume ? 1 : 0, std::max<std::int64_t>(shape.z, 2), sides[2], border);
  const Grid wave = grid_from(
      shape, [&](double x, double y, double z) { return along_x(x) * along_y(y) * along_z(z); });
  Vectors v0(volume ? 3 : 2, Grid(shape));
  v0[0] = wave;
  for (std::size_t i = 0; i < wave.values.size(); ++i) {
    v0.back().values[i] = std::sqrt(std::max(0.0, 1 - wave.values[i] * wave.values[i]));
  }
  const double eigenvalue = along_x.eigenvalue + along_y.eigenvalue + along_z.eigenvalue;
  FlowOptions options = in_double(mu, 1e-11);
  options.border = border;
  const Device device = Device::open("cpu");
  const FlowResult found = flow(field_of(device, v0, PixelType::f64, spacing), options);
  const std::string at = words(device, shape, options, spacing);
  EXPECT_TRUE(found.figures.converged) << at;
  // b = 1, so the error of V is at most the residual, 1e-11 of |V0|, whose part the wave is; V is
  // smaller than that by 1 + μλ.
  const double bound = 1e-10 * (1 + mu * eigenvalue);
  expect_relative({vectors_of(found.field)[0]}, scaled({wave}, 1 / (1 + mu * eigenvalue)), bound,
                  at);
}

TEST(FlowMultigrid, SolvesWavesExactly) {
  for (const FlowBorder border : flow_borders) {
    for (const double mu : {0.1, 10.0, 1e4}) {
      expect_wave({64, 48, 1}, {}, border, mu);
      expect_wave({51, 37, 1}, {1, 3, 1}, border, mu);
      expect_wave({22, 13, 17}, {}, border, mu);
      expect_wave({13, 18, 9}, {1, 2, 5}, border, mu);
    }
  }
}

/// Two cells of a line hold the field; between them it is a straight line, beyond them constant.
TEST(FlowMultigrid, DrawsStraightLinesBetweenWhatHolds) {
  const Device device = Device::open("cpu");
  const double mu = 0.3, left = 0.8, right = -0.5;
  const std::int64_t n = 301, at_left = 40, at_right = 211;
  const double distance = static_cast<double>(at_right - at_left);
  // b(V - V0) = μ·slope at the left, -μ·slope at the right.
  const double slope = (right - left) / (distance + mu / (right * right) + mu / (left * left));
  const Shape shapes[] = {{n, 1, 1}, {1, n, 1}};
  for (const bool upright : {false, true}) {
    const Shape& shape = shapes[upright ? 1 : 0];
    const auto along = [&](double x, double y) { return upright ? y : x; };
    Vectors v0(2, Grid(shape));
    v0[1] = grid_from(shape, [&](double x, double y, double) {
      return along(x, y) == at_left ? left : along(x, y) == at_right ? right : 0;
    });
    Vectors expected(2, Grid(shape));
    expected[1] = grid_from(shape, [&](double x, double y, double) {
      const double from = std::clamp(along(x, y) - at_left, 0.0, distance);
      return left + slope * (mu / (left * left) + from);
    });
    for (const FlowBorder border : flow_borders) {
      FlowOptions options = in_double(mu, 1e-12);
      options.border = border;
      const FlowResult found = flow(field_of(device, v0, PixelType::f64), options);
      expect_relative(vectors_of(found.field), expected, 1e-7, words(device, shape, options));
    }
  }
}

TEST(FlowMultigrid, ObeysTheScaleLaw) {
  const Device device = Device::open("cpu");
  const Vectors v0 = plain_gradient(sharp_phantom({61, 47, 1}), FlowBorder::mirror);
  const Vectors once = vectors_of(flow(field_of(device, v0, PixelType::f64), in_double(0.1)).field);
  for (const double s : {0.01, 0.37, 12.0, 3e3}) {
    const Field larger = field_of(device, scaled(v0, s), PixelType::f64);
    const FlowResult found = flow(larger, in_double(0.1 * s * s));
    expect_relative(vectors_of(found.field), scaled(once, s), 1e-6, "s " + std::to_string(s));
  }
}

/// The solver works on a multiple of numbers whose squares and cubes are no float32. What the
/// multiples differ in is rounding only, which powers of two even keep.
TEST(FlowMultigrid, HoldsForNumbersOfAnySize) {
  for (const Device& device : all_devices()) {
    const Vectors v0 = plain_gradient(sharp_phantom({40, 31, 1}), FlowBorder::mirror);
    const auto of_scale = [&](double s) {
      const FlowOptions options{.tolerance = 1e-5, .generalised = 0.3 * s};
      return flow(field_of(device, scaled(v0, s), PixelType::f32), options);
    };
    const FlowResult once = of_scale(1);
    for (const double s : {0x1p-18, 0x1p-10, 0x1p11, 0x1p21}) {
      const FlowResult found = of_scale(s);
      EXPECT_TRUE(found.figures.converged);
      EXPECT_NEAR(found.figures.max_v0 / s, once.figures.max_v0, 1e-6);
      expect_relative(vectors_of(found.field), scaled(vectors_of(once.field), s), 1e-5,
                      device.name());
    }
  }
}

/// With vectors so long that nothing is smoothed the field is V0 itself.
TEST(FlowMultigrid, KeepsVectorsOfAnyLength) {
  const Device device = Device::open("cpu");
  Vectors v0(2, Grid({20, 17, 1}));
  for (std::size_t i = 0; i < v0[0].values.size(); ++i) {
    v0[0].values[i] = std::sin(0.1 * static_cast<double>(i)) + 2;
    v0[1].values[i] = std::cos(0.2 * static_cast<double>(i));
  }
  for (const double s : {1e13, 1e25, 1e30}) {
    const Vectors longer = scaled(v0, s);
    const FlowResult found = flow(field_of(device, longer, PixelType::f32), {});
    EXPECT_TRUE(found.figures.converged);
    expect_relative(vectors_of(found.field), longer, 1e-6, std::to_string(s));
  }
}

/// A gradient that μ outweighs by far leaves float32 nothing to tell the constant part of the field
/// by. The run ends early and does not say that it converged.
TEST(FlowMultigrid, SaysWhenItIsStuck) {
  const Device device = Device::open("cpu");
  const Vectors v0 = scaled(plain_gradient(sharp_phantom({64, 64, 1}), FlowBorder::mirror), 1e-6);
  const FlowOptions options{.max_cycles = 200};
  const FlowResult found = flow(field_of(device, v0, PixelType::f32), options);
  EXPECT_FALSE(found.figures.converged);
  EXPECT_TRUE(found.figures.stalled);
  EXPECT_LT(found.figures.cycles.size(), 100u);
}

TEST(FlowMultigrid, StartsWithinTheMask) {
  for (const Device& device : all_devices()) {
    const Grid grid = sharp_phantom({40, 31, 1});
    const Image image = device.upload(image_of(grid, PixelType::f32));
    Grid inside(grid.shape);
    for_each_place(grid.shape, [&](auto x, auto y, auto) {
      inside.at(x, y, 0) = x > 8 && x < 33 && y > 4 ? -1 : 0;  // anything that is not 0
    });
    const Image mask = device.upload(image_of(inside, PixelType::f32));
    const FlowOptions options{.tolerance = 1e-6};
    const Vectors cold = vectors_of(flow(image, options, {.mask = mask}).field);
    // A field of the whole image is nothing outside the mask, not even at the start.
    const Field everywhere = flow(image, options).field;
    const Vectors warm =
        vectors_of(flow(image, options, {.mask = mask, .start = everywhere}).field);
    expect_relative(warm, cold, 1e-3, device.name());
    for (std::size_t i = 0; i < inside.values.size(); ++i) {
      if (inside.values[i] == 0) {
        ASSERT_EQ(warm[0].values[i], 0) << device.name();
        ASSERT_EQ(warm[1].values[i], 0) << device.name();
      }
    }
  }
}

TEST(FlowMultigrid, OfNothingIsNothingWhateverItStartsFrom) {
  const Device device = Device::open("cpu");
  const Vectors ones(2, grid_from({9, 7, 1}, [](double, double, double) { return 1.0; }));
  const Field nothing = field_of(device, scaled(ones, 0), PixelType::f32);
  const FlowResult found = flow(nothing, {}, {.start = field_of(device, ones, PixelType::f32)});
  EXPECT_TRUE(found.figures.converged);
  EXPECT_EQ(norm_of(vectors_of(found.field)), 0);
}

TEST(FlowMultigrid, SwapsComponentsWithTheAxes) {
  const Device device = Device::open("cpu");
  const Shape shape{45, 31, 1}, turned_shape{31, 45, 1};
  const Grid image = sharp_phantom(shape);
  const Grid turned = grid_from(turned_shape, [&](double x, double y, double) {
    return image.at(static_cast<std::int64_t>(y), static_cast<std::int64_t>(x), 0);
  });
  const Vectors found = vectors_of(flow(image_of(image, PixelType::f64), in_double(0.1)).field);
  const Vectors other = vectors_of(flow(image_of(turned, PixelType::f64), in_double(0.1)).field);
  Vectors back(2, Grid(shape));
  for_each_place(shape, [&](auto x, auto y, auto) {
    back[0].at(x, y, 0) = other[1].at(y, x, 0);
    back[1].at(x, y, 0) = other[0].at(y, x, 0);
  });
  expect_relative(found, back, 1e-7, "transposed");
}

TEST(FlowMultigrid, TurnsSignsInTheMirror) {
  const Shape shape{30, 25, 9};
  const Grid image = sharp_phantom(shape);
  const Grid mirrored = grid_from(shape, [&](double x, double y, double z) {
    return image.at(shape.x - 1 - static_cast<std::int64_t>(x), static_cast<std::int64_t>(y),
                    static_cast<std::int64_t>(z));
  });
  const Vectors found = vectors_of(flow(image_of(image, PixelType::f64), in_double(0.1)).field);
  const Vectors other = vectors_of(flow(image_of(mirrored, PixelType::f64), in_double(0.1)).field);
  Vectors back(3, Grid(shape));
  for_each_place(shape, [&](auto x, auto y, auto z) {
    for (std::size_t c = 0; c < 3; ++c) {
      back[c].at(x, y, z) = (c == 0 ? -1 : 1) * other[c].at(shape.x - 1 - x, y, z);
    }
  });
  expect_relative(found, back, 1e-7, "mirrored");
}

TEST(FlowMultigrid, TakesAVolumeOneCellThinForAnImage) {
  const Grid plane = sharp_phantom({33, 26, 1});
  const Vectors in_plane = vectors_of(flow(image_of(plane, PixelType::f64), in_double(0.1)).field);
  const Grid upright = grid_from({1, 33, 26}, [&](double, double y, double z) {
    return plane.at(static_cast<std::int64_t>(y), static_cast<std::int64_t>(z), 0);
  });
  const Vectors found = vectors_of(flow(image_of(upright, PixelType::f64), in_double(0.1)).field);
  EXPECT_EQ(norm_of({found[0]}), 0);
  Vectors turned(2, Grid(plane.shape));
  turned[0].values = found[1].values;
  turned[1].values = found[2].values;
  expect_relative(turned, in_plane, 1e-7, "1x33x26");
}

/// The figures of a cycle are about the field, and the last are those of the result.
TEST(FlowMultigrid, FiguresDescribeTheField) {
  for (const Device& device : all_devices()) {
    if (!device.info().has_float64) continue;
    for (const FlowBorder border : flow_borders) {
      const Grid grid = sharp_phantom({40, 31, 1});
      const Spacing spacing{1, 1.2, 1};
      const Image image = device.upload(image_with(grid, spacing));
      FlowOptions options = in_double(0.1, 1e-5);
      options.border = border;
      std::vector<FlowCycle> seen;
      FlowInputs inputs;
      inputs.on_cycle = [&](const FlowCycle& cycle) { seen.push_back(cycle); };
      const FlowResult found = flow(image, options, inputs);
      const FlowFigures& figures = found.figures;
      ASSERT_TRUE(figures.converged);
      ASSERT_EQ(seen.size(), figures.cycles.size());
      for (std::size_t i = 0; i < seen.size(); ++i) {
        EXPECT_EQ(seen[i].cycle, static_cast<std::int64_t>(i) + 1);
        EXPECT_EQ(seen[i].relative_residual, figures.cycles[i].relative_residual);
        if (i > 0) {
          EXPECT_LT(seen[i].relative_residual, seen[i - 1].relative_residual);
        }
      }
      const Vectors v0 = plain_gradient(grid, border, spacing);
      const Vectors v = vectors_of(found.field);
      EXPECT_NEAR(figures.relative_residual / plain_residual(v, v0, 0.1, border, spacing), 1, 1e-6)
          << words(device, grid.shape, options, spacing);
      EXPECT_EQ(figures.relative_residual, seen.back().relative_residual);
      // One cycle less, and the step from there to here.
      options.max_cycles = static_cast<std::int64_t>(seen.size()) - 1;
      const Vectors before = vectors_of(flow(image, options).field);
      EXPECT_NEAR(figures.correction / relative_error(before, v), 1, 1e-6);
    }
  }
}

TEST(FlowMultigrid, StopsWhenItMayNotGoOn) {
  const Image image = image_of(sharp_phantom({65, 65, 1}), PixelType::f64);
  FlowOptions options = in_double(0.1, 1e-12);
  options.max_cycles = 2;
  const FlowResult found = flow(image, options);
  EXPECT_FALSE(found.figures.converged);
  EXPECT_EQ(found.figures.cycles.size(), 2u);
  EXPECT_GT(found.figures.relative_residual, 1e-12);
  options.max_cycles = 30;
  const FlowResult solved = flow(image, options);
  EXPECT_TRUE(solved.figures.converged);
  // Two cycles are on the way.
  expect_relative(vectors_of(found.field), vectors_of(solved.field), 0.5, "two cycles");
}

TEST(FlowMultigrid, StartsFromAFieldNearby) {
  for (const Device& device : all_devices()) {
    const Image image = device.upload(image_of(sharp_phantom({90, 71, 1}), PixelType::f32));
    const FlowOptions options{.tolerance = 1e-5};
    const FlowResult cold = flow(image, options);
    ASSERT_TRUE(cold.figures.converged) << device.name();
    ASSERT_GT(cold.figures.cycles.size(), 2u);
    const FlowResult same = flow(image, options, {.start = cold.field});
    EXPECT_LE(same.figures.cycles.size(), 1u) << device.name();
    EXPECT_TRUE(same.figures.converged);
    expect_relative(vectors_of(same.field), vectors_of(cold.field), 1e-3, device.name());
    // The field for another μ is near, not the same.
    const FlowResult other = flow(image, {.mu = 0.101, .tolerance = 1e-5});
    const FlowResult near = flow(image, options, {.start = other.field});
    EXPECT_LT(near.figures.cycles.size(), cold.figures.cycles.size()) << device.name();
    EXPECT_TRUE(near.figures.converged);
    expect_relative(vectors_of(near.field), vectors_of(cold.field), 1e-3, device.name());
  }
}

TEST(FlowMultigrid, DevicesAgree) {
  for (const Device& device : all_devices()) {
    for (const Shape& shape : {Shape{67, 45, 1}, Shape{21, 17, 13}}) {
      const Image image = image_of(sharp_phantom(shape), PixelType::f32);
      for (const FlowBorder border : flow_borders) {
        const FlowOptions options{.tolerance = 1e-6, .border = border};
        const FlowResult expected = flow(image, options);
        const FlowResult found = flow(device.upload(image), options);
        EXPECT_TRUE(found.figures.converged) << device.name();
        expect_relative(vectors_of(found.field), vectors_of(expected.field), 1e-3, device.name());
        FlowOptions steps = explicit_steps_of(0.08, 100);
        steps.border = border;
        expect_within(vectors_of(flow(device.upload(image), steps).field),
                      vectors_of(flow(image, steps).field), 1e-5, device.name());
      }
    }
  }
}

}  // namespace
}  // namespace meander
