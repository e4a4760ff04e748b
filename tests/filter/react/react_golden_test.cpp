// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "filter/react/react_testing.hpp"

/// Against NumPy: react_golden.txt is written by react_golden.py.
namespace meander {
namespace {

using namespace testing;

struct GoldenRun {
  int points = 0;
  ReactOptions options;
  char layer = 'u';
  std::vector<double> values;
};

struct Golden {
  std::vector<Grid> images;
  std::vector<GoldenRun> runs;

  Golden() {
    std::ifstream file(MEANDER_REACT_GOLDEN);
    EXPECT_TRUE(file) << MEANDER_REACT_GOLDEN;
    for (std::string text; std::getline(file, text);) {
      std::istringstream line(text);
      std::string word;
      line >> word;
      if (word == "image") add_image(line);
      if (word == "run") add_run(line);
    }
  }

 private:
  static std::vector<double> numbers(std::istream& in) {
    return {std::istream_iterator<double>(in), std::istream_iterator<double>()};
  }
  void add_image(std::istream& line) {
    Shape shape;
    line >> shape.x >> shape.y >> shape.z;
    Grid& grid = images.emplace_back(shape);
    grid.values = numbers(line);
    EXPECT_EQ(grid.values.size(), static_cast<std::size_t>(shape.x * shape.y * shape.z));
  }
  void add_run(std::istream& line) {
    GoldenRun& run = runs.emplace_back();
    std::string border;
    line >> run.points >> border >> run.options.diffusion[0] >> run.options.steps >> run.layer;
    run.options.diffusion[1] = 1.3;
    run.options.window = {-1, 1};
    run.options.layer = run.layer == 'u' ? ReactLayer::u : ReactLayer::v;
    run.options.border = OptionText<ReactBorder>::parse(border);
    run.options.laplacian = run.points == 9 ? ReactLaplacian::nine : ReactLaplacian::five;
    run.values = numbers(line);
  }
};

const Golden& golden() {
  static const Golden read;
  return read;
}

const Grid& image_of_run(const GoldenRun& run) { return golden().images[run.points == 7 ? 1 : 0]; }

Grid grid_of_run(const GoldenRun& run) {
  Grid grid(image_of_run(run).shape);
  grid.values = run.values;
  return grid;
}

TEST(ReactGolden, HasEveryCase) {
  ASSERT_EQ(golden().images.size(), 2u);
  EXPECT_EQ(golden().runs.size(), 84u);
}

TEST(ReactGolden, DoublesAreThoseOfNumPy) {
  for (const Device& device : all_devices()) {
    if (!device.info().has_float64) continue;
    for (const GoldenRun& run : golden().runs) {
      const Grid found = grid_of(run_on(device, image_of_run(run), run.options));
      // Golden numbers have 13 digits. A rounding of 1e-16 grows by at most exp(c·steps·dt) while
      // cells fall to one side or the other: 3e1 after 33 steps, 5e8 after 200, when most of it has
      // decayed again.
      const double tolerance = run.options.steps <= 33 ? 1e-12 : 1e-9;
      EXPECT_LE(largest_difference(found, grid_of_run(run)), tolerance)
          << words(device, found.shape, run.options) << " layer " << run.layer;
    }
  }
}

TEST(ReactGolden, FloatsAgreeWithDoubles) {
  for (const Device& device : all_devices()) {
    for (const GoldenRun& run : golden().runs) {
      const Grid found = grid_of(run_on(device, image_of_run(run), run.options, PixelType::f32));
      const Grid expected = grid_of_run(run);
      const std::string at = words(device, found.shape, run.options) + " layer " + run.layer;
      double squares = 0;
      for (std::size_t i = 0; i < expected.values.size(); ++i) {
        squares += std::pow(found.values[i] - expected.values[i], 2);
        EXPECT_EQ(std::signbit(found.values[i]), std::signbit(expected.values[i])) << at;
      }
      EXPECT_LE(std::sqrt(squares / static_cast<double>(expected.values.size())), 1e-4) << at;
      if (run.options.steps == 1) {
        EXPECT_LE(largest_difference(found, expected), 1e-6) << at;
      }
    }
  }
}

}  // namespace
}  // namespace meander
