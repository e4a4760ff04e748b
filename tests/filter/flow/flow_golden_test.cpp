// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "filter/flow/flow_testing.hpp"

/// Against NumPy and SciPy: flow_golden.txt is written by flow_golden.py.
namespace meander {
namespace {

using namespace testing;

struct GoldenRun {
  std::string image, mask;
  Spacing spacing;
  FlowOptions options;
  Vectors field;
};

struct Golden {
  std::map<std::string, Grid> images, masks;
  std::vector<GoldenRun> runs;

  Golden() {
    std::ifstream file(MEANDER_FLOW_GOLDEN);
    EXPECT_TRUE(file) << MEANDER_FLOW_GOLDEN;
    for (std::string text; std::getline(file, text);) {
      std::istringstream line(text);
      std::string word;
      line >> word;
      if (word == "image") add_grid(line, images);
      if (word == "mask") add_grid(line, masks);
      if (word == "run") add_run(line);
    }
  }

 private:
  static Grid numbers(std::istream& in, const Shape& shape) {
    Grid grid(shape);
    for (double& value : grid.values) in >> value;
    EXPECT_TRUE(in);
    return grid;
  }
  static void add_grid(std::istream& line, std::map<std::string, Grid>& grids) {
    std::string name;
    Shape shape;
    line >> name >> shape.x >> shape.y >> shape.z;
    grids.emplace(name, numbers(line, shape));
  }
  void add_run(std::istream& line) {
    GoldenRun& run = runs.emplace_back();
    std::string solver, border, law;
    double value = 0;
    std::int64_t steps = 0;
    line >> solver >> run.image >> run.mask >> border >> run.spacing.x >> run.spacing.y >>
        run.spacing.z >> law >> value >> steps;
    run.options.border = OptionText<FlowBorder>::parse(border);
    if (law == "mu") run.options.mu = value;
    if (law == "K") run.options.generalised = value;
    if (solver == "explicit") {
      run.options.solver = FlowSolver::explicit_steps;
      run.options.iterations = steps;
    }
    const Shape shape = images.at(run.image).shape;
    for (int i = 0; i < shape.rank(); ++i) run.field.push_back(numbers(line, shape));
  }
};

const Golden& golden() {
  static const Golden read;
  return read;
}

FlowResult run_on(const Device& device, const GoldenRun& run, const FlowOptions& options) {
  const PixelType type = options.precision == Precision::float64 ? PixelType::f64 : PixelType::f32;
  FlowInputs inputs;
  if (run.mask != "none") {
    inputs.mask =
        device.upload(image_with(golden().masks.at(run.mask), run.spacing, PixelType::u8));
  }
  const Image image = image_with(golden().images.at(run.image), run.spacing, type);
  return flow(device.upload(image), options, inputs);
}

std::string words_of(const Device& device, const GoldenRun& run, const FlowOptions& options) {
  return words(device, run.field[0].shape, options, run.spacing) + " mask " + run.mask +
         (options.generalised ? " K " + std::to_string(*options.generalised) : "");
}

TEST(FlowGolden, HasEveryCase) {
  EXPECT_EQ(golden().images.size(), 3u);
  EXPECT_EQ(golden().masks.size(), 3u);
  EXPECT_EQ(golden().runs.size(), 24u);
}

TEST(FlowGolden, ExplicitDoublesAreThoseOfNumPy) {
  for (const Device& device : all_devices()) {
    if (!device.info().has_float64) continue;
    for (const GoldenRun& run : golden().runs) {
      FlowOptions options = run.options;
      if (options.solver != FlowSolver::explicit_steps) continue;
      options.precision = Precision::float64;
      const FlowResult found = run_on(device, run, options);
      // A step does not enlarge the largest error, and adds a few roundings of numbers below 1.
      expect_within(vectors_of(found.field), run.field,
                    1e-15 * static_cast<double>(*options.iterations + 1),
                    words_of(device, run, options));
      EXPECT_EQ(found.figures.iterations, *options.iterations);
    }
  }
}

TEST(FlowGolden, ExplicitFloatsAgree) {
  for (const Device& device : all_devices()) {
    for (const GoldenRun& run : golden().runs) {
      if (run.options.solver != FlowSolver::explicit_steps) continue;
      const FlowResult found = run_on(device, run, run.options);
      EXPECT_EQ(found.field.components().type(), PixelType::f32);
      // The errors of steps add up at worst, some 2^-24 of numbers below 1/2 each; they do not all
      // have one sign, which gains the rest.
      const double bound = *run.options.iterations < 100 ? 2e-6 : 1e-5;
      expect_within(vectors_of(found.field), run.field, bound, words_of(device, run, run.options));
    }
  }
}

/// The error is at most the residual times the norm of the inverse: in these small grids, at the
/// tolerance of 1e-11, some 1e3 times 1e-11. A large b, as the generalised flow has, counts for
/// most of the residual and makes it say less of the rest: hence the smaller tolerance there.
TEST(FlowGolden, MultigridSolvesAsSciPyDoes) {
  for (const Device& device : all_devices()) {
    if (!device.info().has_float64) continue;
    for (const GoldenRun& run : golden().runs) {
      FlowOptions options = run.options;
      if (options.solver != FlowSolver::multigrid) continue;
      options.precision = Precision::float64;
      options.tolerance = options.generalised ? 1e-12 : 1e-11;
      const FlowResult found = run_on(device, run, options);
      const std::string at = words_of(device, run, options);
      EXPECT_TRUE(found.figures.converged) << at;
      EXPECT_LE(found.figures.relative_residual, options.tolerance) << at;
      expect_relative(vectors_of(found.field), run.field, 1e-7, at);
    }
  }
}

TEST(FlowGolden, MultigridFloatsAgree) {
  for (const Device& device : all_devices()) {
    for (const GoldenRun& run : golden().runs) {
      FlowOptions options = run.options;
      if (options.solver != FlowSolver::multigrid) continue;
      options.tolerance = 1e-6;
      const FlowResult found = run_on(device, run, options);
      const std::string at = words_of(device, run, options);
      EXPECT_TRUE(found.figures.converged) << at;
      EXPECT_EQ(found.field.components().type(), PixelType::f32);
      expect_relative(vectors_of(found.field), run.field, 1e-3, at);
    }
  }
}

/// Outside the mask all is exactly 0.
TEST(FlowGolden, NothingIsOutsideTheMask) {
  for (const Device& device : all_devices()) {
    for (const GoldenRun& run : golden().runs) {
      if (run.mask == "none") continue;
      const Vectors found = vectors_of(run_on(device, run, run.options).field);
      const Grid& mask = golden().masks.at(run.mask);
      for (const Grid& component : found) {
        for (std::size_t i = 0; i < mask.values.size(); ++i) {
          if (mask.values[i] == 0) {
            ASSERT_EQ(component.values[i], 0) << words_of(device, run, run.options);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace meander
