// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// What of relax, apply and transfer is OpenCL's own: more rows than a launch takes, types a device
// does not have, stops. That the numbers are right is for the conformance suite to say.
#include "backend/opencl/opencl_test.hpp"

namespace meander::opencl {
namespace {

using engine::Iteration;
using engine::Prolongation;
using engine::Rule;
using engine::View;

/// A relaxation that makes a cell the mean of its four neighbours and its source.
Iteration relaxing(std::int64_t sweeps) {
  return {.rule = Rule::held_relaxed, .neighbours = {}, .parameters = {4}, .steps = sweeps};
}

std::vector<float> numbers_on(engine::Backend& device, const View& view) {
  const std::vector<std::byte> bytes = bytes_on(device, view);
  std::vector<float> numbers(bytes.size() / sizeof(float));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

View packed_image(engine::Backend& device, const Shape& shape, int channels, float number) {
  const View host = on_host(placed(PixelType::f32, shape, channels, {}));
  std::fill_n(reinterpret_cast<float*>(host.memory->host), block_bytes(host) / sizeof(float),
              number);
  return uploaded(device, host);
}

class OpenClRelax : public OpenClTest {};

constexpr Shape column{1, 100001, 1};

TEST_F(OpenClRelax, TakesMoreRowsThanADriverTakesGroups) {
  const View state = packed_image(*device, column, 1, 7);
  device->relax(relaxing(1), state, packed_image(*device, column, 2, 4), true);
  std::vector<float> expected(column.y);
  // From 0 a red cell is 4 / (4 + 4); a black one has two of these beside it, the last one is red.
  for (std::size_t y = 0; y < expected.size(); ++y) expected[y] = y % 2 == 0 ? 0.5f : 0.625f;
  EXPECT_EQ(numbers_on(*device, state), expected);
}

TEST_F(OpenClRelax, AppliesToMoreRowsThanADriverTakesGroups) {
  const View out = packed_image(*device, {1, 50001, 1}, 1, 7);
  device->apply({.rule = Rule::unchanged, .neighbours = {}, .parameters = {}, .steps = 1},
                packed_image(*device, column, 1, 3), View{}, out);
  std::vector<float> expected(50001, 3);
  expected.back() = 1.5f;  // one cell of two is beyond the end
  EXPECT_EQ(numbers_on(*device, out), expected);
}

TEST_F(OpenClRelax, TransfersMoreRowsThanADriverTakesGroups) {
  const View fine = packed_image(*device, column, 1, 2);
  device->transfer(packed_image(*device, {1, 50001, 1}, 1, 3), fine, View{}, Prolongation::add);
  EXPECT_EQ(numbers_on(*device, fine), std::vector<float>(column.y, 5));
}

TEST_F(OpenClRelax, StopsBetweenHalfSweeps) {
  std::stop_source stopped;
  stopped.request_stop();
  Iteration work = relaxing(2);
  work.stop = stopped.get_token();
  const View state = packed_image(*device, {3, 1, 1}, 1, 7);
  device->relax(work, state, packed_image(*device, {3, 1, 1}, 2, 1), false);
  EXPECT_EQ(numbers_on(*device, state), (std::vector<float>{7, 7, 7}));
}

TEST_F(OpenClRelax, OfF64IsRefusedWithoutFloat64) {
  const Setting off{"MEANDER_OPENCL_FP64", "off"};
  device = open(find_devices().devices[0]);
  const View wide = on_device(*device, placed(PixelType::f64, {4, 2, 1}, 2, {}));
  EXPECT_THROW(device->relax(relaxing(1), wide, wide, true), Unsupported);
  EXPECT_THROW(device->apply(relaxing(1), wide, wide, wide), Unsupported);
  EXPECT_THROW(device->transfer(wide, wide, View{}, Prolongation::replace), Unsupported);
  const View state = packed_image(*device, {1, 1, 1}, 1, 7);
  device->relax(relaxing(1), state, packed_image(*device, {1, 1, 1}, 2, 4), true);
  EXPECT_EQ(numbers_on(*device, state), std::vector<float>{0.5f});
}

}  // namespace
}  // namespace meander::opencl
