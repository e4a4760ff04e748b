// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <cmath>
#include <limits>

#include "contour/edge/edge_testing.hpp"
#include "contour/edge/map.hpp"
#include "meander/convert.hpp"
#include "meander/statistics.hpp"

namespace meander {
namespace {

using namespace testing;

TEST(EdgeMap, TheMedianIsThatOfTheNumbers) {
  Image image = Image::allocate({.shape = {5, 3, 1}, .type = PixelType::f32});
  for (std::int64_t i = 0; i < 15; ++i) {
    image.mutable_row<float>(i / 5)[i % 5] = static_cast<float>(i * 7 % 15);
  }
  EXPECT_EQ(contour::median_of(image), 7);
}

/// Where there is too much to sort every k-th row stands for all.
TEST(EdgeMap, TheMedianOfLargeImagesIsThatOfSomeRows) {
  Image image = Image::allocate({.shape = {1024, 2048, 1}, .type = PixelType::f32});
  for (std::int64_t y = 0; y < 2048; ++y) {
    for (std::int64_t x = 0; x < 1024; ++x) {
      image.mutable_row<float>(y)[x] = static_cast<float>(y + x % 2);
    }
  }
  EXPECT_NEAR(contour::median_of(image), 1024, 8);  // at most the stride away
}

/// |∇| of a ramp is its slope everywhere but near the border, where it is mirrored.
TEST(EdgeMap, ARampIsAllBelowTheFloor) {
  Image image = Image::allocate({.shape = {64, 64, 1}, .type = PixelType::f32});
  for (std::int64_t y = 0; y < 64; ++y) {
    for (std::int64_t x = 0; x < 64; ++x)
      image.mutable_row<float>(y)[x] = static_cast<float>(3 * x);
  }
  const contour::EdgeMap map = contour::edge_map(image, {.sigma = 2, .noise_floor = 4}, {});
  EXPECT_NEAR(map.noise_floor, 12, 0.05);
  EXPECT_NEAR(map.largest, 3, 0.05);
  EXPECT_EQ(statistics(map.edges).max, 0);
}

/// A step of height c has |∇(Gσ * step)| = c/(σ√(2π)) at its middle.
TEST(EdgeMap, AStepIsAsStrongAsItIsHigh) {
  const Image image =
      phantom({.kind = PhantomKind::step, .size = {100, 80, 1}, .levels = {{100, 900}}});
  const contour::EdgeMap map = contour::edge_map(image, {.sigma = 3}, {});
  // The edge lies between pixels, half a pixel from the nearest, which lowers it by e^(-1/72); the
  // approximation of the Gaussian is good to 1e-3 of the image's range.
  EXPECT_NEAR(map.largest, 800 / (3 * std::sqrt(2 * M_PI)) * std::exp(-1.0 / 72), 0.8);
  EXPECT_LT(map.noise_floor, 0.8);
  EXPECT_EQ(statistics(map.edges).max, 65535);
}

TEST(EdgeMap, SigmaGrowsWithTheNoise) {
  EXPECT_EQ(contour::edge_map(phantom(noisy_star(256, 10)), {}, {}).sigma, Scale(1));
  const double noisy = contour::edge_map(phantom(noisy_star(512, 1)), {}, {}).sigma.value[0];
  EXPECT_GE(noisy, 2.8);
  EXPECT_LE(noisy, 5.7);
}

TEST(Edge, FindsAStarFromOutside) {
  const Image image = phantom(noisy_star(300, 4)), truth = truth_of(noisy_star(300, 4));
  for (const Device& device : all_devices()) {
    const EdgeResult result = segment_edges(device.upload(image), {}, around(300));
    ASSERT_EQ(result.outlines.size(), 1u);
    const EdgeOutline& outline = result.outlines[0];
    EXPECT_EQ(outline.end, SnakeEnd::settled) << device.name();
    EXPECT_GE(overlap(outline, truth), 0.98) << device.name();
    EXPECT_GT(outline.on_edges, 0.9) << device.name();
    EXPECT_TRUE(result.figures.flow.converged);
    EXPECT_GT(result.figures.largest_edge, result.figures.noise_floor);
    EXPECT_TRUE(result.stages.edges.empty());
  }
}

/// What another device computes differs in the last digits of the field alone.
TEST(Edge, DevicesAgree) {
  const Image image = phantom(noisy_star(200, 4));
  const auto area_on = [&](const Device& device) {
    return segment_edges(device.upload(image), {}, around(200)).outlines[0].area;
  };
  const double expected = area_on(Device::open("reference"));
  // A curve has settled when it moves by less than 0.01 pixels: so far each of two may
  // be from their common rest, along a length of some 800 pixels.
  for (const Device& device : all_devices()) EXPECT_NEAR(area_on(device), expected, 16);
}

TEST(Edge, BeginsByItselfAroundTheObject) {
  const EdgeResult result = segment_edges(phantom(noisy_star(300, 4)), {});
  EXPECT_EQ(result.outlines[0].end, SnakeEnd::settled);
  EXPECT_GE(overlap(result.outlines[0], truth_of(noisy_star(300, 4))), 0.98);
}

Image disc_of(double x0, double y0, double radius) {
  Image image = Image::allocate({.shape = {128, 96, 1}, .type = PixelType::u8});
  for (std::int64_t y = 0; y < 96; ++y) {
    for (std::int64_t x = 0; x < 128; ++x) {
      const double r = std::hypot(static_cast<double>(x) - x0, static_cast<double>(y) - y0);
      image.mutable_row<std::uint8_t>(y)[x] = r < radius ? 200 : 100;
    }
  }
  return image;
}

/// Round shapes have nothing that keeps points from sliding along them.
TEST(Edge, DiscsOfAllSizesSettle) {
  for (const double radius : {6.0, 10.0, 17.0, 24.0, 31.5, 40.0}) {
    for (const double x : {60.0, 60.4}) {
      const EdgeInputs inputs{.starts = {{.points = circle_outline(62, 47, 44).vertices}}};
      const EdgeOutline found = segment_edges(disc_of(x, 48, radius), {}, inputs).outlines[0];
      EXPECT_EQ(found.end, SnakeEnd::settled) << radius;
      // The edge of a disc of pixels lies up to half a pixel off the circle.
      EXPECT_NEAR(std::sqrt(found.area / M_PI), radius, 0.5) << radius;
    }
  }
}

TEST(Edge, StagesAreKeptWhereTheyAreWanted) {
  EdgeInputs inputs = around(200);
  inputs.keep_stages = true;
  const Image image = phantom(noisy_star(200, 4));
  const EdgeResult result = segment_edges(image, {.sigma = 2}, inputs);
  const Statistics smoothed = statistics(result.stages.smoothed), whole = statistics(image);
  EXPECT_NEAR(smoothed.mean, whole.mean, 1e-3 * whole.mean);
  const Statistics expected = statistics(smooth(image, {.sigma = 2, .border = {Border::reflect}}));
  EXPECT_EQ(smoothed.standard_deviation, expected.standard_deviation);
  EXPECT_EQ(result.stages.edges.type(), PixelType::u16);
  EXPECT_EQ(statistics(result.stages.edges).max, 65535);
  EXPECT_EQ(result.stages.field.components().shape(), image.shape());
}

TEST(Edge, AGivenFieldIsTakenAsItIs) {
  const Image image = phantom(noisy_star(200, 4));
  EdgeInputs inputs = around(200);
  inputs.keep_stages = true;
  const EdgeResult first = segment_edges(image, {}, inputs);
  EdgeInputs given = around(200);
  given.field = first.stages.field;
  const EdgeResult second = segment_edges(image, {}, given);
  EXPECT_EQ(second.outlines[0].curve, first.outlines[0].curve);
  EXPECT_EQ(second.figures.largest_edge, 0);
}

TEST(Edge, PlainForcesAreWeakWhereTheFieldIs) {
  const Image image = phantom(noisy_star(200, 4));
  const EdgeResult unit = segment_edges(image, {.snake = {.max_steps = 80}}, around(200));
  const EdgeResult plain =
      segment_edges(image, {.snake = {.force = SnakeForce::plain, .max_steps = 80}}, around(200));
  EXPECT_GT(plain.outlines[0].area, 1.1 * unit.outlines[0].area);  // has not come as far
}

TEST(Edge, WhereThereIsNoEdgeNothingIsFound) {
  const Image flat = phantom({.kind = PhantomKind::constant, .size = {100, 100, 1}});
  EXPECT_THROW(segment_edges(flat, {}, around(100)), NotConverged);
}

/// Either no edge is above the floor, or the curve does not come to rest on edges.
bool settles(const Image& image, const EdgeOptions& options) {
  try {
    return segment_edges(image, options, around(256)).outlines[0].end == SnakeEnd::settled;
  } catch (const NotConverged&) {
    return false;
  }
}

TEST(Edge, OnNoiseAloneNothingSettles) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const Image noise = phantom({.kind = PhantomKind::constant,
                                 .size = {256, 256, 1},
                                 .noise = {NoiseFamily::gaussian},
                                 .seed = seed});
    EXPECT_FALSE(settles(noise, {})) << seed;
    EXPECT_FALSE(settles(noise, {.sigma = 1})) << seed;
    const SnakeOptions eager{.alpha = 0, .beta = 0, .balloon = 2, .max_points = 800};
    EXPECT_FALSE(settles(noise, {.sigma = 1, .noise_floor = 2.5, .snake = eager})) << seed;
  }
}

/// A rough start goes on coarse edges first: its steps are those of both ways.
TEST(Edge, StepsOfARoughStartAreCountedOnBothWays) {
  const Image image = phantom(noisy_star(200, 4));
  for (const bool is_rough : {false, true}) {
    EdgeInputs inputs = around(200);
    inputs.are_rough = is_rough;
    std::int64_t told = 0, rises = 0;
    inputs.on_state = [&](const SnakeState& state) {
      if (state.steps <= told) ++rises;
      told = std::max(told, state.steps);
    };
    const EdgeOutline found = segment_edges(image, {}, inputs).outlines[0];
    EXPECT_EQ(found.steps, told) << is_rough;
    EXPECT_LE(rises, 1) << is_rough;  // the start itself
  }
}

/// Also where coarse edges do not stand out, so that fine ones come at once.
TEST(Edge, ARoughStartIsToldOfBeforeAnyStep) {
  const Shape size{256, 256, 1};
  const Image u = phantom({.kind = PhantomKind::ushape,
                           .size = size,
                           .type = PixelType::u8,
                           .noise = {NoiseFamily::gaussian},
                           .snr = 4,
                           .levels = {{70, 180}},
                           .seed = 7});
  for (const Image& image : {u, phantom(noisy_star(256, 4))}) {
    std::vector<std::int64_t> told;
    segment_edges(image, {},
                  {.starts = {{.points = circle_outline(128, 128, 110).vertices}},
                   .are_rough = true,
                   .on_state = [&](const SnakeState& state) { told.push_back(state.steps); }});
    ASSERT_GE(told.size(), 3u);
    EXPECT_EQ(told[0], 0);
    EXPECT_GT(told[1], 0);
  }
}

TEST(Edge, TheOrderOfAStartDoesNotCount) {
  EdgeInputs forwards = around(200), backwards = forwards;
  std::reverse(backwards.starts[0].points.begin(), backwards.starts[0].points.end());
  const Image image = phantom(noisy_star(200, 4));
  const double area = segment_edges(image, {}, forwards).outlines[0].area;
  const EdgeOutline found = segment_edges(image, {}, backwards).outlines[0];
  EXPECT_EQ(found.end, SnakeEnd::settled);
  EXPECT_NEAR(found.area, area, 16);  // as in DevicesAgree
}

TEST(EdgeMap, APartOfACurveLiesOnEdges) {
  const Image step = phantom({.kind = PhantomKind::step, .size = {100, 80, 1}});
  const Image edges = contour::edge_map(step, {.sigma = 1}, {}).edges;
  Curve curve;  // ten points on the edge between columns 49 and 50, thirty far from it
  for (int i = 0; i < 10; ++i) curve.points.push_back(on_grid(49.5, 20 + i));
  for (int i = 0; i < 30; ++i) curve.points.push_back(on_grid(i % 2 == 0 ? 20 : 80, 20 + i));
  EXPECT_EQ(contour::part_on_edges(edges, curve), 0.25);
}

TEST(Edge, EveryTypeOfPixelIsTaken) {
  const Image image = phantom(noisy_star(160, 10));
  const double expected = segment_edges(image, {}, around(160)).outlines[0].area;
  for (const PixelType type : {PixelType::f32, PixelType::f64}) {
    const Image other = convert(image, {.type = type});
    EXPECT_NEAR(segment_edges(other, {}, around(160)).outlines[0].area, expected, 1e-3 * expected);
  }
  const Image bytes = convert(image, {.type = PixelType::u8, .window = {{0, 65535}}});
  EXPECT_NEAR(segment_edges(bytes, {}, around(160)).outlines[0].area, expected, 5e-3 * expected);
}

std::string refused(const Image& image, const EdgeOptions& options, const EdgeInputs& inputs) {
  try {
    segment_edges(image, options, inputs);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Edge, RefusesWhatItCannotTake) {
  const Image volume = Image::allocate({.shape = {20, 20, 20}, .type = PixelType::u8});
  const Image colours =
      Image::allocate({.shape = {20, 20, 1}, .channels = 3, .type = PixelType::u8});
  EXPECT_NE(refused(volume, {}, {}), "nothing");
  EXPECT_NE(refused(colours, {}, {}), "nothing");
  Image hole = convert(phantom(noisy_star(100, 4)), {.type = PixelType::f32}).download();
  hole.mutable_row<float>(50)[50] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(refused(hole, {}, around(100)), "nothing");
  EdgeInputs small = around(100);
  small.field =
      Field(Image::allocate({.shape = {20, 20, 1}, .channels = 2, .type = PixelType::f32}));
  EXPECT_NE(refused(phantom(noisy_star(100, 4)), {}, small), "nothing");
  const Description field{.shape = {100, 100, 1}, .channels = 2, .type = PixelType::f32};
  const auto refuses = [&](const Image& components) {
    EdgeInputs inputs = around(100);
    inputs.field = Field(components);
    return refused(phantom(noisy_star(100, 4)), {}, inputs) != "nothing";
  };
  Image numbers = Image::allocate(field);
  for (int c = 0; c < 2; ++c) {
    for (std::int64_t y = 0; y < 100; ++y)
      std::fill_n(numbers.mutable_row<float>(y, 0, c), 100, 1.0f);
  }
  EXPECT_FALSE(refuses(numbers));
  EXPECT_TRUE(refuses(Device::open("reference").upload(numbers)));
  numbers.mutable_row<float>(5, 0, 1)[7] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(refuses(numbers));
  for (int c = 0; c < 2; ++c) {
    for (std::int64_t y = 0; y < 100; ++y)
      std::fill_n(numbers.mutable_row<float>(y, 0, c), 100, 0.0f);
  }
  EXPECT_TRUE(refuses(numbers));
  EXPECT_NE(refused(phantom(noisy_star(100, 4)), {.snake = {.open = OpenEnds::free}}, {}),
            "nothing");
}

TEST(Edge, HoldsWhatItEstimates) {
  set_threads(2);
  for (const Device& device : all_devices()) {
    for (const bool keeps : {false, true}) {
      const Image image = phantom(noisy_star(240, 4));
      EdgeInputs inputs = around(240);
      inputs.keep_stages = keeps;
      const MemoryWatch watch(device);
      {
        const Image there = device.upload(image);
        const EdgeResult result = segment_edges(there, {.sigma = 2}, inputs);
        device.synchronize();
      }
      const auto estimate = static_cast<double>(estimate_bytes(
          image.description(), EdgeOptions{.sigma = 2}, device, {.keeps_stages = keeps}));
      EXPECT_LE(watch.held(), 1.05 * estimate) << device.name() << keeps;
      // A start of its own, which was not needed here, may send 4 MiB of candidates to a device.
      EXPECT_LE(estimate, 1.3 * watch.held() + (1 << 22)) << device.name() << keeps;
    }
  }
  set_threads(0);
}

}  // namespace
}  // namespace meander
