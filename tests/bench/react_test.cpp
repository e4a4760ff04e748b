// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "bench/react/react.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bench/react/grids.hpp"
#include "bench/react/paper.hpp"

namespace meander::bench {
namespace {

/// The network in float64 by its definition, cell by cell.
struct Exact {
  explicit Exact(const ReactStart& start)
      : shape(start.shape),
        u(start.states.begin(), start.states.end()),
        v(start.states.begin(), start.states.end()) {}

  double at(const std::vector<double>& layer, std::int64_t x, std::int64_t y) const {
    const std::int64_t column = std::clamp<std::int64_t>(x, 0, shape.x - 1);
    const std::int64_t row = std::clamp<std::int64_t>(y, 0, shape.y - 1);
    return layer[static_cast<std::size_t>(row * shape.x + column)];
  }
  double laplacian(const std::vector<double>& layer, std::int64_t x, std::int64_t y) const {
    return at(layer, x - 1, y) + at(layer, x + 1, y) + at(layer, x, y - 1) + at(layer, x, y + 1) -
           4 * at(layer, x, y);
  }
  void step(const ReactNetwork& n) {
    std::vector<double> next_u, next_v;
    for (std::int64_t y = 0; y < shape.y; ++y) {
      for (std::int64_t x = 0; x < shape.x; ++x) {
        const double a = at(u, x, y), b = at(v, x, y);
        next_u.push_back(a + n.dt * (n.c * a - a * a * a / 3 - b + n.d1 * laplacian(u, x, y)));
        next_v.push_back(b + n.dt * (-n.e * (a - n.b * b + n.a) + n.d2 * laplacian(v, x, y)));
      }
    }
    u = next_u;
    v = next_v;
  }

  Shape shape;
  std::vector<double> u, v;
};

std::vector<double> exact_u(const ReactNetwork& network, const ReactStart& start, int steps) {
  Exact exact(start);
  for (int i = 0; i < steps; ++i) exact.step(network);
  return exact.u;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

template <class Grid>
std::vector<double> u_after(Grid grid, std::int64_t steps) {
  grid.run(steps);
  return grid.u();
}

// 20 steps round states below 1/2 by 2^-24 (2^-53) each, and reactions make an error grow by at
// most exp(c·20·dt), 7.4 times: up to 4.4e-6 (8e-15) if all roundings went the same way.
constexpr double of_float = 3e-6, of_double = 1e-14;

constexpr Shape shapes[] = {{1, 1, 1}, {2, 3, 1}, {1, 40, 1}, {67, 35, 1}, {130, 18, 1}};

// D1 is not 0 here, so that every term of the loop counts.
TEST(ReactBaselines, PlainAndVectorisedDoWhatTheNetworkSays) {
  ReactNetwork network;
  network.d1 = 0.3;
  for (const Shape& shape : shapes) {
    const ReactStart start = react_start(shape);
    const auto exact = exact_u(network, start, 20);
    const auto plain = u_after(plain_grid(network, start, scalar_loop()), 20);
    const auto vectorised = u_after(plain_grid(network, start, vectorised_loops().plain), 20);
    EXPECT_LT(largest_difference(exact, plain), of_float) << to_string(shape);
    EXPECT_LT(largest_difference(exact, vectorised), of_float) << to_string(shape);
  }
}

TEST(ReactBaselines, TheEngineDoesTheSame) {
  for (const double d1 : {0.0, 0.3}) {
    ReactNetwork network;
    network.d1 = d1;
    for (const Shape& shape : shapes) {
      const ReactStart start = react_start(shape);
      const auto exact = exact_u(network, start, 20);
      EXPECT_LT(largest_difference(exact, u_after(EngineGrid(network, start, PixelType::f32), 20)),
                of_float)
          << to_string(shape);
      EXPECT_LT(largest_difference(exact, u_after(EngineGrid(network, start, PixelType::f64), 20)),
                of_double)
          << to_string(shape);
    }
  }
}

// A step rounds U once, and U enters with half a unit: 2^-16 / sqrt(dt / 3) is one unit of u.
TEST(ReactFixed, AFewStepsAreAFewUnitsOff) {
  const ReactNetwork network;
  for (const Shape& shape : shapes) {
    const ReactStart start = react_start(shape);
    const auto exact = exact_u(network, start, 4);
    const double unit16 = 1 / fixed_scales<std::int16_t>(network).u;
    const double unit32 = 1 / fixed_scales<std::int32_t>(network).u;
    EXPECT_LT(largest_difference(exact, u_after(fixed_grid<std::int16_t>(network, start), 4)),
              4 * unit16);
    EXPECT_LT(largest_difference(exact, u_after(fixed_grid<std::int32_t>(network, start), 4)),
              16 * unit32);
  }
}

TEST(ReactFixed, EdgesAfter200StepsAreThoseOfFloat64) {
  const auto found = react_accuracy({256, 192, 1}, {});
  ASSERT_EQ(found.size(), 3u);
  const ReactAccuracy &single = found[0], &fixed16 = found[1], &fixed32 = found[2];
  EXPECT_EQ(single.signs, 0);
  EXPECT_LT(single.rms, 1e-4);
  // A cell on the verge may fall to the other side, which is 3 away; no more than one in 2000.
  EXPECT_GT(fixed16.rms, 1e-4);
  EXPECT_LT(fixed16.rms, 0.07);
  EXPECT_LE(fixed16.signs, 256 * 192 / 2000);
  EXPECT_EQ(fixed32.signs, 0);
  EXPECT_GT(fixed32.rms, 0);
  EXPECT_LT(fixed32.rms, 1e-6);
}

// A network whose states would overflow shows at once; the edge detector's must have room.
TEST(ReactFixed, StatesStayFarFromTheEndsOf16Bits) {
  const ReactNetwork network;
  const ReactStart start = react_start({128, 128, 1});
  Exact exact(start);
  double u = 0, v = 0;
  for (int i = 0; i < 200; ++i) {
    exact.step(network);
    for (const double value : exact.u) u = std::max(u, std::abs(value));
    for (const double value : exact.v) v = std::max(v, std::abs(value));
  }
  const FixedScales scales = fixed_scales<std::int16_t>(network);
  EXPECT_GT(u, 1.5);
  EXPECT_LT(u * scales.u, 0.75 * 32768);
  EXPECT_LT(v * scales.v, 0.75 * 32768);
}

TEST(ReactPaper, TimesOfTable6AreCellsTimesStepsTimesT) {
  for (const PaperFinal& entry : paper_final) {
    const auto cell_steps = static_cast<double>(entry.side * entry.side * paper_steps) * 1e-9;
    EXPECT_NEAR(entry.cpu_nanoseconds * cell_steps / entry.cpu, 1, 0.02) << entry.side;
    EXPECT_NEAR(entry.gpu_nanoseconds * cell_steps / entry.gpu, 1, 0.02) << entry.side;
  }
}

TEST(ReactPaper, TheTablesAgreeWhereTheyMeet) {
  for (const PaperTimes& times : paper_times) {
    const auto* last =
        std::find_if(std::begin(paper_final), std::end(paper_final),
                     [&](const PaperFinal& entry) { return entry.side == times.side; });
    ASSERT_NE(last, std::end(paper_final));
    EXPECT_NEAR(times.cpu_optimised / last->cpu, 1, 0.04) << times.side;
    EXPECT_NEAR(times.cpu_plain / times.cpu_optimised, 2, 0.15) << times.side;
    EXPECT_GT(times.gpu, last->gpu);
  }
}

TEST(ReactResult, RatiosToBoundsAreTurnedOver) {
  ReactResult result;
  for (int way = 0; way < 9; ++way) {
    result.rows.push_back({.way = static_cast<ReactWay>(way)});
  }
  result.rows[static_cast<std::size_t>(ReactWay::copy)].over_ours = {0.25, 0.5, 1};
  result.rows[static_cast<std::size_t>(ReactWay::copy)].nanoseconds.median = 2;
  result.rows[static_cast<std::size_t>(ReactWay::core)].nanoseconds.median = 3;
  EXPECT_EQ(result.larger_bound(), ReactWay::core);
  const Quartiles over = result.ours_over(ReactWay::copy);
  EXPECT_EQ(over.low, 1);
  EXPECT_EQ(over.median, 2);
  EXPECT_EQ(over.high, 4);
}

TEST(ReactBench, EveryWayIsTimedAndTheEngineIsLeftAsItWas) {
  for (const int count : {1, 2}) {
    set_threads(count);
    const ReactResult result = bench_react({96, 64, 1}, Device::open("cpu"), 1, {});
    ASSERT_EQ(result.rows.size(), 9u);
    for (const ReactRow& row : result.rows) {
      EXPECT_GT(row.nanoseconds.median, 0) << name_of(row.way);
      EXPECT_GT(row.over_ours.median, 0) << name_of(row.way);
    }
    EXPECT_EQ(result.clock, count == 1 ? Clock::process : Clock::wall);
    EXPECT_EQ(result.scaling.has_value(), count > 1);
    EXPECT_NEAR(result.seconds,
                result.row(ReactWay::ours).nanoseconds.median * 1e-9 * 96 * 64 * 200, 1e-12);
    EngineGrid grid({}, react_start({96, 64, 1}), PixelType::f32);
    grid.run(200);
    EXPECT_EQ(grid.notes().find("as asked for"), std::string::npos) << grid.notes();
  }
  set_threads(0);
}

TEST(ReactBench, StopsOnRequest) {
  std::stop_source source;
  source.request_stop();
  EXPECT_THROW(bench_react({64, 64, 1}, Device::open("cpu"), 3,
                           {.stop = source.get_token(), .progress = {}}),
               Cancelled);
}

}  // namespace
}  // namespace meander::bench
