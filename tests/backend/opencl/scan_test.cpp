// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "backend/opencl/opencl_test.hpp"

namespace meander::opencl {
namespace {

using engine::Axis;
using engine::Recurrence;
using engine::View;

class WithoutFloat64 : public OpenClTest {
 protected:
  void SetUp() override {
    OpenClTest::SetUp();
    if (IsSkipped()) return;
    device = open(find_devices().devices[0]);
    ASSERT_FALSE(device->info().has_float64);
  }
  View image(PixelType type, std::int64_t length) {
    return on_device(*device, placed(type, {length, 2, 1}, 1, {}));
  }
  const Setting off{"MEANDER_OPENCL_FP64", "off"};
};

TEST_F(WithoutFloat64, LinesOfF64AreRefused) {
  const View narrow = image(PixelType::f32, 4), wide = image(PixelType::f64, 4);
  const Recurrence recurrence{.form = Recurrence::Form::cascade, .states = 4};
  EXPECT_THROW(device->scan(narrow, wide, Axis::x, recurrence), Unsupported);
  EXPECT_THROW(device->scan_state(image(PixelType::f32, 1), wide, Axis::x, engine::StateMap::start,
                                  recurrence),
               Unsupported);
  EXPECT_THROW(device->fir(narrow, wide, Axis::x, std::vector<double>{1}, {}), Unsupported);
  EXPECT_THROW(device->pointwise(engine::Pointwise::sum, wide, wide, {}, wide), Unsupported);
  EXPECT_THROW(device->prefix(narrow, wide, Axis::x, engine::Prefix::inclusive), Unsupported);
}

/// Sums of integers lie in the words of an f64 image, but are none.
TEST_F(WithoutFloat64, IntegersAreStillSummed) {
  const View pixels = on_host(placed(PixelType::u16, {3, 1, 1}, 1, {}));
  const std::uint16_t values[] = {65535, 2, 7};
  std::memcpy(pixels.memory->host, values, sizeof values);
  const View sums = on_device(*device, placed(PixelType::f64, {3, 1, 1}, 1, {}));
  device->prefix(uploaded(*device, pixels), sums, Axis::x, engine::Prefix::inclusive);
  std::uint64_t found[3];
  std::memcpy(found, bytes_on(*device, sums).data(), sizeof found);
  EXPECT_EQ(found[0], 65535u);
  EXPECT_EQ(found[1], 65537u);
  EXPECT_EQ(found[2], 65544u);
}

TEST_F(WithoutFloat64, F32IsScanned) {
  const View pixels = on_host(placed(PixelType::u8, {3, 1, 1}, 1, {}));
  const std::uint8_t values[] = {1, 2, 3};
  std::memcpy(pixels.memory->host, values, sizeof values);
  Recurrence running{.form = Recurrence::Form::sum, .states = 2};  // feed 0: s ← s + x
  running.forward = {1, 0};
  const View out = on_device(*device, placed(PixelType::f32, {3, 1, 1}, 1, {}));
  device->scan(uploaded(*device, pixels), out, Axis::x, running);
  float found[3];
  std::memcpy(found, bytes_on(*device, out).data(), sizeof found);
  EXPECT_EQ(found[0], 1);
  EXPECT_EQ(found[1], 3);
  EXPECT_EQ(found[2], 6);
}

}  // namespace
}  // namespace meander::opencl
