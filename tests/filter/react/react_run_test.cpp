// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "backend/cpu/stencil/stencil.hpp"
#include "filter/react/react_testing.hpp"

/// How a run begins and ends: settling, running away, being stopped, what it refuses and holds.
namespace meander {
namespace {

using namespace testing;

/// Cells that fall to ±sqrt(3(c - 1/b)), where v = u/b.
ReactOptions falling_cells() {
  ReactOptions options = plain_options();
  options.genes = {.a = 0, .b = 10, .c = 1, .e = -1};
  options.diffusion = {0, 0};
  options.steps = 5000;
  return options;
}

TEST(ReactRun, StopsOnceItHasSettled) {
  for (const Device& device : all_devices()) {
    ReactOptions options = falling_cells();
    options.settle = 1e-4;
    Grid start = random_states({12, 7, 1}, 21);
    for (double& value : start.values) value = value < 0 ? value - 0.01 : value + 0.01;
    const Image image = device.upload(image_of(start, PixelType::f32));
    Reactor reactor(device, image.description(), options);
    const Grid settled = grid_of(reactor.run(image));
    const ReactFigures figures = reactor.figures();
    EXPECT_TRUE(figures.settled);
    EXPECT_LT(figures.steps, 400);
    EXPECT_EQ(figures.steps % 16, 0);
    EXPECT_LE(figures.change, 1e-4);
    // A state that goes on at the slowest rate, 2(c - 1/b), is this near its end.
    for (std::size_t i = 0; i < start.values.size(); ++i) {
      EXPECT_NEAR(settled.values[i], std::copysign(std::sqrt(2.7), start.values[i]), 1e-4);
    }
    // Not a sample later than it had to.
    options.settle = 0;
    options.steps = figures.steps;
    EXPECT_TRUE(same_bits(reactor.run(image), react(image, options).layers)) << device.name();
    options.settle = 1e-4;
    options.steps = figures.steps - 16;
    Reactor earlier(device, image.description(), options);
    earlier.run(image);
    EXPECT_FALSE(earlier.figures().settled) << device.name();
    EXPECT_GT(earlier.figures().change, 1e-4) << device.name();
  }
}

TEST(ReactRun, SaysTheChangeOfTheLastStep) {
  cpu::set_stencil_path(cpu::StencilPath::ring);
  for (const Device& device : all_devices()) {
    if (!device.info().has_float64) continue;
    // The cpu takes the larger grid through several steps at a time.
    for (const auto& [steps, shape] :
         std::vector<std::pair<std::int64_t, Shape>>{{1, {9, 8, 1}},
                                                     {7, {9, 8, 1}},
                                                     {16, {9, 8, 1}},
                                                     {48, {9, 8, 1}},
                                                     {21, {200, 150, 1}}}) {
      ReactOptions options = plain_options();
      options.settle = 1e-9;
      options.steps = steps;
      const Image image = device.upload(image_of(random_states(shape, 22), PixelType::f64));
      Reactor reactor(device, image.description(), options);
      const Image last = reactor.run(image);
      options.steps = steps - 1;
      const Image before = react(image, options).layers;
      const double moved = std::max(largest_difference(grid_of(last, 0), grid_of(before, 0)),
                                    largest_difference(grid_of(last, 1), grid_of(before, 1)));
      EXPECT_NEAR(reactor.figures().change, moved / options.dt, 1e-9) << device.name() << steps;
      EXPECT_FALSE(reactor.figures().settled);
      EXPECT_EQ(reactor.figures().steps, steps);
    }
    const Image image = device.upload(image_of(random_states({3, 3, 1}, 22), PixelType::f64));
    Reactor unsampled(device, image.description(), plain_options());
    unsampled.run(image);
    EXPECT_TRUE(std::isnan(unsampled.figures().change));
  }
  cpu::set_stencil_path(cpu::StencilPath::automatic);
}

TEST(ReactRun, EachChannelSettlesByItself) {
  for (const Device& device : all_devices()) {
    ReactOptions options = falling_cells();
    options.settle = 1e-3;
    // The second channel begins nearer to where it goes.
    const Image image = device.upload(image_of(random_states({5, 5, 1}, 23), PixelType::f32, 2,
                                               [](int c) { return c == 0 ? 1e-3 : 1.0; }));
    Reactor together(device, image.description(), options);
    const Image layers = together.run(image);
    std::int64_t most = 0;
    for (int c = 0; c < 2; ++c) {
      Reactor alone(device, image.channel(c).description(), options);
      const Image own = alone.run(image.channel(c));
      EXPECT_EQ(largest_difference(grid_of(layers, 2 * c), grid_of(own, 0)), 0) << device.name();
      most = std::max(most, alone.figures().steps);
      if (c == 1) {
        EXPECT_LT(alone.figures().steps, together.figures().steps);
      }
    }
    EXPECT_EQ(together.figures().steps, most);
    EXPECT_TRUE(together.figures().settled);
  }
}

TEST(ReactRun, FiguresDescribeTheStates) {
  for (const Device& device : all_devices()) {
    ReactOptions options = plain_options();
    options.steps = 50;
    const Image image = device.upload(image_of(random_states({20, 10, 1}, 24), PixelType::f32));
    Reactor reactor(device, image.description(), options);
    const Image layers = reactor.run(image);
    const Grid u = grid_of(layers, 0), v = grid_of(layers, 1);
    const ReactFigures& figures = reactor.figures();
    EXPECT_NEAR(figures.u[0], std::ranges::min(u.values), 1e-6);
    EXPECT_NEAR(figures.u[1], std::ranges::max(u.values), 1e-6);
    EXPECT_NEAR(figures.v[0], std::ranges::min(v.values), 1e-6);
    EXPECT_NEAR(figures.v[1], std::ranges::max(v.values), 1e-6);
    EXPECT_EQ(figures.dt_limit, react_dt_limit(image.shape(), options));
    EXPECT_EQ(figures.steps, 50);
    EXPECT_FALSE(figures.method.empty()) << device.name();
  }
}

std::string what_runs_away(Reactor& reactor, const Image& image,
                           const ReactSnapshots& snapshots = {}) {
  try {
    reactor.run(image, snapshots);
  } catch (const NotConverged& failure) {
    return failure.what();
  }
  return "nothing";
}

TEST(ReactRun, StatesThatRunAwayStopIt) {
  for (const Device& device : all_devices()) {
    ReactOptions options = plain_options();
    options.dt = 0.13;
    options.steps = 1000000;  // it must not come to that
    options.force = true;
    const Image image = device.upload(image_of(random_states({16, 15, 1}, 25), PixelType::f32));
    Reactor reactor(device, image.description(), options);
    const std::string found = what_runs_away(reactor, image);
    EXPECT_NE(found.find("the states ran away by step 256 (largest |u| inf"), std::string::npos)
        << found;
    EXPECT_NE(found.find("expected them to stay below 1000; dt is 0.13, its limit 0.11286"),
              std::string::npos)
        << found;
    const ReactSnapshots early{.at = {90, 100}, .take = [](std::int64_t, const Image&) {}};
    EXPECT_NE(what_runs_away(reactor, image, early).find("by step 90 "), std::string::npos);
  }
}

/// Far from any danger at first, so that finite states beyond the bound are seen as well.
TEST(ReactRun, StatesBeyondTheBoundStopIt) {
  for (const Device& device : all_devices()) {
    ReactOptions options = plain_options();
    options.genes = {.a = -1000, .b = 0.001, .c = 1, .e = -100};
    options.diffusion = {0, 0};
    options.dt = 0.01;
    options.steps = 2;
    const Image image = device.upload(image_of(random_states({4, 4, 1}, 25), PixelType::f32));
    Reactor reactor(device, image.description(), options);
    const std::string found = what_runs_away(reactor, image);
    EXPECT_NE(found.find("by step 2 "), std::string::npos) << found;
    EXPECT_EQ(found.find("inf"), std::string::npos) << found;
  }
}

TEST(ReactRun, StopsOnRequest) {
  for (const Device& device : all_devices()) {
    ReactOptions options = plain_options();
    options.steps = 4000;
    const Image image = device.upload(image_of(random_states({20, 15, 1}, 26), PixelType::f32));
    Reactor reactor(device, image.description(), options);
    const Image whole = reactor.run(image);
    std::stop_source source;
    std::vector<double> seen;
    const Control control{.stop = source.get_token(), .progress = [&](double fraction) {
                            seen.push_back(fraction);
                            if (fraction > 0.2) source.request_stop();
                          }};
    EXPECT_THROW(reactor.run(image, {}, control), Cancelled) << device.name();
    ASSERT_FALSE(seen.empty());
    EXPECT_LT(seen.back(), 0.5) << device.name();
    EXPECT_TRUE(same_bits(reactor.run(image), whole)) << device.name();
    EXPECT_THROW(react(image, options, {}, {.stop = source.get_token()}), Cancelled);
  }
}

/// Steps that are stopped midway leave any state, which must not be taken for a result or for one
/// that ran away.
TEST(ReactRun, IsCancelledFromAnotherThread) {
  for (const Device& device : all_devices()) {
    ReactOptions options = plain_options();
    options.steps = 10000000;
    options.settle = 1e-12;
    const Image image = device.upload(image_of(random_states({60, 50, 1}, 27), PixelType::f32));
    Reactor reactor(device, image.description(), options);
    for (int again = 0; again < 3; ++again) {
      std::stop_source source;
      std::jthread other;
      const Control control{.stop = source.get_token(), .progress = [&](double fraction) {
                              if (fraction > 0 && !other.joinable())
                                other = std::jthread([&] { source.request_stop(); });
                            }};
      EXPECT_THROW(reactor.run(image, {}, control), Cancelled) << device.name();
    }
  }
}

TEST(ReactRun, ProgressRisesToTheEnd) {
  for (const Device& device : all_devices()) {
    for (const double settle : {0.0, 1e-3}) {
      ReactOptions options = falling_cells();
      options.steps = 600;
      options.settle = settle;
      const Image image = device.upload(image_of(random_states({9, 9, 1}, 28), PixelType::f32, 2));
      std::vector<double> seen;
      react(image, options, {}, {.progress = [&](double fraction) { seen.push_back(fraction); }});
      ASSERT_GT(seen.size(), 3u);
      EXPECT_TRUE(std::ranges::is_sorted(seen));
      EXPECT_EQ(seen.front(), 0);
      EXPECT_EQ(seen.back(), 1);
    }
  }
}

TEST(ReactRun, RefusesWhatMakesNoSense) {
  const Device device = Device::open("cpu");
  const Description image{.shape = {8, 8, 1}}, volume{.shape = {8, 8, 8}};
  const auto refusal = [&](const Description& of, const ReactOptions& options) -> std::string {
    try {
      Reactor reactor(device, of, options);
    } catch (const InvalidArgument& failure) {
      return failure.what();
    }
    return "nothing";
  };
  EXPECT_EQ(refusal(image, {}), "nothing");
  EXPECT_EQ(refusal(image, {.dt = 0.13}),
            "dt is 0.13, expected less than 0.112867, from where on steps grow without bound");
  EXPECT_EQ(refusal(image, {.dt = 0.13, .force = true}), "nothing");
  EXPECT_NE(refusal(volume, {}).find("expected less than 0.0754"), std::string::npos);
  EXPECT_NE(refusal(volume, {.dt = 0.05, .laplacian = ReactLaplacian::nine}).find("laplacian is 9"),
            std::string::npos);
  const std::string growing = refusal(image, {.genes = {.b = -1.2}, .force = true});
  EXPECT_EQ(growing,
            "genes are b=-1.2,e=-0.1, whose product is 0.12, expected at most 0: v would grow "
            "without end");
  EXPECT_NE(refusal(image, {.genes = {.a = std::nan("")}}).find("genes is nan"), std::string::npos);
  EXPECT_NE(refusal(image, {.diffusion = {-1, 1}}).find("diffusion"), std::string::npos);
  EXPECT_NE(refusal(image, {.dt = 0}).find("dt"), std::string::npos);
  EXPECT_NE(refusal(image, {.steps = -1}).find("steps"), std::string::npos);
  EXPECT_NE(refusal(image, {.window = {3, 3}}).find("window is 3,3"), std::string::npos);
  EXPECT_NE(refusal(image, {.output_map = {ReactMap::Kind::window, {1, -1}}}).find("output-map"),
            std::string::npos);
}

TEST(ReactRun, RefusesOtherImagesAndSnapshots) {
  const Device device = Device::open("cpu");
  const Image image = image_of(random_grid({8, 7, 1}, 1), PixelType::u8);
  Reactor reactor(device, image.description(), {.steps = 10});
  EXPECT_THROW(reactor.run(image_of(random_grid({7, 8, 1}, 1), PixelType::u8)), InvalidArgument);
  EXPECT_THROW(reactor.run(image_of(random_grid({8, 7, 1}, 1), PixelType::u16)), InvalidArgument);
  EXPECT_THROW(reactor.run(image_of(random_grid({8, 7, 1}, 1), PixelType::u8, 2)), InvalidArgument);
  const Device other = Device::open("reference");
  EXPECT_THROW(reactor.run(other.allocate(image.description())), InvalidArgument);
  const auto take = [](std::int64_t, const Image&) {};
  for (const std::vector<std::int64_t>& at :
       {std::vector<std::int64_t>{2, 1}, {3, 3}, {-1}, {11}}) {
    EXPECT_THROW(reactor.run(image, {.at = at, .take = take}), InvalidArgument);
  }
  EXPECT_THROW(reactor.run(image, {.at = {1}}), InvalidArgument);
  EXPECT_NO_THROW(reactor.run(image, {.at = {0, 10}, .take = take}));
}

void expect_estimate(const Device& device, PixelType type, int channels, ReactLayer layer) {
  const Description description{.shape = {700, 400, 1}, .channels = channels, .type = type};
  const ReactOptions options{.steps = 1, .layer = layer, .settle = 1e-3};
  const MemoryWatch watch(device);
  const Image image = device.upload(image_of(random_states(description.shape, 1), type, channels));
  {
    const Image result = react(image, options).layers;
    device.synchronize();
  }
  const double held = watch.held();
  const auto estimate = static_cast<double>(estimate_bytes(description, options, device));
  const std::string at = device.name() + " " + std::string(name_of(type));
  EXPECT_LE(held, estimate) << at << " channels " << channels;
  EXPECT_LE(estimate, 1.05 * held) << at << " channels " << channels;
}

TEST(ReactRun, HoldsWhatItEstimates) {
  for (const Device& device : all_devices()) {
    expect_estimate(device, PixelType::u8, 1, ReactLayer::u);
    expect_estimate(device, PixelType::f16, 1, ReactLayer::v);
    expect_estimate(device, PixelType::f32, 3, ReactLayer::both);
    if (device.info().has_float64) expect_estimate(device, PixelType::f64, 1, ReactLayer::u);
  }
}

TEST(ReactRun, ARunTakesNoMemoryButForItsResult) {
  for (const Device& device : all_devices()) {
    const Image image = device.upload(image_of(random_states({300, 200, 1}, 2), PixelType::f32));
    Reactor reactor(device, image.description(), {.steps = 5});
    const MemoryWatch watch(device);
    const Image result = reactor.run(image);
    const auto bytes = static_cast<double>(padded_bytes(result.description()));
    EXPECT_LE(watch.held(), 1.05 * bytes) << device.name();
  }
}

}  // namespace
}  // namespace meander
