// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <bit>
#include <cmath>
#include <limits>
#include <thread>

#include "backend/opencl/opencl_test.hpp"

namespace meander::opencl {
namespace {

using engine::Affine;
using engine::View;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Values at which conversions go wrong: ties, limits of every type, midpoints between halves, what
/// float64 can tell apart and float32 cannot, subnormals, infinities, NaN.
std::vector<double> hostile_values() {
  std::vector<double> values = {0.0, -0.0, infinity, -infinity, std::nan(""), -std::nan("")};
  for (const double v : {0.5,         1.5,
                         2.5,         127.5,
                         254.5,       255.0,
                         255.5,       256.0,
                         32766.5,     32767.0,
                         32767.5,     32768.0,
                         32768.5,     65504.0,
                         65519.99999, 65520.0,
                         65534.5,     65535.0,
                         65535.5,     1e9,
                         3e9,         1e19,
                         3e38,        3.4028235677973366e38,
                         1e300,       1.17549435e-38,
                         1.4e-45,     7e-46,
                         1e-310,      0x1p-24,
                         0x1p-25,     0x1.8p-24,
                         0x1.8p-25,   0x1.ffcp-15,
                         2049.0,      2051.0,
                         0x1.002p0,   0x1.002000000001p0}) {
    for (const double near : {v, std::nextafter(v, 0.0), std::nextafter(v, infinity)}) {
      values.push_back(near);
      values.push_back(-near);
      values.push_back(std::nextafter(static_cast<float>(near), 0.0f));
      values.push_back(std::nextafter(static_cast<float>(near), INFINITY));
    }
  }
  return values;
}

/// Every bit pattern of the 8- and 16-bit types in turn; of the wider ones the hostile values, then
/// random values of all magnitudes. Signalling NaN is left out: what becomes of it is the
/// compiler's.
void fill(const View& view) {
  const std::vector<double> hostile = hostile_values();
  std::uint64_t state = 88172645463325252u;
  std::size_t index = 0;
  visit(view.type, [&]<class T>(std::type_identity<T>) {
    for (std::int64_t row = 0; row < view.rows(); ++row) {
      T* pixels = reinterpret_cast<T*>(view.host_row(row));
      for (std::int64_t x = 0; x < view.shape.x; ++x, ++index) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        if constexpr (sizeof(T) <= 2) {
          using Bits = std::conditional_t<sizeof(T) == 1, std::uint8_t, std::uint16_t>;
          pixels[x] = std::bit_cast<T>(static_cast<Bits>(index));
        } else if (index < hostile.size()) {
          pixels[x] = static_cast<T>(hostile[index]);
        } else {
          const double unit = static_cast<double>(state >> 11) * 0x1p-52 - 1;
          pixels[x] = static_cast<T>(std::ldexp(unit, static_cast<int>(state % 60) - 30));
        }
      }
    }
  });
}

/// Arithmetic keeps a NaN a NaN, but which one is the processor's: all become the same one.
void unify_nan(const View& view) {
  visit(view.type, [&]<class T>(std::type_identity<T>) {
    for (std::int64_t row = 0; row < view.rows(); ++row) {
      T* pixels = reinterpret_cast<T*>(view.host_row(row));
      for (std::int64_t x = 0; x < view.shape.x; ++x) {
        if (std::isnan(to_double(pixels[x]))) pixels[x] = from_double<T>(std::nan(""));
      }
    }
  });
}

class Convert : public OpenClTest {
 protected:
  /// Runs both, compares whole blocks: pixels to the bit, gaps untouched.
  void expect_equal_to_cpu(const View& in_layout, const View& out_layout, const Affine& map) {
    const View in = on_host(in_layout);
    fill(in);
    const View expected = on_host(out_layout);
    engine::host_backend()->convert(in, expected, map);
    engine::host_backend()->finish();
    const View out = on_device(*device, out_layout);
    device->convert(uploaded(*device, in), out, map);
    const View found = downloaded(*device, out);
    if (!map.is_identity()) {
      unify_nan(found);
      unify_nan(expected);
    }
    EXPECT_EQ(first_difference(bytes_of(found), bytes_of(expected)), "equal")
        << name_of(in.type) << " to " << name_of(out.type) << " " << to_string(in.shape) << " by "
        << map.scale << ", " << map.offset;
  }

  void expect_all_pairs_equal_to_cpu(const Affine& map) {
    for (const PixelType from : all_pixel_types) {
      for (const PixelType to : all_pixel_types) {
        expect_equal_to_cpu(placed(from, {597, 43, 2}, 2, {.start = 3, .row = 5, .channel = 1}),
                            placed(to, {597, 43, 2}, 2, {.start = 1, .row = 2, .slice = 4}), map);
        expect_equal_to_cpu(placed(from, {1, 1, 1}, 1, {}), placed(to, {1, 1, 1}, 1, {}), map);
      }
    }
  }
};

TEST_F(Convert, EveryPairOfTypesAgreesWithCpuToTheBit) {
  if (!facts.info.has_float64) GTEST_SKIP() << "the OpenCL device has no 64-bit floats";
  expect_all_pairs_equal_to_cpu({});
}

TEST_F(Convert, EveryPairUnderAMapAgreesWithCpuToTheBit) {
  if (!facts.info.has_float64) GTEST_SKIP() << "the OpenCL device has no 64-bit floats";
  expect_all_pairs_equal_to_cpu({.scale = 0.37, .offset = -3.1});
}

TEST_F(Convert, HalvesAreExactBothWays) {
  const View halves = placed(PixelType::f16, {256, 256, 1}, 1, {});
  expect_equal_to_cpu(halves, placed(PixelType::f32, {256, 256, 1}, 1, {}), {});
  expect_equal_to_cpu(halves, halves, {});
}

/// Also where OpenCL's own functions are taken for them.
TEST_F(Convert, HalvesByInstructionsAreTheSame) {
  facts.has_half_instructions = true;
  device = open(facts);
  const View halves = placed(PixelType::f16, {256, 256, 1}, 1, {});
  const View floats = placed(PixelType::f32, {597, 43, 1}, 1, {});
  expect_equal_to_cpu(halves, placed(PixelType::f32, {256, 256, 1}, 1, {}), {});
  expect_equal_to_cpu(floats, placed(PixelType::f16, {597, 43, 1}, 1, {}), {});
}

TEST_F(Convert, MoreRowsThanOneLaunchTakes) {
  const View in = placed(PixelType::u16, {3, 20001, 2}, 2, {.row = 1});
  expect_equal_to_cpu(in, placed(PixelType::f32, {3, 20001, 2}, 2, {}), {.scale = 2, .offset = 1});
  expect_equal_to_cpu(in, in, {});
}

TEST_F(Convert, ACopyKeepsSignallingNanAndSubnormals) {
  const View in = on_host(placed(PixelType::f32, {7, 1, 1}, 1, {}));
  const std::uint32_t bits[] = {0x7f800001, 0xff812345, 0x7fc00000, 0x00000001,
                                0x807fffff, 0x80000000, 0x3f800000};
  std::memcpy(in.memory->host, bits, sizeof(bits));
  const View out = on_device(*device, placed(PixelType::f32, {7, 1, 1}, 1, {}));
  device->convert(uploaded(*device, in), out, {});
  EXPECT_EQ(first_difference(bytes_on(*device, out), bytes_of(in)), "equal");
}

TEST_F(Convert, WorksInPlace) {
  const View layout = placed(PixelType::i16, {597, 43, 1}, 1, {.row = 3});
  const View in = on_host(layout);
  fill(in);
  const View there = uploaded(*device, in);
  device->convert(there, there, {.scale = -0.5, .offset = 7});
  engine::host_backend()->convert(in, in, {.scale = -0.5, .offset = 7});
  engine::host_backend()->finish();
  EXPECT_EQ(first_difference(bytes_on(*device, there), bytes_of(in)), "equal");
}

TEST_F(Convert, WithoutFloat64CopiesF64AndRefusesTheRest) {
  const Setting off("MEANDER_OPENCL_FP64", "off");
  device = open(find_devices().devices[0]);
  EXPECT_FALSE(device->info().has_float64);
  const View wide = placed(PixelType::f64, {597, 3, 1}, 1, {});
  expect_equal_to_cpu(wide, wide, {});
  expect_equal_to_cpu(placed(PixelType::f32, {597, 3, 1}, 1, {}),
                      placed(PixelType::f16, {597, 3, 1}, 1, {}), {.scale = 3, .offset = 1});
  const View there = on_device(*device, wide);
  EXPECT_THROW(device->convert(there, there, {.scale = 2}), Unsupported);
  EXPECT_THROW(device->reduce(there, 0, engine::Wanted::all), Unsupported);
}

/// Kernels and their arguments are shared by all threads of a device.
TEST_F(Convert, ThreadsDoNotDisturbEachOther) {
  const View layout = placed(PixelType::f32, {61, 7, 1}, 1, {});
  const View in = on_host(layout);
  fill(in);
  const View there = uploaded(*device, in);
  const auto work = [&](double scale, std::string* outcome) {
    const View expected = on_host(layout);
    engine::host_backend()->convert(in, expected, {.scale = scale, .offset = 1});
    engine::host_backend()->finish();
    unify_nan(expected);
    *outcome = "equal";
    for (int i = 0; i < 100 && *outcome == "equal"; ++i) {
      const View out = on_device(*device, layout);
      device->convert(there, out, {.scale = scale, .offset = 1});
      const View found = downloaded(*device, out);
      unify_nan(found);
      *outcome = first_difference(bytes_of(found), bytes_of(expected));
    }
  };
  std::string outcomes[3];
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 3; ++t) threads.emplace_back(work, 2.0 + t, &outcomes[t]);
  }
  for (const std::string& outcome : outcomes) EXPECT_EQ(outcome, "equal");
}

}  // namespace
}  // namespace meander::opencl
