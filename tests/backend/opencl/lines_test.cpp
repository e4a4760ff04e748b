// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// What GPUs do in groups of work items, done in groups on whatever device is there: the bits of one
// work item a line or a pixel. CUDA compiles the same text.
#include <cmath>

#include "backend/lines/scan_numbers.hpp"
#include "backend/opencl/opencl_test.hpp"
#include "engine/view_lines.hpp"

namespace meander::opencl {
namespace {

using engine::Axis;
using engine::Recurrence;
using engine::View;

View numbers(PixelType type, const Shape& shape) {
  const View view = on_host(placed(type, shape, 1, {.start = 1, .row = 3}));
  std::uint32_t state = 1;
  for (std::int64_t row = 0; row < view.rows(); ++row) {
    for (std::int64_t x = 0; x < shape.x; ++x) {
      state = state * 1664525u + 1013904223u;
      std::byte* pixel = view.memory->host + view.offset + row * view.pitch.row +
                         x * static_cast<std::int64_t>(size_of(type));
      const auto small = static_cast<std::uint16_t>(state >> 18);
      const auto real = static_cast<float>(state >> 8) * 0x1p-24f;
      type == PixelType::u16 ? std::memcpy(pixel, &small, 2) : std::memcpy(pixel, &real, 4);
    }
  }
  return view;
}

/// Of both signs.
std::vector<double> weights_of(std::int64_t taps) {
  std::vector<double> all;
  for (std::int64_t i = 0; i < taps; ++i)
    all.push_back(static_cast<double>((i * 37 + 11) % 64 - 20) / 64);
  return all;
}

Recurrence third_order() {
  Recurrence made{.form = Recurrence::Form::cascade, .states = 3};
  made.feed = {0.001f, 0.03f, 0.3f};
  made.steady = {1};
  made.turn = {0.5, 0.1, 0, 0, 0.4, 0, 0.01, 0, 0.3};
  made.wrap = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  return made;
}

Recurrence damped_cosine() {
  Recurrence made{.form = Recurrence::Form::sum, .states = 2};
  made.feed = {0.1f, 0.05f};
  made.backward = {0.04f, 0.01f};
  made.forward = {0.05f, -0.01f};
  made.steady = {8, -4};
  made.wrap = {1, 0};
  return made;
}

class InGroups : public OpenClTest {
 protected:
  void SetUp() override {
    OpenClTest::SetUp();
    if (IsSkipped()) return;
    const Setting as_gpu("MEANDER_OPENCL_CPU", "gpu");
    grouped = open(find_devices().devices[0]);
    ASSERT_TRUE(grouped->info().is_gpu);
    if (device->info().is_gpu) GTEST_SKIP() << "a GPU does it in groups in any case";
  }
  /// Whether `run` leaves the same bytes behind on both.
  template <class Run>
  void compare(PixelType in, const Shape& shape, Run run, PixelType of_out = PixelType::f32) {
    const View host = numbers(in, shape);
    const auto outcome = [&](engine::Backend& on) {
      const View out = on_device(on, placed(of_out, shape, 1, {.start = 2, .row = 5}));
      run(on, uploaded(on, host), out);
      return bytes_on(on, out);
    };
    EXPECT_EQ(first_difference(outcome(*grouped), outcome(*device)), "equal") << to_string(shape);
  }

  std::shared_ptr<engine::Backend> grouped;
};

// A stretch has 32 pixels and a span 256. Few lengths: PoCL compiles anew for each size of groups.
TEST_F(InGroups, CascadesHaveTheBitsOfLineByLine) {
  Recurrence recurrence = third_order();
  for (const Border border : {Border::clamp, Border::constant, Border::mirror}) {
    recurrence.border = {.kind = border, .value = 0.7};
    recurrence.warmup = border == Border::mirror ? 40 : 0;
    const auto run = [&](Axis axis) {
      return [&recurrence, axis](engine::Backend& on, const View& in, const View& out) {
        on.scan(in, out, axis, recurrence);
      };
    };
    compare(PixelType::f32, {529, 11, 1}, run(Axis::x));
    compare(PixelType::f32, {11, 1024, 1}, run(Axis::y));
  }
}

TEST_F(InGroups, LinesShorterThanAStretchHaveThem) {
  const Recurrence recurrence = damped_cosine();
  compare(PixelType::u16, {20, 9, 1}, [&](engine::Backend& on, const View& in, const View& out) {
    on.scan(in, out, Axis::x, recurrence);
  });
}

/// What a recurrence is made of goes to the device once.
TEST_F(InGroups, TablesStayOnTheDevice) {
  const View in = uploaded(*device, numbers(PixelType::f32, {40, 2, 1}));
  const View out = on_device(*device, placed(PixelType::f32, {40, 2, 1}, 1, {}));
  const auto transfers = [&](const Recurrence& recurrence) {
    const std::int64_t before = device->counters().transfers;
    device->scan(in, out, Axis::x, recurrence);
    return device->counters().transfers - before;
  };
  Recurrence other = third_order();
  other.feed[0] *= 2;
  EXPECT_EQ(transfers(third_order()), 1);
  EXPECT_EQ(transfers(other), 1);
  EXPECT_EQ(transfers(third_order()), 0);
}

TEST(ScanBlock, HoldsWholeLinesWithinItsLimits) {
  const lines::BlockLimits small{.threads = 256, .numbers = 12000, .side_by_side = 8, .blocks = 64};
  for (const bool along_x : {false, true}) {
    for (const std::int64_t length : {1, 32, 33, 256, 1024, 4096, 8192}) {
      for (const std::int64_t count : {1, 1000, 1000000}) {
        const lines::ScanBlock block =
            lines::scan_block_of(length, count, 5, false, along_x, small);
        ASSERT_GT(block.threads, 0) << length << (along_x ? " along x" : "");
        EXPECT_GE(block.parts * lines::stretch, length);
        EXPECT_GE(block.threads, block.across * block.parts);
        EXPECT_EQ(block.threads % 32, 0);
        EXPECT_LE(block.threads, small.threads);
        EXPECT_LE(block.numbers, small.numbers);
      }
    }
  }
  EXPECT_EQ(lines::scan_block_of(1024, 1024, 5, false, false, small).across, 8);
  EXPECT_EQ(lines::scan_block_of(8193, 1024, 5, false, false, small).threads, 0);
  lines::BlockLimits smaller = small;
  smaller.numbers = 3000;
  EXPECT_EQ(lines::scan_block_of(4096, 1024, 5, false, true, smaller).threads, 0);
}

TEST_F(InGroups, SumsHaveTheBitsOfLineByLine) {
  Recurrence recurrence = damped_cosine();
  for (const Border border : {Border::clamp, Border::periodic}) {
    recurrence.border.kind = border;
    recurrence.warmup = border == Border::clamp ? 0 : 30;
    compare(PixelType::u16, {5, 600, 2}, [&](engine::Backend& on, const View& in, const View& out) {
      on.scan(in, out, Axis::y, recurrence);
    });
  }
}

// A group along x has 2048 pixels at once; along y it has 16 lines, and 64 pieces of each. No sum
// here is rounded, of floats neither: they are parts of 2^24.
TEST_F(InGroups, PrefixSumsHaveTheBitsOfLineByLine) {
  for (const PixelType type : {PixelType::u16, PixelType::f32}) {
    if (type == PixelType::f32 && !device->info().has_float64) continue;
    for (const engine::Prefix kind : {engine::Prefix::inclusive, engine::Prefix::exclusive}) {
      for (const Shape& shape : {Shape{4099, 3, 1}, Shape{35, 130, 2}, Shape{1, 1, 1}}) {
        for (const Axis axis : {Axis::x, Axis::y}) {
          compare(
              type, shape,
              [&](engine::Backend& on, const View& in, const View& out) {
                on.prefix(in, out, axis, kind);
              },
              PixelType::f64);
        }
      }
    }
  }
}

TEST_F(InGroups, FiltersHaveTheBitsOfPixelByPixel) {
  for (const std::int64_t taps : {1, 17, 63, 131}) {
    for (const Shape& shape : {Shape{1, 1, 1}, Shape{257, 65, 1}}) {
      for (const Axis axis : {Axis::x, Axis::y}) {
        compare(PixelType::f32, shape, [&](engine::Backend& on, const View& in, const View& out) {
          on.fir(in, out, axis, weights_of(taps),
                 {.kind = taps == 17 ? Border::constant : Border::reflect, .value = 3});
        });
      }
    }
  }
}

}  // namespace
}  // namespace meander::opencl
