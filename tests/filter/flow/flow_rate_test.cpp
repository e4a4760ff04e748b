// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "filter/flow/flow_testing.hpp"

/// How much a cycle of multigrid shrinks the residual. In double, for float32 has a floor.
namespace meander {
namespace {

using namespace testing;

/// The geometric mean over the cycles until 1e-6.
double mean_reduction(const FlowFigures& figures) {
  for (const FlowCycle& cycle : figures.cycles) {
    if (cycle.relative_residual <= 1e-6) {
      return std::pow(cycle.relative_residual, 1.0 / static_cast<double>(cycle.cycle));
    }
  }
  return 1;
}

void expect_reduction(const Grid& grid, const Spacing& spacing, double mu = 0.1) {
  for (const FlowBorder border : flow_borders) {
    FlowOptions options = in_double(mu, 1e-6);
    options.border = border;
    const FlowResult found = flow(image_with(grid, spacing), options);
    const std::string at = words(Device::open("cpu"), grid.shape, options, spacing);
    EXPECT_TRUE(found.figures.converged) << at;
    EXPECT_LE(mean_reduction(found.figures), 0.12) << at;
    EXPECT_GT(mean_reduction(found.figures), 0) << at;
    // The figures are not taken on trust. A field of 0 has a residual of 1.
    const Vectors v0 = plain_gradient(grid, border, spacing);
    EXPECT_LE(plain_residual(vectors_of(found.field), v0, mu, border, spacing), 1.01e-6) << at;
  }
}

TEST(FlowRate, DoesNotDependOnTheSizeOfImages) {
  for (const std::int64_t side : {64, 65, 129, 257}) {
    expect_reduction(sharp_phantom({side, side, 1}), {});
  }
}

TEST(FlowRate, OfALargeImage) { expect_reduction(sharp_phantom({513, 513, 1}), {}); }

TEST(FlowRate, OfLongImagesAndLines) {
  expect_reduction(sharp_phantom({31, 501, 1}), {});
  expect_reduction(sharp_phantom({501, 31, 1}), {});
  expect_reduction(sharp_phantom({301, 1, 1}), {});
  expect_reduction(sharp_phantom({1, 301, 1}), {});
  expect_reduction(sharp_phantom({97, 2, 1}), {});
}

TEST(FlowRate, OfVolumes) {
  expect_reduction(sharp_phantom({64, 64, 64}), {});
  expect_reduction(sharp_phantom({65, 65, 65}), {});
  expect_reduction(sharp_phantom({37, 20, 51}), {});
}

TEST(FlowRate, DoesNotDependOnSpacingInImages) {
  for (const double ratio : {1.4, 2.0, 3.0, 5.0, 10.0}) {
    expect_reduction(sharp_phantom({129, 100, 1}), {ratio, 1, 1});
    expect_reduction(sharp_phantom({129, 100, 1}), {0.25, 0.25 * ratio, 1});
  }
}

TEST(FlowRate, DoesNotDependOnSpacingInVolumes) {
  for (const Spacing& spacing :
       {Spacing{3, 1, 1}, Spacing{1, 1, 10}, Spacing{5, 2, 1}, Spacing{1, 2, 2}}) {
    expect_reduction(sharp_phantom({40, 37, 33}), spacing);
  }
}

TEST(FlowRate, DoesNotDependOnMu) {
  for (const double mu : {1e-3, 1.0, 100.0}) expect_reduction(sharp_phantom({101, 80, 1}), {}, mu);
}

/// Noise holds the field everywhere, so there is little to solve, and that must not hurt.
TEST(FlowRate, OfNoise) { expect_reduction(random_grid({120, 90, 1}, 7), {}, 1.0); }

FlowResult within(const Grid& mask, const FlowOptions& options) {
  const Image image = image_of(sharp_phantom(mask.shape), PixelType::f64);
  return flow(image, options, {.mask = image_of(mask, PixelType::u8)});
}

/// A ring's hole and the field within it, that of a C and of a disc.
TEST(FlowRate, WithinMasks) {
  const Shape shape{129, 121, 1};
  const auto radius = [](double x, double y) { return std::hypot(x - 62.3, y - 59.1); };
  const Grid disc = grid_from(shape, [&](double x, double y, double) { return radius(x, y) < 50; });
  const Grid ring =
      grid_from(shape, [&](double x, double y, double) { return std::abs(radius(x, y) - 36) < 4; });
  const Grid open_ring = grid_from(shape, [&](double x, double y, double) {
    return std::abs(radius(x, y) - 36) < 4 && !(x > 62 && std::abs(y - 59) < 6);
  });
  for (const Grid* mask : {&disc, &ring, &open_ring}) {
    for (const FlowBorder border : flow_borders) {
      FlowOptions options = in_double(0.1, 1e-6);
      options.border = border;
      const FlowResult found = within(*mask, options);
      EXPECT_TRUE(found.figures.converged);
      EXPECT_LE(found.figures.cycles.size(), 10u);
      EXPECT_GT(norm_of(vectors_of(found.field)), 0);
    }
  }
}

/// What lies beyond the mask is nothing to the field within: two parts that do not touch are two
/// problems, and each comes out as it does alone.
TEST(FlowRate, PartsOfAMaskDoNotFeelEachOther) {
  const Shape shape{90, 60, 1};
  const auto left = [](double x, double) { return x < 40; };
  const auto right = [](double x, double y) { return x > 40 && y > 5; };
  const Grid both =
      grid_from(shape, [&](double x, double y, double) { return left(x, y) || right(x, y); });
  const Grid alone = grid_from(shape, [&](double x, double y, double) { return left(x, y); });
  const Vectors together = vectors_of(within(both, in_double(0.1, 1e-10)).field);
  const Vectors expected = vectors_of(within(alone, in_double(0.1, 1e-10)).field);
  Vectors part = together;
  for (Grid& component : part) {
    for (std::size_t i = 0; i < alone.values.size(); ++i) component.values[i] *= alone.values[i];
  }
  expect_relative(part, expected, 1e-6, "left part");
  EXPECT_GT(norm_of_difference(together, part), 0);
}

/// A mask of everything is none; its parts of cells play no role then.
TEST(FlowRate, AFullMaskIsNone) {
  for (const FlowBorder border : flow_borders) {
    const Grid grid = sharp_phantom({75, 62, 1});
    Grid full(grid.shape);
    for (double& value : full.values) value = 3;
    FlowOptions options = in_double(0.1, 1e-10);
    options.border = border;
    const FlowResult masked = within(full, options);
    const FlowResult plain = flow(image_of(grid, PixelType::f64), options);
    expect_relative(vectors_of(masked.field), vectors_of(plain.field), 1e-6, "full mask");
  }
}

}  // namespace
}  // namespace meander
