// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "filter/flow/flow_testing.hpp"

/// How a flow is watched and stopped, what it refuses and what it holds.
namespace meander {
namespace {

using namespace testing;

constexpr FlowSolver every_solver[] = {FlowSolver::multigrid, FlowSolver::explicit_steps,
                                       FlowSolver::fed};

/// Steps are for solvers that take them.
FlowOptions options_of(FlowSolver solver, std::int64_t steps) {
  FlowOptions options{.mu = 0.05, .solver = solver};
  if (solver != FlowSolver::multigrid) options.iterations = steps;
  return options;
}

TEST(FlowRun, ThreadsDoNotShow) {
  for (const Shape& shape : {Shape{203, 150, 1}, Shape{45, 38, 29}}) {
    const Image image = image_of(sharp_phantom(shape), PixelType::f32);
    const Grid disc = grid_from(
        shape, [&](double x, double y, double) { return std::hypot(x - 40, y - 30) < 60; });
    for (const FlowSolver solver : every_solver) {
      for (const bool masked : {false, true}) {
        if (masked && solver != FlowSolver::multigrid) continue;
        FlowInputs inputs;
        if (masked) inputs.mask = image_of(disc, PixelType::u8);
        const FlowOptions options = options_of(solver, 20);
        set_threads(1);
        const FlowResult expected = flow(image, options, inputs);
        for (const int count : {2, 3, 7}) {
          set_threads(count);
          const FlowResult found = flow(image, options, inputs);
          expect_within(vectors_of(found.field), vectors_of(expected.field), 0,
                        to_string(shape) + " threads " + std::to_string(count));
          EXPECT_EQ(found.figures.cycles.size(), expected.figures.cycles.size());
        }
        set_threads(0);
      }
    }
  }
}

TEST(FlowRun, StopsOnRequest) {
  for (const Device& device : all_devices()) {
    const Image image = device.upload(image_of(sharp_phantom({60, 50, 1}), PixelType::f32));
    for (const FlowSolver solver : every_solver) {
      FlowOptions options = options_of(solver, 100000);
      options.tolerance = 1e-12;
      std::stop_source source;
      double last = 0;
      const Control control{.stop = source.get_token(), .progress = [&](double fraction) {
                              last = fraction;
                              if (fraction > 0) source.request_stop();
                            }};
      EXPECT_THROW(flow(image, options, {}, control), Cancelled) << device.name();
      EXPECT_LT(last, 0.9) << device.name();
      EXPECT_THROW(flow(image, options, {}, {.stop = source.get_token()}), Cancelled);
    }
    std::stop_source source;
    FlowInputs inputs;
    inputs.on_cycle = [&](const FlowCycle&) { source.request_stop(); };
    EXPECT_THROW(flow(image, {.tolerance = 1e-12}, inputs, {.stop = source.get_token()}),
                 Cancelled);
  }
}

TEST(FlowRun, ProgressRisesToTheEnd) {
  const Image image = image_of(sharp_phantom({120, 90, 1}), PixelType::f32);
  for (const FlowSolver solver : every_solver) {
    std::vector<double> seen;
    flow(image, options_of(solver, 700), {},
         {.progress = [&](double fraction) { seen.push_back(fraction); }});
    ASSERT_GT(seen.size(), 2u);
    EXPECT_TRUE(std::ranges::is_sorted(seen));
    EXPECT_EQ(seen.back(), 1);
  }
}

template <class Error, class Work>
std::string refusal(Work&& work) {
  try {
    work();
  } catch (const Error& failure) {
    return failure.what();
  }
  return "nothing";
}

std::string refused(const Image& image, const FlowOptions& options, const FlowInputs& inputs = {}) {
  return refusal<InvalidArgument>([&] { flow(image, options, inputs); });
}

TEST(FlowRun, RefusesWhatMakesNoSense) {
  const Image image = image_of(sharp_phantom({20, 15, 1}), PixelType::f32);
  EXPECT_EQ(refused(image, {}), "nothing");
  EXPECT_NE(refused(image, {.mu = 0}).find("mu is 0"), std::string::npos);
  EXPECT_NE(refused(image, {.mu = std::nan("")}).find("mu is nan"), std::string::npos);
  EXPECT_NE(refused(image, {.tolerance = 0}).find("tolerance is 0"), std::string::npos);
  EXPECT_NE(refused(image, {.max_cycles = 0}).find("max-cycles is 0"), std::string::npos);
  EXPECT_NE(refused(image, explicit_steps_of(0.1, -1)).find("iterations is -1"), std::string::npos);
  EXPECT_NE(refused(image, {.generalised = 0}).find("generalised is 0"), std::string::npos);
  EXPECT_NE(refused(image_of(sharp_phantom({8, 8, 1}), PixelType::f32, 2), {}), "nothing");
  for (const double bad : {std::nan(""), static_cast<double>(INFINITY)}) {
    Grid broken = sharp_phantom({20, 15, 1});
    broken.values[77] = bad;
    EXPECT_NE(refused(image_of(broken, PixelType::f32), {}), "nothing");
    const Vectors field(2, broken);
    const Field v0 = field_of(Device::open("cpu"), field, PixelType::f32);
    EXPECT_NE(refusal<InvalidArgument>([&] { flow(v0, FlowOptions{}); }), "nothing");
  }
}

TEST(FlowRun, RefusesInputsThatDoNotFit) {
  const Device cpu = Device::open("cpu"), other = Device::open("reference");
  const Grid grid = sharp_phantom({20, 15, 1});
  const Image image = image_of(grid, PixelType::f32);
  const Image elsewhere = other.upload(image);
  const Grid narrow = sharp_phantom({19, 15, 1});
  EXPECT_NE(refused(image, {}, {.mask = elsewhere}), "nothing");
  EXPECT_NE(refused(image, {}, {.mask = image_of(narrow, PixelType::u8)}), "nothing");
  EXPECT_NE(refused(image, {}, {.mask = image_of(grid, PixelType::u8, 2)}), "nothing");
  const Vectors start(2, grid), short_start(2, narrow);
  EXPECT_EQ(refused(image, {}, {.start = field_of(cpu, start, PixelType::f32)}), "nothing");
  EXPECT_NE(refused(image, {}, {.start = field_of(other, start, PixelType::f32)}), "nothing");
  EXPECT_NE(refused(image, {}, {.start = field_of(cpu, short_start, PixelType::f32)}), "nothing");
}

/// Everything together: the field given, what it is made of, and what is beside it.
void expect_estimate(const Device& device, const Description& description,
                     const FlowOptions& options, bool has_mask, bool has_start) {
  const MemoryWatch watch(device);
  {
    const Grid grid = sharp_phantom(description.shape);
    const Image image = device.upload(image_of(grid, description.type));
    FlowInputs inputs;
    const bool exact = options.precision == Precision::float64;
    const PixelType type = exact ? PixelType::f64 : PixelType::f32;
    if (has_mask) inputs.mask = device.upload(image_of(grid, type));
    const Vectors zero(static_cast<std::size_t>(description.shape.rank()), Grid(description.shape));
    if (has_start) inputs.start = field_of(device, zero, type);
    const FlowResult result = flow(image, options, inputs);
    device.synchronize();
  }
  const double held = watch.held();
  const auto estimate =
      static_cast<double>(estimate_bytes(description, options, device, {has_mask, has_start}));
  const std::string at = words(device, description.shape, options) + " storage " +
                         OptionText<FlowStorage>::format(options.storage) +
                         (has_mask ? " mask" : "") + (has_start ? " start" : "");
  EXPECT_LE(held, estimate) << at;
  EXPECT_LE(estimate, 1.05 * held) << at;
}

/// With two threads, for each may hold lines, and the estimate counts them all.
TEST(FlowRun, HoldsWhatItEstimates) {
  set_threads(2);
  for (const Device& device : all_devices()) {
    const bool slow = device.name() != "cpu";
    const Description image{.shape = slow ? Shape{120, 90, 1} : Shape{700, 500, 1},
                            .type = PixelType::u8};
    const Description volume{.shape = slow ? Shape{24, 23, 20} : Shape{60, 54, 50},
                             .type = PixelType::f32};
    for (const Description& description : {image, volume}) {
      for (const FlowSolver solver : every_solver) {
        FlowOptions options = options_of(solver, 3);
        options.max_cycles = 1;
        expect_estimate(device, description, options, false, false);
        expect_estimate(device, description, options, false, true);
      }
      expect_estimate(device, description, {.max_cycles = 1}, true, false);
      for (const FlowStorage storage : {FlowStorage::f16, FlowStorage::snorm16}) {
        const FlowOptions options{
            .mu = 0.05, .solver = FlowSolver::explicit_steps, .iterations = 3, .storage = storage};
        expect_estimate(device, description, options, false, false);
      }
      expect_estimate(device, description, {.max_cycles = 1, .generalised = 0.2}, false, false);
      expect_estimate(device, description, {.max_cycles = 1, .sigma = Scale(1.5)}, false, false);
      if (device.info().has_float64) {
        expect_estimate(device, description, {.max_cycles = 1, .precision = Precision::float64},
                        false, true);
      }
    }
  }
  set_threads(0);
}

/// 16-bit storage is there to hold less.
TEST(FlowRun, SmallerStorageHoldsLess) {
  const Device device = Device::open("cpu");
  const Description volume{.shape = {200, 200, 200}, .type = PixelType::u16};
  const auto estimate = [&](FlowStorage storage) {
    return estimate_bytes(volume, {.solver = FlowSolver::explicit_steps, .storage = storage},
                          device);
  };
  EXPECT_LT(estimate(FlowStorage::f16), estimate(FlowStorage::f32));
  EXPECT_EQ(estimate(FlowStorage::f16), estimate(FlowStorage::snorm16));
}

TEST(FlowRun, DoesNotWriteToItsInputs) {
  for (const Device& device : all_devices()) {
    const Vectors v0 = plain_gradient(sharp_phantom({40, 30, 1}), FlowBorder::mirror);
    const Field field = field_of(device, v0, PixelType::f32);
    const Vectors before = vectors_of(Field(field.components().clone()));
    for (const FlowSolver solver : every_solver) {
      flow(field, options_of(solver, 5), {.start = field});
      EXPECT_EQ(largest_difference(vectors_of(field), before), 0) << device.name();
    }
  }
}

}  // namespace
}  // namespace meander
