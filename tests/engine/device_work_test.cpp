// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// What work costs a device besides its kernels: waits, transfers, allocations. And reductions to
// the bit, on every device that has float64.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "conformance/samples.hpp"
#include "core/image_state.hpp"
#include "device_testing.hpp"
#include "engine/backend.hpp"
#include "meander/flow.hpp"
#include "meander/react.hpp"

namespace meander {
namespace {

using engine::Sums;
using engine::Wanted;

/// Devices that do not compute in host memory.
std::vector<Device> other_devices() {
  std::vector<Device> devices;
  for (const Device& device : testing::all_devices()) {
    if (!device.backend().uses_host_memory()) devices.push_back(device);
  }
  return devices;
}

template <class Work>
DeviceCounters cost_of(const Device& device, Work&& work) {
  device.synchronize();
  const DeviceCounters before = device.counters();
  work();
  return device.counters() - before;
}

class OnOtherDevices : public ::testing::Test {
 protected:
  void SetUp() override {
    if (other_devices().empty()) GTEST_SKIP() << "no device but the processor";
  }
  const Image host = conformance::sample_image({.shape = {200, 150, 1}}, false);
};

TEST_F(OnOtherDevices, StepsOfANetworkAreWaitedForOnce) {
  for (const Device& device : other_devices()) {
    ReactOptions options;
    options.steps = 200;
    Reactor reactor(device, host.description(), options);
    const Image image = device.upload(host);
    reactor.run(image);
    const DeviceCounters cost = cost_of(device, [&] { reactor.run(image); });
    // The pixels' range before the steps, the states' after them.
    EXPECT_EQ(cost.waits, 2) << device.name();
    EXPECT_EQ(cost.allocations, 0) << device.name();
    // GPUs take up to eight steps in a launch.
    const int launches = device.info().is_gpu ? 26 : 200;
    EXPECT_GE(cost.launches, launches) << device.name();
    EXPECT_LE(cost.launches, launches + 20) << device.name();
  }
}

TEST_F(OnOtherDevices, ACycleOfMultigridIsWaitedForOnce) {
  for (const Device& device : other_devices()) {
    const Image image = device.upload(host);
    const auto waits = [&](int cycles) {
      FlowOptions options;
      options.tolerance = 1e-12;
      options.max_cycles = cycles;
      return cost_of(device, [&] { flow(image, options); });
    };
    waits(4);
    EXPECT_EQ(waits(4).waits - waits(3).waits, 1) << device.name();
    EXPECT_EQ(waits(4).allocations, 0) << device.name();
  }
}

TEST_F(OnOtherDevices, LargeImagesTravelWhole) {
  // More than the ring of buffers, rows that fit none of them, and two channels.
  const Image large = conformance::sample_image(
      {.shape = {1021, 7003, 1}, .channels = 2, .type = PixelType::f32}, false);
  for (const Device& device : other_devices()) {
    Image there;
    for (int i = 0; i < 2; ++i) {
      const DeviceCounters up = cost_of(device, [&] { there = device.upload(large); });
      EXPECT_EQ(up.transferred_bytes, large.description().bytes()) << device.name();
      EXPECT_EQ(conformance::largest_difference(large, there.download()), 0) << device.name();
    }
  }
}

/// A table is on its way when the call returns, and the host may change its copy.
TEST_F(OnOtherDevices, SmallImagesAreNotWaitedFor) {
  const Image small = conformance::sample_image({.shape = {31, 7, 1}}, false);
  for (const Device& device : other_devices()) {
    Image copy = device.upload(small).download();
    Image there;
    const DeviceCounters cost = cost_of(device, [&] {
      there = device.upload(copy);
      std::memset(copy.mutable_row<float>(0), 0, 31 * sizeof(float));
    });
    EXPECT_EQ(cost.waits, 0) << device.name();
    EXPECT_EQ(cost.transfers, 1) << device.name();
    EXPECT_EQ(conformance::largest_difference(small, there.download()), 0) << device.name();
  }
}

void expect_same(double found, double expected, const std::string& at) {
  EXPECT_EQ(std::bit_cast<std::uint64_t>(found), std::bit_cast<std::uint64_t>(expected)) << at;
}

/// Magnitudes so different that another order of additions gives another sum.
Image wild_image(const Shape& shape, PixelType type) {
  Image image = conformance::sample_image({.shape = shape, .type = type}, true);
  if (type != PixelType::f32) return image;
  std::uint64_t state = 88172645463325252u;
  for (std::int64_t y = 0; y < shape.y; ++y) {
    float* row = image.mutable_row<float>(y);
    for (std::int64_t x = 0; x < shape.x; ++x) {
      state ^= state << 13, state ^= state >> 7, state ^= state << 17;
      const double unit = static_cast<double>(state >> 11) * 0x1p-52 - 1;
      row[x] = state % 97 == 0
                   ? NAN
                   : static_cast<float>(std::ldexp(unit, static_cast<int>(state / 128 % 60) - 13));
    }
  }
  return image;
}

/// From one number to three chunks and one more, in one row, in few and in many; and more chunks
/// than one group adds up.
TEST_F(OnOtherDevices, ReductionsHaveTheBitsOfCpu) {
  const Device cpu = Device::open("cpu");
  for (const Device& device : other_devices()) {
    if (!device.info().has_float64) continue;
    for (const std::int64_t width :
         {1, 2, 7, 8, 9, 63, 64, 65, 512, 2047, 2048, 2049, 4095, 4096, 4097, 8193, 12289}) {
      for (const std::int64_t height : {1, 2, 3, 9, 300}) {
        const Image image = wild_image({width, height, 1}, PixelType::f32);
        const Image there = device.upload(image);
        for (const double shift : {0.0, 3.7}) {
          for (const Wanted what : {Wanted::all, Wanted::squares, Wanted::range}) {
            const Sums expected = cpu.backend().reduced(image.state().view, Wanted::all, shift);
            const Sums found = device.backend().reduced(there.state().view, what, shift);
            const std::string at = device.name() + ", " + to_string(image.shape());
            EXPECT_EQ(found.finite, expected.finite) << at;
            EXPECT_EQ(found.nonfinite, expected.nonfinite) << at;
            if (what != Wanted::squares) {
              expect_same(found.min, expected.min, at + " min");
              expect_same(found.max, expected.max, at + " max");
            }
            if (what != Wanted::range)
              expect_same(found.sum_of_squares, expected.sum_of_squares, at + " squares");
            if (what == Wanted::all) {
              expect_same(found.sum, expected.sum, at + " sum");
              expect_same(found.sum_of_magnitudes, expected.sum_of_magnitudes, at + " magnitudes");
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace meander
