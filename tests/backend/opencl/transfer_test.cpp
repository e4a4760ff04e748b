// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <bit>

#include "backend/opencl/opencl_test.hpp"

namespace meander::opencl {
namespace {

struct Case {
  Shape shape;
  int channels;
  Gaps host, device;
};

/// Among them: nothing to merge, everything to merge, slices that are no whole number of rows apart
/// on one side, and extents of 1 whose pitch says nothing.
const Case cases[] = {
    {{1, 1, 1}, 1, {}, {.start = 3}},
    {{597, 43, 1}, 1, {}, {.row = 11}},
    {{597, 43, 1}, 3, {.start = 5, .row = 3, .channel = 7}, {.row = 11}},
    {{64, 8, 5}, 2, {}, {}},
    {{64, 8, 5}, 2, {}, {.start = 64, .slice = 64, .channel = 128}},
    {{31, 7, 5}, 2, {.start = 1, .row = 2, .slice = 5, .channel = 3}, {.row = 1}},
    {{31, 7, 5}, 2, {.row = 1}, {.start = 2, .row = 4, .slice = 9, .channel = 1}},
    {{17, 1, 9}, 2, {.slice = 4}, {.row = 3, .slice = 1}},
    {{1, 29, 3}, 1, {.row = 1}, {.row = 15, .slice = 2}},
};

void fill(const engine::View& view) {
  std::uint32_t state = 1;
  for (std::int64_t row = 0; row < view.rows(); ++row) {
    std::byte* bytes = view.host_row(row);
    for (std::size_t i = 0; i < static_cast<std::size_t>(view.shape.x) * size_of(view.type); ++i) {
      state = state * 1664525 + 1013904223;
      bytes[i] = static_cast<std::byte>(state >> 24);
    }
  }
}

class Transfer : public OpenClTest {};

TEST_F(Transfer, WriteTouchesExactlyThePixels) {
  for (const PixelType type : {PixelType::u8, PixelType::i16, PixelType::f32, PixelType::f64}) {
    for (const Case& c : cases) {
      const engine::View host = on_host(placed(type, c.shape, c.channels, c.host));
      fill(host);
      const engine::View there = on_device(*device, placed(type, c.shape, c.channels, c.device));
      device->write(host, there);
      const engine::View expected = on_host(placed(type, c.shape, c.channels, c.device));
      engine::copy_pixels(host, expected);
      EXPECT_EQ(first_difference(bytes_on(*device, there), bytes_of(expected)), "equal")
          << name_of(type) << " " << to_string(c.shape) << " case " << &c - cases;
    }
  }
}

TEST_F(Transfer, ReadTouchesExactlyThePixels) {
  for (const Case& c : cases) {
    const engine::View source = on_host(placed(PixelType::u16, c.shape, c.channels, c.device));
    fill(source);
    const engine::View there = uploaded(*device, source);
    const engine::View host = on_host(placed(PixelType::u16, c.shape, c.channels, c.host));
    device->read(there, host);
    const engine::View expected = on_host(placed(PixelType::u16, c.shape, c.channels, c.host));
    engine::copy_pixels(source, expected);
    EXPECT_EQ(first_difference(bytes_of(host), bytes_of(expected)), "equal")
        << to_string(c.shape) << " case " << &c - cases;
  }
}

TEST_F(Transfer, PartsOfAnImageAreViewsWithAnOffset) {
  const engine::View whole = on_host(placed(PixelType::f32, {33, 9, 4}, 2, {.row = 7}));
  fill(whole);
  engine::View part = whole;
  part.offset += whole.pitch.channel + 2 * whole.pitch.slice + 3 * whole.pitch.row;
  part.channels = 1;
  part.shape = {33, 5, 2};
  engine::View there = part;
  there.memory = uploaded(*device, whole).memory;
  const engine::View packed = on_host(placed(PixelType::f32, part.shape, 1, {}));
  device->read(there, packed);
  const engine::View expected = on_host(placed(PixelType::f32, part.shape, 1, {}));
  engine::copy_pixels(part, expected);
  EXPECT_EQ(first_difference(bytes_of(packed), bytes_of(expected)), "equal");
}

TEST_F(Transfer, ABlockBeyondTheDriversLimitIsRefusedByName) {
  device->pool().set_budget(std::numeric_limits<std::uint64_t>::max());
  try {
    device->pool().take(facts.largest_block + 1);
    FAIL() << "a block of " << facts.largest_block + 1 << " bytes was handed out";
  } catch (const DeviceError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("opencl:0"), std::string::npos) << text;
    EXPECT_NE(text.find(std::to_string(facts.largest_block)), std::string::npos) << text;
    EXPECT_NE(text.find("CL_DEVICE_MAX_MEM_ALLOC_SIZE"), std::string::npos) << text;
  }
  EXPECT_EQ(device->pool().use().in_use, 0u);
}

}  // namespace
}  // namespace meander::opencl
