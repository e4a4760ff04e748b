// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "filter/react/react_testing.hpp"

namespace meander {
namespace {

using namespace testing;

TEST(ReactOptions, GenesInAnyOrder) {
  using Text = OptionText<Genes>;
  EXPECT_EQ(Text::parse("a=-0.5,b=1.2,c=1,e=-0.1"), Genes{});
  EXPECT_EQ(Text::parse("e=4,a=1,c=3,b=2"), (Genes{.a = 1, .b = 2, .c = 3, .e = 4}));
  EXPECT_EQ(Text::format({}), "a=-0.5,b=1.2,c=1,e=-0.1");
  const Genes some = Text::parse("b=2.5");
  EXPECT_TRUE(std::isnan(some.a) && std::isnan(some.c) && std::isnan(some.e));
  EXPECT_EQ(Text::format(some), "b=2.5");
  EXPECT_EQ(completed(some, {}), (Genes{.a = -0.5, .b = 2.5, .c = 1, .e = -0.1}));
  for (const char* text :
       {"", "a", "a=", "d=1", "a=1,", "a=1,a=1", "a=x", "a=nan", "a =1", "a=1;b=2"}) {
    EXPECT_THROW(Text::parse(text), InvalidArgument) << text;
  }
}

TEST(ReactOptions, MapsAndWindows) {
  using Map = OptionText<ReactMap>;
  for (const char* text : {"range", "input", "-1.5,2"})
    EXPECT_EQ(Map::format(Map::parse(text)), text);
  EXPECT_EQ(Map::parse("-1.5,2"), (ReactMap{ReactMap::Kind::window, {-1.5, 2}}));
  using Window = OptionText<ReactWindow>;
  for (const char* text : {"full", "range", "auto", "fit", "0,4095"}) {
    EXPECT_EQ(Window::format(Window::parse(text)), text);
  }
  for (const char* text : {"", "1", "1,", "2,1", "1,1", "0,inf", "nan,1", "1,2,3", "Range"}) {
    EXPECT_THROW(Map::parse(text), InvalidArgument) << text;
    EXPECT_THROW(Window::parse(text), InvalidArgument) << text;
  }
}

double limit_of(const Shape& shape, const Genes& genes, double d1, double d2,
                ReactLaplacian laplacian = ReactLaplacian::five) {
  return react_dt_limit(shape, {.genes = genes, .diffusion = {d1, d2}, .laplacian = laplacian});
}

TEST(ReactOptions, LimitOfDt) {
  const Shape image{9, 9, 1}, volume{9, 9, 9};
  EXPECT_NEAR(limit_of(image, {}, 0, 2.2), 0.1129, 5e-5);  // where the paper says about 0.12
  EXPECT_DOUBLE_EQ(limit_of(image, {}, 0, 2.2, ReactLaplacian::nine), 2 / (16 * 2.2 / 3 + 0.12));
  EXPECT_DOUBLE_EQ(limit_of(volume, {}, 0, 2.2), 2 / (12 * 2.2 + 0.12));
  EXPECT_DOUBLE_EQ(limit_of(image, {}, 5, 0), 2 / (8 * 5.0 + 4 - 1));
  EXPECT_DOUBLE_EQ(limit_of(volume, {}, 5, 0), 2 / (12 * 5.0 + 4 - 1));
  EXPECT_DOUBLE_EQ(limit_of(image, {.c = 6}, 0, 0), 2 / 18.0);
  EXPECT_DOUBLE_EQ(limit_of(image, {.c = -2}, 0, 0), 2 / 6.0);
  EXPECT_THROW(limit_of(image, {.b = 1, .e = 0.1}, 0, 0), InvalidArgument);
  EXPECT_THROW(limit_of(image, {.b = -1, .e = -0.1}, 0, 0), InvalidArgument);
}

TEST(ReactOptions, DtIsLoweredForVolumes) {
  const ReactOptions preset = react_preset("edges");
  EXPECT_EQ(with_stable_dt({9, 9, 1}, preset).dt, preset.dt);
  EXPECT_EQ(with_stable_dt({9, 9, 1}, preset).steps, preset.steps);
  const Shape volume{9, 9, 9};
  const ReactOptions lowered = with_stable_dt(volume, preset);
  const double limit = react_dt_limit(volume, preset);
  EXPECT_LE(lowered.dt, 0.9 * limit);
  EXPECT_GT(lowered.dt, 0.89 * limit);
  EXPECT_EQ(lowered.steps, 295);
  EXPECT_NEAR(static_cast<double>(lowered.steps) * lowered.dt, 20, 1e-12);
  ReactOptions none = preset;
  none.steps = 0;
  EXPECT_EQ(with_stable_dt(volume, none).steps, 0);
  EXPECT_DOUBLE_EQ(with_stable_dt(volume, none).dt, 0.9 * limit);
}

std::string refusal(std::string_view text) {
  try {
    parse_react_preset(text, "my.preset");
  } catch (const InvalidArgument& failure) {
    EXPECT_EQ(failure.about.path, "my.preset");
    EXPECT_EQ(failure.about.option, text == "dt = 99" ? "dt" : "");
    return failure.what();
  }
  return "nothing";
}

TEST(ReactPresets, TextBecomesOptions) {
  const ReactOptions options = parse_react_preset(
      "# a comment\r\n\n  steps=7 # so few\n\tgenes = b=3,e=-2\r\nborder = periodic\nlayer = both",
      "my.preset");
  EXPECT_EQ(options.steps, 7);
  EXPECT_EQ(options.genes, (Genes{.a = -0.5, .b = 3, .c = 1, .e = -2}));
  EXPECT_EQ(options.border, ReactBorder::periodic);
  EXPECT_EQ(options.layer, ReactLayer::both);
  EXPECT_EQ(options.dt, ReactOptions{}.dt);
}

TEST(ReactPresets, FaultsAreNamedWithTheirLine) {
  EXPECT_EQ(refusal("steps = 7\n\nborder = wet\n"),
            "my.preset, line 3: found 'wet', expected clamp, mirror, periodic, fixed");
  const std::string unknown = refusal("stepz = 7");
  EXPECT_EQ(unknown.substr(0, 61), "my.preset, line 1: found 'stepz', expected one of genes, diff");
  EXPECT_EQ(refusal("# x\nsteps"),
            "my.preset, line 2: found 'steps', expected a line 'option = value'");
  EXPECT_EQ(refusal("dt = 99"), "my.preset, line 1: dt is 99, expected 1e-06 to 10");
  EXPECT_EQ(refusal("dt = 0.1\ndt = 0.1"),
            "my.preset, line 2: found 'dt', expected each option once");
  EXPECT_EQ(refusal("steps = "), "my.preset, line 1: found '', expected an integer");
}

TEST(ReactPresets, AreTheseSix) {
  const std::vector<std::string> names{"edges",    "contrast", "threshold",
                                       "binarise", "denoise",  "labyrinth"};
  EXPECT_EQ(react_preset_names(), names);
  try {
    react_preset("edgy");
    FAIL() << "there is no such preset";
  } catch (const InvalidArgument& failure) {
    EXPECT_STREQ(failure.what(),
                 "preset is 'edgy', expected one of edges, contrast, threshold, binarise, denoise, "
                 "labyrinth");
  }
}

TEST(ReactPresets, FilesAreTheBuiltInOnes) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(MEANDER_PRESETS)) {
    ++files;
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    const ReactOptions read = parse_react_preset(text.str(), entry.path().string());
    const ReactOptions built_in = react_preset(entry.path().stem().string());
    EXPECT_EQ(read.genes, built_in.genes) << entry.path();
    EXPECT_EQ(read.output_map, built_in.output_map) << entry.path();
    EXPECT_NO_THROW(Reactor(Device::open("cpu"), {.shape = {8, 8, 1}}, read)) << entry.path();
    EXPECT_NO_THROW(
        Reactor(Device::open("cpu"), {.shape = {8, 8, 8}}, with_stable_dt({8, 8, 8}, read)))
        << entry.path();
  }
  EXPECT_EQ(files, react_preset_names().size());
}

/// The paper's gene for edges, by name.
TEST(ReactPresets, EdgesAreThePapers) {
  const ReactOptions edges = react_preset("edges");
  EXPECT_EQ(edges.genes, (Genes{.a = -0.5, .b = 1.2, .c = 1, .e = -0.1}));
  EXPECT_EQ(edges.diffusion, (std::array<double, 2>{0, 2.2}));
  EXPECT_EQ(edges.dt, 0.1);
  EXPECT_EQ(edges.steps, 200);
  EXPECT_EQ(edges.gain, 0.5);
}

/// A disc, brighter than what is around it, in grey levels that do not fill the type.
Grid disc(double noise) {
  Grid grid({64, 64, 1});
  const Grid random = random_grid(grid.shape, 5);
  for (std::int64_t y = 0; y < 64; ++y) {
    for (std::int64_t x = 0; x < 64; ++x) {
      const bool inside = std::hypot(x - 32, y - 32) < 20;
      grid.at(x, y, 0) = (inside ? 160 : 80) + noise * (random.at(x, y, 0) / 255 - 0.5);
    }
  }
  return grid;
}

Grid through_preset(const Grid& grid, std::string_view name) {
  const ReactOptions options = react_preset(name);
  const Image image = image_of(grid, PixelType::u8);
  Reactor reactor(image.device(), image.description(), options);
  const Image layers = reactor.run(image);
  const Image pixels = react_pixels(layers, options, reactor.figures(), PixelType::u8).download();
  Grid out(grid.shape);
  for (std::int64_t y = 0; y < 64; ++y) {
    for (std::int64_t x = 0; x < 64; ++x) out.at(x, y, 0) = pixels.row<std::uint8_t>(y)[x];
  }
  return out;
}

TEST(ReactPresets, EdgesDrawsTheContour) {
  const Grid found = through_preset(disc(0), "edges");
  for (std::int64_t y = 0; y < 64; ++y) {
    for (std::int64_t x = 0; x < 64; ++x) {
      const double apart = std::hypot(x - 32, y - 32) - 20;
      if (std::abs(apart) > 4) {
        EXPECT_GT(found.at(x, y, 0), 170) << x << "," << y;
      }
      if (apart >= 0 && apart < 1) {
        EXPECT_LT(found.at(x, y, 0), 85) << x << "," << y;
      }
    }
  }
}

TEST(ReactPresets, ThresholdAndBinariseAreBlackAndWhite) {
  for (const char* name : {"threshold", "binarise"}) {
    const bool heals = std::string_view(name) == "binarise";
    const Grid found = through_preset(disc(heals ? 90 : 60), name);
    for (std::int64_t y = 0; y < 64; ++y) {
      for (std::int64_t x = 0; x < 64; ++x) {
        const double apart = std::hypot(x - 32, y - 32) - 20;
        if (heals && std::abs(apart) < 2) continue;
        EXPECT_EQ(found.at(x, y, 0), apart < 0 ? 255 : 0) << name << " " << x << "," << y;
      }
    }
  }
}

TEST(ReactPresets, DenoiseKeepsGreyLevels) {
  const Grid clean = disc(0), noisy = disc(100), found = through_preset(noisy, "denoise");
  double before = 0, after = 0, mean = 0;
  for (std::size_t i = 0; i < clean.values.size(); ++i) {
    before += std::pow(std::floor(noisy.values[i]) - clean.values[i], 2);
    after += std::pow(found.values[i] - clean.values[i], 2);
    mean += (found.values[i] - clean.values[i]) / static_cast<double>(clean.values.size());
  }
  EXPECT_LT(after, before / 4);
  EXPECT_LT(std::abs(mean), 3);
}

}  // namespace
}  // namespace meander
