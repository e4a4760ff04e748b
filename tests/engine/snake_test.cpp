// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Contours that move, against dense matrices, fields with known answers and plain float
// arithmetic: what `reference` shares with other backends is not seen by comparing with it.
#include "engine/snake_testing.hpp"

#include <numbers>
#include <random>

#include "conformance/snake_samples.hpp"
#include "engine/line_testing.hpp"
#include "meander/error.hpp"

namespace meander {
namespace {

using conformance::SnakePlaces;
using conformance::SnakeSample;

constexpr Shape small_field{20, 16, 1};

/// Both components of a field from a function of component, x and y.
template <class Force>
Image field_of(const Shape& shape, Force force) {
  Image image = Image::allocate({.shape = shape, .channels = 2, .type = PixelType::f32});
  for (int c = 0; c < 2; ++c) {
    for (std::int64_t y = 0; y < shape.y; ++y) {
      for (std::int64_t x = 0; x < shape.x; ++x) {
        image.mutable_row<float>(y, 0, c)[x] = static_cast<float>(force(c, x, y));
      }
    }
  }
  return image;
}
Image uniform_field(double x, double y) {
  return field_of(small_field, [=](int c, std::int64_t, std::int64_t) { return c == 0 ? x : y; });
}

SnakePlaces random_places(std::int64_t points, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<float> place(1, 15);
  SnakePlaces places;
  for (std::int64_t i = 0; i < points; ++i) {
    places.x.push_back(place(random));
    places.y.push_back(place(random));
  }
  return places;
}

/// A regular polygon of positive area.
SnakePlaces polygon(std::int64_t points, double radius) {
  SnakePlaces places;
  for (std::int64_t i = 0; i < points; ++i) {
    const double angle =
        2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(points);
    places.x.push_back(static_cast<float>(8 + radius * std::cos(angle)));
    places.y.push_back(static_cast<float>(8 + radius * std::sin(angle)));
  }
  return places;
}

/// No tension, no rigidity: nothing is solved.
MovingContour loose(std::int64_t points, ContourEnds ends = ContourEnds::closed) {
  return {.points = points, .ends = ends};
}

std::vector<MovingContour> stiff_contours() {
  std::vector<MovingContour> all;
  for (const std::int64_t points : {1, 2, 3, 4, 5, 8, 33, 70}) {
    all.push_back({.points = points, .taps = points / 2, .tension = 1.5f, .rigidity = 0.75f});
    for (const ContourEnds ends : {ContourEnds::free, ContourEnds::fixed}) {
      all.push_back({.points = points, .ends = ends, .tension = 1.5f, .rigidity = 0.75f});
    }
  }
  return all;
}

Column dense_step(const MovingContour& c, const std::vector<float>& places) {
  return solved(matrix_of(c), Column(places.begin(), places.end()));
}

void expect_near(const std::vector<float>& found, const Column& expected, double tolerance,
                 const MovingContour& c) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found[i], expected[i], tolerance)
        << "point " << i << " of " << c.points << ", ends " << static_cast<int>(c.ends);
  }
}

void expect_same_bits(const SnakePlaces& found, const SnakePlaces& expected) {
  ASSERT_EQ(found.x.size(), expected.x.size());
  for (std::size_t i = 0; i < found.x.size(); ++i) {
    ASSERT_EQ(std::bit_cast<std::uint32_t>(found.x[i]), std::bit_cast<std::uint32_t>(expected.x[i]))
        << "x of point " << i << ": " << found.x[i] << " and " << expected.x[i];
    ASSERT_EQ(std::bit_cast<std::uint32_t>(found.y[i]), std::bit_cast<std::uint32_t>(expected.y[i]))
        << "y of point " << i << ": " << found.y[i] << " and " << expected.y[i];
  }
}

SnakePlaces plainly_moved(const SnakeSample& sample) {
  const engine::View force = sample.field.inside(sample.field.image);
  SnakePlaces moved;
  for (const MovingContour& c : sample.contours) {
    const auto part = [&](const std::vector<float>& all) {
      return std::vector<float>(all.begin() + c.first, all.begin() + c.first + c.points);
    };
    PlainSnake snake(c, sample.weights.data() + c.first_weight, part(sample.places.x),
                     part(sample.places.y));
    for (std::int64_t step = 0; step < sample.steps; ++step) snake.step(force);
    moved.x.insert(moved.x.end(), snake.x().begin(), snake.x().end());
    moved.y.insert(moved.y.end(), snake.y().begin(), snake.y().end());
  }
  return moved;
}

/// Runs once for every device of this machine.
class Snakes : public testing::TestWithParam<std::string> {
 protected:
  ~Snakes() override { set_threads(0); }

  /// One contour with the weights of its matrix.
  SnakePlaces moved(const Image& field, const MovingContour& contour, SnakePlaces places,
                    std::int64_t steps) {
    const std::vector<float> weights = weights_of(contour);
    backend.move_contours(view_of(device.upload(field)), {.contours = {&contour, 1},
                                                          .weights = weights,
                                                          .x = places.x,
                                                          .y = places.y,
                                                          .steps = steps});
    return places;
  }

  const Device device = Device::open(GetParam());
  engine::Backend& backend = device.backend();
};

TEST_P(Snakes, AStepWithoutForceSolvesTheMatrix) {
  const Image nothing = uniform_field(0, 0);
  for (const MovingContour& c : stiff_contours()) {
    const SnakePlaces start = random_places(c.points, 3);
    const SnakePlaces found = moved(nothing, c, start, 1);
    expect_near(found.x, dense_step(c, start.x), 1e-5, c);
    expect_near(found.y, dense_step(c, start.y), 1e-5, c);
  }
}

/// The force is solved with the rest, so that a force which is everywhere the same moves a contour
/// as a whole: with it a point is where it is without it, and as far on as the force says.
TEST_P(Snakes, AUniformForceTranslates) {
  constexpr std::int64_t steps = 5;
  for (MovingContour c : stiff_contours()) {
    if (c.ends == ContourEnds::fixed) continue;
    c.step = 0.5f;
    const SnakePlaces start = random_places(c.points, 4);
    const SnakePlaces without = moved(uniform_field(0, 0), c, start, steps);
    const SnakePlaces with = moved(uniform_field(0.5, -0.25), c, start, steps);
    Column x, y;
    for (const float place : without.x) x.push_back(place + steps * 0.25);
    for (const float place : without.y) y.push_back(place - steps * 0.125);
    expect_near(with.x, x, 2e-5, c);
    expect_near(with.y, y, 2e-5, c);
  }
}

/// A field that is linear between its borders is itself between pixels too.
TEST_P(Snakes, ForcesAreBilinearAndGoOnBeyondTheBorder) {
  const auto force = [](int c, double x, double y) {
    return c == 0 ? 1 + 0.25 * x - 0.5 * y : 0.125 * x + 0.375 * y - 2;
  };
  const Image field = field_of(small_field, [&](int c, std::int64_t x, std::int64_t y) {
    return force(c, static_cast<double>(x), static_cast<double>(y));
  });
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> place(-30, 45);
  for (const std::int64_t origin : {0, 7, -11}) {
    MovingContour c = loose(200);
    c.step = 0.5f;
    c.origin_x = origin;
    c.origin_y = 2 - origin;
    SnakePlaces start;
    Column x, y;
    for (int i = 0; i < 200; ++i) {
      // Every fifth on a pixel, where all the weight is on it alone.
      const double there_x = i % 5 == 0 ? std::floor(place(random)) : place(random);
      const double there_y = i % 5 == 0 ? std::floor(place(random)) : place(random);
      start.x.push_back(static_cast<float>(there_x - static_cast<double>(c.origin_x)));
      start.y.push_back(static_cast<float>(there_y - static_cast<double>(c.origin_y)));
      const double in_x = std::clamp<double>(there_x, 0, small_field.x - 1);
      const double in_y = std::clamp<double>(there_y, 0, small_field.y - 1);
      x.push_back(start.x.back() + 0.5 * force(0, in_x, in_y));
      y.push_back(start.y.back() + 0.5 * force(1, in_x, in_y));
    }
    const SnakePlaces found = moved(field, c, start, 1);
    expect_near(found.x, x, 1e-5, c);
    expect_near(found.y, y, 1e-5, c);
  }
}

/// Normals of a regular polygon are radial and 2 R sin(2π/n) long. With `normal` as 1 over that
/// they have length 1; what is a part k of it becomes k (3 - k²)/2, and from √2 on half.
TEST_P(Snakes, ABalloonGrows) {
  for (const std::int64_t points : {3, 5, 12, 100}) {
    for (const auto& [part, length] :
         {std::pair{1.0, 1.0}, {0.8, 0.944}, {1.2, 0.936}, {3.0, 1.5}}) {
      for (const float balloon : {0.25f, -0.125f}) {
        MovingContour c = loose(points);
        c.balloon = balloon;
        const double turn = 2 * std::numbers::pi / static_cast<double>(points);
        c.normal = static_cast<float>(part / (2 * 5 * std::sin(turn)));
        const SnakePlaces grown = polygon(points, 5 + balloon * length);
        const SnakePlaces found = moved(uniform_field(0, 0), c, polygon(points, 5), 1);
        expect_near(found.x, Column(grown.x.begin(), grown.x.end()), 1e-5, c);
        expect_near(found.y, Column(grown.y.begin(), grown.y.end()), 1e-5, c);
      }
    }
  }
}

/// Its ends have a neighbour on one side only, so no normal; where they are fixed nothing moves
/// them.
TEST_P(Snakes, EndsFeelNoBalloonAndRestWhereFixed) {
  const SnakePlaces start = polygon(9, 5);
  MovingContour c = loose(9, ContourEnds::free);
  c.balloon = 0.25f;
  c.normal = 0.1f;
  SnakePlaces found = moved(uniform_field(0, 0), c, start, 1);
  const auto differs = [&](std::size_t i) {
    return found.x[i] != start.x[i] || found.y[i] != start.y[i];
  };
  EXPECT_FALSE(differs(0) || differs(8));
  EXPECT_TRUE(differs(1) && differs(7));
  c = {.points = 9, .ends = ContourEnds::fixed, .tension = 1, .rigidity = 1};
  c.step = 0.5f;
  found = moved(uniform_field(1, 1), c, start, 20);
  EXPECT_FALSE(differs(0) || differs(8));
  EXPECT_TRUE(differs(1) && differs(4) && differs(7));
}

TEST_P(Snakes, NumbersOfNoContourStay) {
  const Image field = device.upload(uniform_field(1, 1));
  SnakePlaces places{std::vector<float>(12, 3.5f), std::vector<float>(12, 4.5f)};
  MovingContour contours[] = {loose(3), loose(4)};
  contours[0].first = 1;
  contours[1].first = 7;
  contours[0].step = contours[1].step = 0.5f;
  const float weight = 1;
  const engine::MovingBatch batch{
      .contours = contours, .weights = {&weight, 1}, .x = places.x, .y = places.y, .steps = 1};
  backend.move_contours(view_of(field), batch);
  for (std::size_t i = 0; i < 12; ++i) {
    const bool moves = (i >= 1 && i < 4) || (i >= 7 && i < 11);
    EXPECT_EQ(places.x[i], moves ? 4.0f : 3.5f) << i;
    EXPECT_EQ(places.y[i], moves ? 5.0f : 4.5f) << i;
  }
  backend.move_contours(view_of(field), {.contours = {}, .weights = {}, .x = {}, .y = {}});
}

/// Only sums and products in a fixed order: not a bit may differ, between instruction sets neither.
TEST_P(Snakes, HaveTheBitsOfPlainFloats) {
  if (GetParam() == "reference") GTEST_SKIP() << "reference computes in double";
  for (const SnakeSample& sample : conformance::snake_samples()) {
    expect_same_bits(sample.moved_on(device), plainly_moved(sample));
  }
}

TEST_P(Snakes, HaveTheSameBitsOnAnyNumberOfThreads) {
  if (!backend.uses_host_memory()) GTEST_SKIP() << GetParam() << " has threads of its own";
  const std::vector<SnakeSample> samples = conformance::snake_samples();
  for (const SnakeSample& sample : samples) {
    set_threads(1);
    const SnakePlaces alone = sample.moved_on(device);
    for (const int threads : {2, 3}) {
      set_threads(threads);
      expect_same_bits(sample.moved_on(device), alone);
    }
  }
}

/// What a batch needs on a device is taken from its budget and given back.
TEST_P(Snakes, BatchesKeepToTheBudget) {
  if (backend.uses_host_memory()) GTEST_SKIP() << GetParam() << " moves batches where they are";
  const SnakeSample sample = conformance::snake_samples().back();
  sample.moved_on(device);
  backend.finish();
  const MemoryUse before = backend.pool().use();
  backend.pool().set_budget(before.in_use + sample.places.x.size() * 4 * sizeof(float));
  EXPECT_THROW(sample.moved_on(device), OutOfMemory);
  backend.pool().set_budget(before.budget);
  sample.moved_on(device);
  EXPECT_EQ(backend.pool().use().in_use, before.in_use);
}

INSTANTIATE_TEST_SUITE_P(Devices, Snakes, testing::ValuesIn(device_names()), test_name);

}  // namespace
}  // namespace meander
