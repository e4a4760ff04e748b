// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "backend/opencl/opencl_test.hpp"
#include "backend/reference/engines.hpp"

namespace meander::opencl {
namespace {

using engine::Sums;
using engine::View;

/// One chunk, several rows a chunk, several chunks a row, and counts of chunks that are no power of
/// two.
const Shape shapes[] = {{1, 1, 1},    {4096, 1, 1}, {4097, 3, 1}, {9001, 5, 1},
                        {597, 43, 2}, {3, 5000, 1}, {700, 600, 3}};

View filled(PixelType type, const Shape& shape, const std::function<double(std::uint64_t)>& value) {
  const View view = on_host(placed(type, shape, 1, {.start = 5, .row = 3, .slice = 2}));
  std::uint64_t state = 88172645463325252u;
  visit(type, [&]<class T>(std::type_identity<T>) {
    for (std::int64_t row = 0; row < view.rows(); ++row) {
      T* pixels = reinterpret_cast<T*>(view.host_row(row));
      for (std::int64_t x = 0; x < shape.x; ++x) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        pixels[x] = from_double<T>(value(state));
      }
    }
  });
  return view;
}

double uniform(std::uint64_t state) { return static_cast<double>(state >> 11) * 0x1p-52 - 1; }

/// Over the range of the type; of float types a few not finite, a few zeros of either sign, the
/// others of such different magnitudes that another order of additions gives another sum.
double any_value(PixelType type, std::uint64_t state) {
  if (is_integer(type)) return uniform(state) * 70000;
  if (state % 97 == 0) return std::numeric_limits<double>::infinity() * (state % 2 ? 1 : -1);
  if (state % 89 == 0) return std::nan("");
  if (state % 83 == 0) return state % 2 ? 0.0 : -0.0;
  const std::uint64_t magnitudes = type == PixelType::f16 ? 28 : 60;
  return std::ldexp(uniform(state), static_cast<int>(state / 128 % magnitudes) - 13);
}

void expect_same_bits(double found, double expected, const std::string& what) {
  EXPECT_EQ(std::bit_cast<std::uint64_t>(found), std::bit_cast<std::uint64_t>(expected))
      << what << " is " << found << ", expected " << expected;
}

void expect_identical(const Sums& found, const Sums& expected, const std::string& what) {
  expect_same_bits(found.min, expected.min, what + " min");
  expect_same_bits(found.max, expected.max, what + " max");
  expect_same_bits(found.sum, expected.sum, what + " sum");
  expect_same_bits(found.sum_of_magnitudes, expected.sum_of_magnitudes, what + " magnitudes");
  expect_same_bits(found.sum_of_squares, expected.sum_of_squares, what + " squares");
  EXPECT_EQ(found.finite, expected.finite) << what;
  EXPECT_EQ(found.nonfinite, expected.nonfinite) << what;
}

class Reduce : public OpenClTest {
 protected:
  Sums on_this_device(const View& host, double shift = 0) {
    return device->reduced(uploaded(*device, host), engine::Wanted::all, shift);
  }
  void expect_equal_to_cpu(const View& host, const std::string& what) {
    engine::Backend& cpu = *engine::host_backend();
    for (const double shift : {0.0, is_integer(host.type) ? 0.0 : 3.7}) {
      expect_identical(on_this_device(host, shift), cpu.reduced(host, engine::Wanted::all, shift),
                       what);
    }
  }
};

TEST_F(Reduce, EveryTypeAndShapeAgreesWithCpuToTheBit) {
  if (!facts.info.has_float64) GTEST_SKIP() << "the OpenCL device has no 64-bit floats";
  for (const PixelType type : all_pixel_types) {
    for (const Shape& shape : shapes) {
      const View host = filled(type, shape, [&](std::uint64_t s) { return any_value(type, s); });
      expect_equal_to_cpu(host, std::string(name_of(type)) + " " + to_string(shape));
    }
  }
}

TEST_F(Reduce, NothingFiniteLeavesTheLimitsOpen) {
  const View host = filled(PixelType::f32, {597, 43, 1}, [](std::uint64_t s) {
    return s % 2 ? std::nan("") : -std::numeric_limits<double>::infinity();
  });
  expect_identical(on_this_device(host), {.finite = 0, .nonfinite = 597 * 43}, "nothing finite");
}

TEST_F(Reduce, ChannelsAreAllIncluded) {
  View both = on_host(placed(PixelType::u8, {5, 3, 1}, 2, {.channel = 4}));
  for (std::int64_t row = 0; row < both.rows(); ++row) {
    std::memset(both.host_row(row), row < 3 ? 10 : 20, 5);
  }
  const Sums sums = on_this_device(both);
  EXPECT_EQ(sums.sum, 15 * 10 + 15 * 20);
  EXPECT_EQ(sums.sum_of_squares, 15 * 100 + 15 * 400);
  EXPECT_EQ(sums.finite, 30);
}

/// Results stay apart and on the device until they are asked for, in any order.
TEST_F(Reduce, SeveralResultsWaitToBeFetched) {
  std::vector<engine::MemoryPtr> results;
  for (int i = 0; i < 10; ++i) {
    const View host =
        filled(PixelType::u16, {100, 100, 1}, [&](std::uint64_t) { return 1000.0 * i; });
    results.push_back(device->reduce(uploaded(*device, host), 0, engine::Wanted::all));
  }
  const std::int64_t before = device->counters().waits;
  std::vector<Sums> sums(10);
  device->fetch(results, sums.data());
  EXPECT_EQ(device->counters().waits - before, 1);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(sums[i].sum, 1e7 * static_cast<double>(i));
}

/// On devices without float64, which this makes any device look like.
class ReduceInPairs : public Reduce {
 protected:
  void SetUp() override {
    Reduce::SetUp();
    if (device) device = open(find_devices().devices[0]);
  }

  /// A sum of two pairs errs by at most 3·2^-48 of the result; a number goes through the additions
  /// of its lane, the tree of lanes, the rows of its chunk and the tree of chunks.
  static double bound(const View& view) {
    const engine::ReduceChunks chunks(view);
    const std::int64_t in_lane = std::min<std::int64_t>(view.shape.x, 4096) / 8 + 1;
    const std::int64_t in_tree = std::bit_width(static_cast<std::uint64_t>(chunks.count()));
    return 3 * 0x1p-48 * static_cast<double>(in_lane + 3 + chunks.rows_per_chunk + in_tree);
  }

  void expect_near_reference(const View& host, const std::string& what) {
    const Sums found = on_this_device(host);
    const Sums exact = reference::reduce(host, 0, engine::Wanted::all);
    expect_same_bits(found.min, exact.min, what + " min");
    expect_same_bits(found.max, exact.max, what + " max");
    EXPECT_NEAR(found.sum, exact.sum, bound(host) * exact.sum_of_magnitudes) << what;
    EXPECT_NEAR(found.sum_of_magnitudes, exact.sum_of_magnitudes,
                bound(host) * exact.sum_of_magnitudes)
        << what;
    EXPECT_NEAR(found.sum_of_squares, exact.sum_of_squares, bound(host) * exact.sum_of_squares)
        << what;
    EXPECT_EQ(found.finite, exact.finite) << what;
    EXPECT_EQ(found.nonfinite, exact.nonfinite) << what;
  }

  const Setting off{"MEANDER_OPENCL_FP64", "off"};
};

TEST_F(ReduceInPairs, FloatsKeepTwiceThePrecision) {
  ASSERT_FALSE(device->info().has_float64);
  for (const PixelType type : {PixelType::f16, PixelType::f32}) {
    for (const Shape& shape : shapes) {
      const View host = filled(type, shape, [&](std::uint64_t s) {
        const double value = any_value(type, s);
        return value == 0 ? 1.0 : value;  // which zero is the least depends on the order
      });
      expect_near_reference(host, std::string(name_of(type)) + " " + to_string(shape));
    }
  }
}

/// Squares leave the range of float32 on either side.
TEST_F(ReduceInPairs, MagnitudesMaySpanTheWholeRangeOfFloat) {
  for (const int exponent : {-120, -80, -20, 40, 70, 125}) {
    const View host = filled(PixelType::f32, {597, 43, 1},
                             [&](std::uint64_t s) { return std::ldexp(uniform(s), exponent); });
    expect_near_reference(host, "2^" + std::to_string(exponent));
  }
  const View mixed = filled(PixelType::f32, {700, 600, 1}, [](std::uint64_t s) {
    return std::ldexp(uniform(s), static_cast<int>(s / 7 % 240) - 120);
  });
  expect_near_reference(mixed, "mixed");
  std::int64_t count = 0;  // chunks of very different magnitudes
  const View steps = filled(PixelType::f32, {4096, 9, 1}, [&](std::uint64_t s) {
    return std::ldexp(uniform(s), static_cast<int>(count++ / 4096) * 25 - 110);
  });
  expect_near_reference(steps, "steps");
  count = 0;  // chunks of tiny values, of zeros and of nothing finite
  const View tiny = filled(PixelType::f32, {4096, 9, 1}, [&](std::uint64_t s) {
    const std::int64_t row = count++ / 4096;
    return row % 3 == 0 ? std::ldexp(uniform(s), -110) : row % 3 == 1 ? 0.0 : std::nan("");
  });
  expect_near_reference(tiny, "tiny");
}

TEST_F(ReduceInPairs, IntegersAreExact) {
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::i16}) {
    const View host =
        filled(type, {700, 600, 3}, [&](std::uint64_t s) { return any_value(type, s); });
    expect_equal_to_cpu(host, std::string(name_of(type)));
  }
}

}  // namespace
}  // namespace meander::opencl
