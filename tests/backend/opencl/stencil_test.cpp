// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/opencl/opencl_test.hpp"

namespace meander::opencl {
namespace {

using engine::Iteration;
using engine::Rule;
using engine::View;

/// With these, probe_one gives around - state + 2·field.
Iteration probing(std::int64_t steps) {
  return {.rule = Rule::probe_one, .neighbours = {}, .parameters = {1, -1, 2}, .steps = steps};
}

template <class Real>
std::vector<Real> numbers_on(engine::Backend& device, const View& view) {
  const std::vector<std::byte> bytes = bytes_on(device, view);
  std::vector<Real> numbers(bytes.size() / sizeof(Real));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

View packed_image(engine::Backend& device, const Shape& shape, const std::vector<float>& numbers) {
  const View host = on_host(placed(PixelType::f32, shape, 1, {}));
  std::memcpy(host.memory->host, numbers.data(), numbers.size() * sizeof(float));
  return uploaded(device, host);
}

class OpenClStencil : public OpenClTest {};

/// The cache is empty, so every rule goes through the compiler.
TEST_F(OpenClStencil, CompilesEveryRuleInBothTypes) {
  for (int rule = 0; rule < engine::rule_count; ++rule) {
    const engine::RuleFacts& chosen = engine::rule_table[rule];
    for (const PixelType type : {PixelType::f32, PixelType::f64}) {
      if (type == PixelType::f64 && !device->info().has_float64) continue;
      const auto image = [&](int channels) {
        return on_device(*device, placed(type, {3, 2, 1}, channels, {}));
      };
      const Iteration work{.rule = static_cast<Rule>(rule),
                           .neighbours = {},
                           .parameters = std::vector<double>(chosen.parameters, 0),
                           .steps = 1};
      const View state = image(chosen.states);
      const View host = on_host(placed(type, {3, 2, 1}, chosen.states, {}));
      std::memset(host.memory->host, 0xff, block_bytes(host));
      const View scratch = uploaded(*device, host);
      EXPECT_NO_THROW(
          device->iterate(work, state, scratch, chosen.fields > 0 ? image(chosen.fields) : View{}))
          << chosen.name << " in " << name_of(type);
      EXPECT_NE(bytes_on(*device, scratch), bytes_of(host)) << chosen.name;
    }
  }
}

TEST_F(OpenClStencil, ComputesWhatARuleSays) {
  const Shape shape{3, 1, 1};
  const View state = packed_image(*device, shape, {1, 2, 4});
  const View fields = packed_image(*device, shape, {10, 20, 30});
  const View scratch = packed_image(*device, shape, {0, 0, 0});
  device->iterate(probing(1), state, scratch, fields);
  // Clamped: above and below a cell is itself. The first is 1 + 2 + 1 + 1 - 1 + 20.
  EXPECT_EQ(numbers_on<float>(*device, scratch), (std::vector<float>{24, 47, 70}));
  EXPECT_EQ(numbers_on<float>(*device, state), (std::vector<float>{1, 2, 4}));
}

TEST_F(OpenClStencil, TakesMoreRowsThanADriverTakesGroups) {
  const Shape column{1, 100001, 1};
  const View ones = packed_image(*device, column, std::vector<float>(column.y, 1));
  const View scratch = packed_image(*device, column, std::vector<float>(column.y, 0));
  device->iterate(probing(1), ones, scratch, ones);
  EXPECT_EQ(numbers_on<float>(*device, scratch), std::vector<float>(column.y, 5));
}

TEST_F(OpenClStencil, StopsBetweenSteps) {
  std::stop_source stopped;
  stopped.request_stop();
  Iteration work = probing(2);
  work.stop = stopped.get_token();
  const View state = packed_image(*device, {3, 1, 1}, {1, 2, 4});
  const View scratch = packed_image(*device, {3, 1, 1}, {7, 8, 9});
  device->iterate(work, state, scratch, state);
  EXPECT_EQ(numbers_on<float>(*device, scratch), (std::vector<float>{7, 8, 9}));
}

TEST_F(OpenClStencil, SaysHowItWasDone) {
  EXPECT_EQ(device->iteration_notes(), "one work item a cell, one launch a step");
}

// What a GPU has decides how large its groups are; with next to nothing steps are taken one a
// launch.
TEST_F(OpenClStencil, SeveralStepsAPassFitIntoWhatADeviceHas) {
  struct Room {
    std::size_t local_bytes, largest_group;
    bool is_fused;
  };
  for (const Shape& shape : {Shape{70, 50, 1}, Shape{33, 20, 9}}) {
    Iteration work = probing(9);
    work.parameters = {0.1, 0.3, 0.2};
    work.neighbours.axis[2] = shape.z > 1 ? 1 : 0;
    const auto count = static_cast<std::size_t>(shape.x * shape.y * shape.z);
    std::vector<float> start(count);
    for (std::size_t i = 0; i < count; ++i) start[i] = static_cast<float>(i * 37 % 101) / 101;
    const auto outcome = [&](engine::Backend& on) {
      const View state = packed_image(on, shape, start), fields = packed_image(on, shape, start);
      const View scratch = packed_image(on, shape, std::vector<float>(count, -1));
      on.iterate(work, state, scratch, fields);
      return numbers_on<float>(on, scratch);
    };
    const std::vector<float> expected = outcome(*device);
    for (const Room& room : {Room{47 << 10, 1024, true}, Room{12 << 10, 256, true},
                             Room{6 << 10, 128, true}, Room{400, 16, false}}) {
      Facts small = facts;
      small.info.is_gpu = true;
      small.local_bytes = room.local_bytes;
      small.largest_group = room.largest_group;
      const auto gpu = open(small);
      EXPECT_EQ(outcome(*gpu), expected) << to_string(shape) << ", " << room.local_bytes;
      EXPECT_EQ(gpu->iteration_notes().starts_with("up to"), room.is_fused) << room.local_bytes;
    }
  }
}

TEST_F(OpenClStencil, OfF64IsRefusedWithoutFloat64) {
  const Setting off{"MEANDER_OPENCL_FP64", "off"};
  device = open(find_devices().devices[0]);
  const View wide = on_device(*device, placed(PixelType::f64, {4, 2, 1}, 1, {}));
  EXPECT_THROW(device->iterate(probing(1), wide, wide, wide), Unsupported);
  const View ones = packed_image(*device, {1, 1, 1}, {1});
  const View scratch = packed_image(*device, {1, 1, 1}, {0});
  device->iterate(probing(1), ones, scratch, ones);
  EXPECT_EQ(numbers_on<float>(*device, scratch), std::vector<float>{5});
}

}  // namespace
}  // namespace meander::opencl
