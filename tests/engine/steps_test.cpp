// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Steps that GPUs take several at a time, in tiles that overlap, against the same steps one at a
// time: to the bit. That one step is right is for the conformance suite to say. Where there is no
// GPU, OpenCL's device for processors plays one.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

#include "backend/steps/steps.hpp"
#include "conformance/stencil_samples.hpp"
#include "core/image_state.hpp"
#include "device_testing.hpp"
#include "engine/backend.hpp"
#include "engine/view_lines.hpp"

namespace meander {
namespace {

using conformance::Framed;
using engine::Iteration;
using engine::Rule;
using engine::View;

[[maybe_unused]] const int plays_gpu = setenv("MEANDER_OPENCL_CPU", "gpu", 1);

/// The backends whose `iterate` has a plain way as well.
std::vector<Device> fusing_devices() {
  std::vector<Device> found;
  for (const Device& device : testing::all_devices()) {
    if (device.backend().take_plain_steps(nullptr)) found.push_back(device);
  }
  return found;
}

bool is_cuda(const Device& device) { return device.name().starts_with("cuda"); }

/// Numbers of a view, NaN for NaN whatever its bits are.
std::vector<std::byte> bytes_of(const Image& image) {
  std::vector<std::byte> all;
  const View& view = image.state().view;
  for (std::int64_t row = 0; row < view.rows(); ++row) {
    const auto* first = reinterpret_cast<const std::byte*>(view.host_row(row));
    all.insert(all.end(), first,
               first + view.shape.x * static_cast<std::int64_t>(size_of(view.type)));
  }
  if (view.type == PixelType::f32) {
    for (std::size_t i = 0; i < all.size(); i += sizeof(float)) {
      float number = 0;
      std::memcpy(&number, &all[i], sizeof(float));
      if (number != number) std::memset(&all[i], 0xff, sizeof(float));
    }
  }
  return all;
}

struct Case {
  Case(const conformance::Turn& turn, const Shape& shape, PixelType type, std::int64_t steps,
       std::int64_t sets, int kind)
      : work(conformance::sample_iteration(turn, type, steps, sets)),
        state(conformance::sample_state(turn.rule, shape, type, kind)),
        scratch(conformance::sample_state(turn.rule, shape, type, kind == 0 ? 0 : 2)),
        fields(conformance::sample_fields(turn.rule, shape, type, kind == 0 ? 0 : 3)) {
    scratch.fill_with_nan();
  }
  Iteration work;
  Framed state, scratch, fields;
};

/// What lies in the image of the last state, its frame included.
std::vector<std::byte> outcome(const Device& device, const Case& given,
                               const engine::PlainSteps* how) {
  engine::Backend& backend = device.backend();
  const Image images[] = {device.upload(given.state.image).clone(),
                          device.upload(given.scratch.image).clone()};
  const Image coefficients = device.upload(given.fields.image);
  backend.take_plain_steps(how);
  backend.iterate(given.work, given.state.inside(images[0]), given.scratch.inside(images[1]),
                  conformance::fields_inside(given.work.rule, given.fields, coefficients));
  backend.take_plain_steps(nullptr);
  return bytes_of(images[given.work.steps % 2].download());
}

std::vector<std::byte> outcome(const Device& device, const Case& given, bool is_plain) {
  const engine::PlainSteps as_is_fastest;
  return outcome(device, given, is_plain ? &as_is_fastest : nullptr);
}

/// `is_fused`: nothing would be proved by comparing the plain way with itself.
void expect_same(const Device& device, const Case& given, const std::string& what,
                 bool is_fused = true) {
  const auto expected = outcome(device, given, true), found = outcome(device, given, false);
  EXPECT_EQ(device.backend().iteration_notes().starts_with("up to"), is_fused)
      << device.name() << ", " << what;
  ASSERT_EQ(expected.size(), found.size());
  const auto place = std::mismatch(expected.begin(), expected.end(), found.begin()).first;
  EXPECT_TRUE(place == expected.end())
      << device.name() << ", " << what << ", differs at byte " << place - expected.begin();
}

std::string words(const conformance::Turn& turn, const Shape& shape, std::int64_t steps,
                  std::int64_t sets, PixelType type, int kind) {
  return std::string(engine::facts_of(turn.rule).name) + " " + to_string(shape) + " " +
         std::string(name_of(type)) + ", border " +
         std::to_string(static_cast<int>(turn.neighbours.border.kind)) + ", weights " +
         std::to_string(turn.neighbours.axis[0]) + " " + std::to_string(turn.neighbours.axis[2]) +
         " " + std::to_string(turn.neighbours.corner) + ", " + std::to_string(steps) + " steps, " +
         std::to_string(sets) + " sets, frame " + std::to_string(kind);
}

// Of tiles of 64 and of 128 columns, their overlap of 8 left out, and one cell more or less;
// smaller than the overlap; enough tiles to fill a card.
constexpr Shape shapes[] = {{1, 1, 1},    {3, 2, 1},   {2, 70, 1},   {70, 2, 1},    {47, 49, 1},
                            {113, 97, 1}, {48, 48, 2}, {9, 7, 3},    {4, 4, 4},     {36, 20, 11},
                            {1, 2, 17},   {61, 33, 6}, {130, 70, 5}, {1003, 701, 1}};
constexpr std::int64_t step_counts[] = {1, 2, 3, 7, 8, 9, 17, 33};
constexpr Rule rules[] = {Rule::fitzhugh_nagumo,   Rule::fitzhugh_nagumo_still,
                          Rule::vector_flow_plane, Rule::vector_flow_volume,
                          Rule::probe_one,         Rule::probe_four};
constexpr PixelType types[] = {PixelType::f32, PixelType::f16, PixelType::i16};

/// Whether passes of a rule on a grid of these neighbours are fused at all.
bool is_fused(const conformance::Turn& turn, PixelType type) {
  return steps::is_fused(static_cast<steps::RuleIndex>(turn.rule), type == PixelType::f32,
                         turn.neighbours.axis[2] != 0);
}

TEST(FusedSteps, HaveTheBitsOfOneAtATime) {
  const std::vector<Device> devices = fusing_devices();
  if (devices.empty()) GTEST_SKIP() << "no OpenCL or CUDA device";
  std::mt19937 random(7);  // the same numbers everywhere
  const auto any = [&](std::size_t count) { return random() % count; };
  for (const Device& device : devices) {
    if (!is_cuda(device)) continue;
    for (int index = 0; index < 4000; ++index) {
      const PixelType type = types[any(std::size(types))];
      conformance::Turn turn(rules[any(std::size(rules))], any(455), type);
      if (any(4) == 0) turn.neighbours.axis = {1, 1, turn.neighbours.axis[2] != 0 ? 1.0 : 0.0};
      if (any(4) == 0) turn.neighbours.corner = 0;
      const Shape& shape = shapes[any(std::size(shapes))];
      const std::int64_t steps = step_counts[any(std::size(step_counts))];
      const std::int64_t sets = any(3) == 0 ? steps : 1;
      const int kind = static_cast<int>(any(2));
      expect_same(device, Case(turn, shape, type, steps, sets, kind),
                  words(turn, shape, steps, sets, type, kind), is_fused(turn, type));
      if (HasFailure()) return;
    }
  }
}

// OpenCL compiles a program for every rule and kind of grid, so these are fewer: every border in a
// plane and in a volume, weights and corners, states and gaps among those that are looked at,
// parameters of their own for each step.
TEST(FusedSteps, OfOpenClHaveThem) {
  for (const Device& device : fusing_devices()) {
    if (is_cuda(device)) continue;
    for (std::size_t index = 0; index < 40; ++index) {
      const Rule rule = index < 30 ? Rule::probe_one : Rule::probe_four;
      conformance::Turn turn(rule, index, PixelType::f32);
      const bool is_volume = index % 2 == 1;
      if (is_volume) turn.neighbours.corner = 0;
      turn.neighbours.axis[2] = is_volume ? 0.1 : 0;
      const Shape& shape = shapes[(is_volume ? 7 : 0) + index / 2 % (is_volume ? 6 : 7)];
      const std::int64_t steps = step_counts[2 + index / 3 % 6];
      expect_same(device, Case(turn, shape, PixelType::f32, steps, index % 3 == 0 ? steps : 1, 1),
                  words(turn, shape, steps, 1, PixelType::f32, 1));
    }
  }
}

// The last passes take fewer steps, so their tiles overlap less, and fewer of them are needed: no
// more than a device has processors.
TEST(FusedSteps, OfSizesWhoseLastPassesHaveFewerTiles) {
  for (const Device& device : fusing_devices()) {
    if (!is_cuda(device)) continue;
    for (const auto& [shape, steps] :
         {std::pair{Shape{540, 540, 1}, 200}, std::pair{Shape{1000, 700, 1}, 200},
          std::pair{Shape{1024, 640, 1}, 200}, std::pair{Shape{384, 384, 384}, 10}}) {
      const Rule rule = shape.z > 1 ? Rule::vector_flow_volume : Rule::fitzhugh_nagumo;
      conformance::Turn turn(rule, 0, PixelType::f32);
      turn.neighbours = {.axis = {1, 1, shape.z > 1 ? 1.0 : 0.0}};
      expect_same(device, Case(turn, shape, PixelType::f32, steps, 1, 0), to_string(shape));
    }
  }
}

// Bad input is that of one step at a time: what leaves the range of a float does so alike.
TEST(FusedSteps, RunAwayStopAndDoNothingAlike) {
  for (const Device& device : fusing_devices()) {
    conformance::Turn turn(Rule::probe_one, 0, PixelType::f32);
    turn.neighbours = {.axis = {1, 1, 0}};
    Case given(turn, {100, 70, 1}, PixelType::f32, 40, 1, 0);
    for (double& parameter : given.work.parameters) parameter *= 1e3;
    expect_same(device, given, "runs away");
    EXPECT_NE(outcome(device, given, false), bytes_of(given.state.image));

    given.work.steps = 0;
    EXPECT_EQ(outcome(device, given, false), bytes_of(given.state.image));

    std::stop_source stopped;
    stopped.request_stop();
    given.work.steps = 40;
    given.work.stop = stopped.get_token();
    EXPECT_EQ(outcome(device, given, false), bytes_of(given.state.image));
  }
}

TEST(FusedSteps, OneLeavesTheStateAsItWas) {
  for (const Device& device : fusing_devices()) {
    conformance::Turn turn(Rule::probe_one, 0, PixelType::f32);
    turn.neighbours = {.axis = {1, 1, 0}};
    const Case given(turn, {100, 70, 1}, PixelType::f32, 1, 1, 0);
    const Image state = device.upload(given.state.image).clone();
    const Image scratch = device.upload(given.scratch.image).clone();
    const Image fields = device.upload(given.fields.image);
    device.backend().iterate(given.work, given.state.inside(state), given.scratch.inside(scratch),
                             conformance::fields_inside(turn.rule, given.fields, fields));
    EXPECT_EQ(bytes_of(state.download()), bytes_of(given.state.image)) << device.name();
    EXPECT_NE(bytes_of(scratch.download()), bytes_of(given.scratch.image)) << device.name();
  }
}

// What most people compute: with every neighbour counted once, in both shapes of tiles.
TEST(FusedSteps, OfTheNetworkAndTheFlowHaveThem) {
  for (const Device& device : fusing_devices()) {
    for (const auto& [rule, shape] : {std::pair{Rule::fitzhugh_nagumo, Shape{1003, 701, 1}},
                                      std::pair{Rule::fitzhugh_nagumo, Shape{150, 70, 1}},
                                      std::pair{Rule::vector_flow_plane, Shape{1030, 510, 1}},
                                      std::pair{Rule::vector_flow_volume, Shape{52, 23, 14}}}) {
      conformance::Turn turn(rule, 0, PixelType::f32);
      turn.neighbours = {.axis = {1, 1, shape.z > 1 ? 1.0 : 0.0},
                         .border = {.kind = Border::mirror}};
      expect_same(device, Case(turn, shape, PixelType::f32, 20, 1, 0),
                  words(turn, shape, 20, 1, PixelType::f32, 0));
    }
  }
}

TEST(FusedSteps, OfStatesOf16BitsHaveThem) {
  for (const Device& device : fusing_devices()) {
    for (const auto& [type, shape] : {std::pair{PixelType::f16, Shape{21, 13, 7}},
                                      std::pair{PixelType::i16, Shape{70, 60, 1}}}) {
      conformance::Turn turn(shape.z > 1 ? Rule::vector_flow_volume : Rule::vector_flow_plane, 3,
                             type);
      turn.neighbours = {.axis = {1, 1, shape.z > 1 ? 1.0 : 0.0}};
      expect_same(device, Case(turn, shape, type, 11, 1, 1), words(turn, shape, 11, 1, type, 1));
    }
  }
}

// It crosses the edges of tiles as fast as any number does, and no faster.
TEST(FusedSteps, CarryNanAsFarAsItGoes) {
  for (const Device& device : fusing_devices()) {
    for (const Shape& shape : {Shape{150, 120, 1}, Shape{40, 30, 12}}) {
      conformance::Turn turn(Rule::probe_one, 0, PixelType::f32);
      turn.neighbours = {.axis = {1, 1, shape.z > 1 ? 1.0 : 0.0}};
      Case given(turn, shape, PixelType::f32, 9, 1, 0);
      const View inside = given.state.inside(given.state.image);
      reinterpret_cast<float*>(inside.host_row(shape.y / 2 + shape.z / 2 * shape.y))[47 % shape.x] =
          std::numeric_limits<float>::quiet_NaN();
      expect_same(device, given, "NaN in " + to_string(shape));
    }
  }
}

// Groups reach beyond the grid, or are too few for it and go on; a group of one has all cells.
TEST(PlainSteps, InGroupsOfAnyShapeHaveTheSameBits) {
  for (const Device& device : fusing_devices()) {
    for (const Shape& shape : {Shape{37, 21, 1}, Shape{9, 7, 5}}) {
      conformance::Turn turn(Rule::probe_one, 5, PixelType::f32);
      turn.neighbours.axis[2] = shape.z > 1 ? 0.2 : 0;
      turn.neighbours.corner = shape.z > 1 ? 0 : 0.3;
      const Case given(turn, shape, PixelType::f32, 3, 3, 1);
      const auto expected = outcome(device, given, true);
      for (const engine::PlainSteps& how : {engine::PlainSteps{1, 1},
                                            {32, 1},
                                            {1, 32},
                                            {16, 16},
                                            {5, 3},
                                            {1, 1, true},
                                            {8, 4, true}}) {
        const DeviceCounters before = device.counters();
        EXPECT_EQ(outcome(device, given, &how), expected)
            << device.name() << ", " << how.width << "x" << how.height;
        EXPECT_EQ((device.counters() - before).launches, given.work.steps + 2) << device.name();
      }
    }
  }
}

TEST(FusedSteps, SayHowManyInAPassAndCountTheirLaunches) {
  for (const Device& device : fusing_devices()) {
    conformance::Turn turn(Rule::probe_one, 0, PixelType::f32);
    turn.neighbours = {.axis = {1, 1, 0}};
    const Case given(turn, {100, 100, 1}, PixelType::f32, 200, 1, 0);
    const auto launches = [&](bool is_plain) {
      const DeviceCounters before = device.counters();
      outcome(device, given, is_plain);
      return (device.counters() - before).launches;
    };
    const std::int64_t fused = launches(false);
    EXPECT_EQ(device.backend().iteration_notes(), "up to 8 steps a launch, on tiles that overlap");
    // 25 passes of 8 would end in the wrong image.
    EXPECT_EQ(launches(true) - fused, 200 - 26);
    outcome(device, given, true);
    EXPECT_NE(device.backend().iteration_notes().find("one launch a step"), std::string::npos);
  }
}

}  // namespace
}  // namespace meander
