// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// States of 16 bits on the cpu: what is stored is what one step in float32 makes of what was
// stored, rounded; by iterate in float32, and by the rounding of single numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "conformance/line_samples.hpp"
#include "engine/backend.hpp"

namespace meander {
namespace {

using conformance::view_of;
using engine::Iteration;
using engine::Rule;
using engine::View;

constexpr double largest_part = 32767;

/// What a stored number stands for, and how a number is stored.
double number_of(Half stored) { return to_double(stored); }
double number_of(std::int16_t stored) { return stored / largest_part; }
template <class T>
T stored(float number) {
  if constexpr (std::is_same_v<T, Half>) {
    return from_double<T>(number);
  } else {
    if (std::isnan(number)) return T{0};
    // In float32, as devices without float64 do it.
    const float limited = std::fmin(std::fmax(number, -1.0f), 1.0f);
    return static_cast<T>(std::lrint(limited * static_cast<float>(largest_part)));
  }
}

template <class To, class From, class Change>
Image changed(const Image& image, PixelType type, Change change) {
  const Image result =
      Image::allocate({.shape = image.shape(), .channels = view_of(image).channels, .type = type});
  for (std::int64_t row = 0; row < view_of(image).rows(); ++row) {
    const auto* from = reinterpret_cast<const From*>(view_of(image).host_row(row));
    auto* to = reinterpret_cast<To*>(view_of(result).host_row(row));
    for (std::int64_t x = 0; x < image.shape().x; ++x) to[x] = change(from[x]);
  }
  return result;
}

template <class T>
constexpr PixelType type_of = std::is_same_v<T, Half> ? PixelType::f16 : PixelType::i16;
template <class T>
Image widened(const Image& image) {
  return changed<float, T>(image, PixelType::f32,
                           [](T value) { return static_cast<float>(number_of(value)); });
}
template <class T>
Image narrowed(const Image& image) {
  return changed<T, float>(image, type_of<T>, stored<T>);
}

template <class T>
Image states_of(const Shape& shape, int channels) {
  return narrowed<T>(
      conformance::line_image({.shape = shape, .channels = channels, .type = PixelType::f32}, 1.0));
}

class PackedStates : public testing::Test {
 protected:
  ~PackedStates() override { set_threads(0); }

  Image iterated(const Iteration& work, const Image& start, const Image& fields) {
    const Image state = start.clone(), scratch = start.clone();
    backend.iterate(work, view_of(state), view_of(scratch),
                    fields.empty() ? View{} : view_of(fields));
    backend.finish();
    return work.steps % 2 == 0 ? state : scratch;
  }

  /// The same, step by step in float32.
  template <class T>
  Image expected(Iteration work, const Image& start, const Image& fields) {
    const Image wide_fields = fields.empty() ? Image() : widened<T>(fields);
    Image state = start;
    const std::int64_t steps = work.steps;
    work.steps = 1;
    for (std::int64_t step = 0; step < steps; ++step) {
      state = narrowed<T>(iterated(work, widened<T>(state), wide_fields));
    }
    return state;
  }

  template <class T>
  void compare(const Iteration& work, const Shape& shape) {
    const engine::RuleFacts& facts = engine::facts_of(work.rule);
    const Image start = states_of<T>(shape, facts.states);
    const Image fields = facts.fields > 0 ? states_of<T>(shape, facts.fields) : Image();
    const Image computed = iterated(work, start, fields);
    EXPECT_EQ(backend.iteration_notes(), "rows: states of 16 bits are converted line by line");
    EXPECT_EQ(conformance::largest_difference(expected<T>(work, start, fields), computed), 0)
        << facts.name << ' ' << to_string(shape) << ' ' << name_of(type_of<T>) << " border "
        << static_cast<int>(work.neighbours.border.kind);
  }

  const Device device = Device::open("cpu");
  engine::Backend& backend = device.backend();
};

TEST_F(PackedStates, AreFloatsRoundedAfterEveryStep) {
  const Shape shapes[] = {{1, 1, 1},  {2, 3, 1},    {33, 31, 1}, {200, 70, 1}, {70, 40, 3},
                          {17, 9, 5}, {40, 50, 20}, {5, 1, 40},  {300, 2, 2},  {9000, 9, 1}};
  std::size_t turn = 0;
  for (const Shape& shape : shapes) {
    for (const Border border : conformance::all_borders) {
      const bool is_deep = ++turn % 2 == 0;
      const Rule rule = turn % 3 == 0 ? Rule::probe_four
                        : is_deep     ? Rule::vector_flow_volume
                                      : Rule::vector_flow_plane;
      Iteration work{.rule = rule, .steps = 3};
      work.parameters = {0.0625, 0.25, 0.125, 0.1, 0.2, 0.05};
      work.parameters.resize(static_cast<std::size_t>(engine::facts_of(rule).parameters));
      work.neighbours = {{1, 0.5, is_deep ? 0.75 : 0}, 0, {border, 0.25}};
      set_threads(static_cast<int>(1 + turn % 3));
      compare<Half>(work, shape);
      compare<std::int16_t>(work, shape);
    }
  }
}

/// One cell of a line that keeps what it has: the conversions alone.
TEST_F(PackedStates, KeepEveryStoredNumber) {
  Iteration work{.rule = Rule::unchanged, .steps = 1};
  const Image all = Image::allocate({.shape = {256, 256, 1}, .type = PixelType::i16});
  for (std::int64_t row = 0; row < 256; ++row) {
    auto* cells = reinterpret_cast<std::int16_t*>(view_of(all).host_row(row));
    for (int x = 0; x < 256; ++x) cells[x] = static_cast<std::int16_t>(row * 256 + x - 32768);
  }
  const Image kept = iterated(work, all, Image());
  // All but the lowest number stand for something from -1 to 1.
  EXPECT_EQ(*reinterpret_cast<const std::int16_t*>(view_of(kept).host_row(0)), -32767);
  *reinterpret_cast<std::int16_t*>(view_of(all).host_row(0)) = -32767;
  EXPECT_EQ(conformance::largest_difference(all, kept), 0);

  const Image halves = Image::allocate({.shape = {256, 256, 1}, .type = PixelType::f16});
  const auto bytes = static_cast<std::size_t>(512);
  for (std::int64_t row = 0; row < 256; ++row) {
    std::uint16_t bits[256];
    for (int x = 0; x < 256; ++x) {
      bits[x] = static_cast<std::uint16_t>(row * 256 + x);
      const bool is_nan = (bits[x] & 0x7fff) > 0x7c00;
      if (is_nan) bits[x] |= 0x0200;  // a signalling one would become quiet
    }
    std::memcpy(view_of(halves).host_row(row), bits, bytes);
  }
  const Image same = iterated(work, halves, Image());
  for (std::int64_t row = 0; row < 256; ++row) {
    EXPECT_EQ(std::memcmp(view_of(halves).host_row(row), view_of(same).host_row(row), bytes), 0)
        << "from bits " << row * 256;
  }
}

/// NaN is 0 in parts of 32767, and what is beyond ±1 stays there.
TEST_F(PackedStates, SaturateInParts) {
  Iteration work{.rule = Rule::probe_one, .steps = 1};
  work.parameters = {0, 4, 0};
  const Image start = states_of<std::int16_t>({40, 1, 1}, 1);
  const Image fields = states_of<std::int16_t>({40, 1, 1}, 1);
  const Image grown = iterated(work, start, fields);
  const auto* from = reinterpret_cast<const std::int16_t*>(view_of(start).host_row(0));
  const auto* to = reinterpret_cast<const std::int16_t*>(view_of(grown).host_row(0));
  int saturated = 0;
  for (int x = 0; x < 40; ++x) {
    const int exact = std::max(-32767, std::min(4 * from[x], 32767));
    EXPECT_NEAR(to[x], exact, std::abs(exact) == 32767 ? 0 : 1);
    saturated += std::abs(exact) == 32767 ? 1 : 0;
  }
  EXPECT_GT(saturated, 5);
  work.parameters[1] = std::numeric_limits<double>::quiet_NaN();
  const Image nothing = iterated(work, start, fields);
  for (int x = 0; x < 40; ++x) {
    EXPECT_EQ(reinterpret_cast<const std::int16_t*>(view_of(nothing).host_row(0))[x], 0);
  }
}

}  // namespace
}  // namespace meander
