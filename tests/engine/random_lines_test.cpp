// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Scans, filters and prefix sums of random small images against `reference`: what no list of cases
// thought of. GPUs, where lines are cut and shared out in many ways, get ten thousand.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>

#include "conformance/line_samples.hpp"
#include "engine/backend.hpp"
#include "engine/line_testing.hpp"

namespace meander {
namespace {

using engine::Axis;

class Chance {
 public:
  std::int64_t below(std::int64_t count) {
    return static_cast<std::int64_t>(numbers_() % static_cast<std::uint64_t>(count));
  }
  bool once_in(std::int64_t count) { return below(count) == 0; }
  double unit() { return static_cast<double>(numbers_() >> 11) * 0x1p-53; }
  template <class All>
  auto one_of(const All& all) {
    return std::data(all)[below(static_cast<std::int64_t>(std::size(all)))];
  }

 private:
  std::mt19937_64 numbers_{11};  // the same numbers everywhere
};

/// Lengths around those of stretches, spans, tiles and groups; a line of one of them, few others.
Shape random_shape(Chance& chance) {
  constexpr std::int64_t around[] = {32, 64, 256, 288, 512, 600};
  const auto any = [&] {
    return chance.once_in(2) ? 1 + chance.below(9) : chance.one_of(around) - 3 + chance.below(7);
  };
  std::int64_t sides[3] = {any(), any(), chance.once_in(2) ? 1 : any()};
  while (sides[0] * sides[1] * sides[2] > 20000) sides[chance.below(3)] = 1 + chance.below(9);
  return {sides[0], sides[1], sides[2]};
}

/// Of both signs; with some NaN where `is_broken`.
Image random_image(const Description& description, bool is_broken, Chance& chance) {
  Image image = Image::allocate(description);
  visit(description.type, [&]<class T>(std::type_identity<T>) {
    for (std::int64_t z = 0; z < description.shape.z; ++z) {
      for (std::int64_t y = 0; y < description.shape.y; ++y) {
        T* row = image.mutable_row<T>(y, z);
        for (std::int64_t x = 0; x < description.shape.x; ++x) {
          const bool has_sign = std::is_signed_v<T> || !std::is_integral_v<T>;
          const double number = 200 * chance.unit() - (has_sign ? 100 : 0);
          row[x] = from_double<T>(is_broken && chance.once_in(200) ? std::nan("") : number);
        }
      }
    }
  });
  return image;
}

/// The largest difference, infinite where only one of two is a number.
template <class T>
double largest_difference(const Image& a, const Image& b) {
  double largest = 0;
  for (std::int64_t z = 0; z < a.shape().z; ++z) {
    for (std::int64_t y = 0; y < a.shape().y; ++y) {
      const T *left = a.row<T>(y, z), *right = b.row<T>(y, z);
      for (std::int64_t x = 0; x < a.shape().x; ++x) {
        if (std::isnan(left[x]) && std::isnan(right[x])) continue;
        const double difference = std::abs(static_cast<double>(left[x]) - right[x]);
        largest = std::max(largest, std::isnan(difference) ? HUGE_VAL : difference);
      }
    }
  }
  return largest;
}

struct Case {
  explicit Case(const Device& device, Chance& chance)
      : types(chance.one_of(conformance::line_types(device))),
        axis(chance.one_of(conformance::all_axes)),
        border(chance.one_of(conformance::all_borders)),
        kind(chance.below(4)),
        prefix(chance.once_in(2) ? engine::Prefix::inclusive : engine::Prefix::exclusive) {
    const Shape shape = random_shape(chance);
    const bool is_broken = !is_integer(types.in) && chance.once_in(8);
    image = random_image({.shape = shape, .type = types.in}, is_broken, chance);
    recurrence = conformance::with_border(chance.one_of(conformance::sample_recurrences(types.out)),
                                          border, static_cast<std::size_t>(chance.below(4)));
    const std::int64_t taps =
        chance.once_in(4) ? 1 + 2 * chance.below(200) : 1 + 2 * chance.below(40);
    for (std::int64_t i = 0; i < taps; ++i) {
      weights.push_back((2 * chance.unit() - 1) / static_cast<double>(taps));
    }
  }
  /// The words that find it again.
  std::string words() const {
    const char* names[] = {"scan", "scan", "fir", "prefix sums"};
    return std::string(names[kind]) + " of " + to_string(image.shape()) + " " +
           std::string(name_of(types.in)) + " to " + std::string(name_of(types.out)) + ", axis " +
           std::to_string(static_cast<int>(axis)) + ", border " +
           std::to_string(static_cast<int>(border)) + ", states " +
           std::to_string(recurrence.states) + ", taps " + std::to_string(weights.size());
  }
  bool is_prefix() const { return kind == 3; }
  Image outcome(const Device& device) const {
    const Image in = device.upload(image);
    const PixelType type = is_prefix() ? PixelType::f64 : types.out;
    const Image out = device.allocate({.shape = image.shape(), .type = type});
    engine::Backend& backend = device.backend();
    if (is_prefix()) {
      backend.prefix(view_of(in), view_of(out), axis, prefix);
    } else if (kind == 2) {
      backend.fir(view_of(in), view_of(out), axis, weights,
                  {.kind = border, .value = conformance::border_constant});
    } else {
      backend.scan(view_of(in), view_of(out), axis, recurrence);
    }
    return out.download();
  }
  /// As the conformance suite has it: an error of 80 roundings at most in a scan, one a tap and one
  /// more in a filter whose weights add up to one, and one a pixel in sums; sums of integers have
  /// none. Of the largest magnitude.
  double tolerance() const {
    constexpr double range = 250.5, float32 = 0x1p-24, float64 = 0x1p-53;
    const double rounding = types.out == PixelType::f32 ? float32 : 2 * float64;
    const auto length =
        static_cast<double>(std::max({image.shape().x, image.shape().y, image.shape().z}));
    if (is_prefix()) return is_integer(types.in) ? 0 : 2 * length * length * range * float64;
    if (kind == 2) return 2 * (static_cast<double>(weights.size()) + 1) * range * rounding;
    return 84 * range * rounding;
  }

  conformance::TypePair types;
  Axis axis;
  Border border;
  std::int64_t kind;
  engine::Prefix prefix;
  Image image;
  engine::Recurrence recurrence;
  std::vector<double> weights;
};

class RandomLines : public testing::TestWithParam<std::string> {};

TEST_P(RandomLines, AgreeWithReference) {
  const Device reference = Device::open("reference"), device = Device::open(GetParam());
  const bool compiles_for_each_kind = device.name().starts_with("opencl");
  const bool plays_gpu = std::getenv("MEANDER_OPENCL_CPU") != nullptr;
  const int count = device.info().is_gpu && !plays_gpu ? 10000 : compiles_for_each_kind ? 60 : 1000;
  Chance chance;
  for (int index = 0; index < count; ++index) {
    const Case given(device, chance);
    const Image expected = given.outcome(reference), found = given.outcome(device);
    const std::string words = "case " + std::to_string(index) + ": " + given.words();
    if (given.is_prefix() && is_integer(given.types.in)) {
      ASSERT_EQ(conformance::different_words(expected, found), 0) << words;
    } else if (expected.type() == PixelType::f32) {
      ASSERT_LE(largest_difference<float>(expected, found), given.tolerance()) << words;
    } else {
      ASSERT_LE(largest_difference<double>(expected, found), given.tolerance()) << words;
    }
  }
}

std::vector<std::string> others() {
  std::vector<std::string> names = device_names();
  std::erase(names, "reference");
  return names;
}

INSTANTIATE_TEST_SUITE_P(Devices, RandomLines, testing::ValuesIn(others()), test_name);

}  // namespace
}  // namespace meander
