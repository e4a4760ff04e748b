// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Relaxation and the ways between grids on the cpu: right by the reference at every length of a
// line that vectors may meet, and the same bits however the grid is cut for threads.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "conformance/line_samples.hpp"
#include "engine/backend.hpp"
#include "engine/view_lines.hpp"

namespace meander {
namespace {

using conformance::view_of;
using engine::Iteration;
using engine::Rule;
using engine::View;

constexpr std::int64_t frame = 3;  // cells around a grid along x, which must stay as they are

Image framed(const Shape& shape, int channels, PixelType type) {
  const Shape whole{shape.x + 2 * frame, shape.y, shape.z};
  return conformance::line_image({.shape = whole, .channels = channels, .type = type}, 0.25);
}
View inside(const Image& image) {
  const View& view = view_of(image);
  return part_of(view, engine::Axis::x, frame, view.shape.x - frame);
}

template <class Change>
void change_each(const View& view, Change change) {
  visit(view.type, [&]<class T>(std::type_identity<T>) {
    for (std::int64_t row = 0; row < view.rows(); ++row) {
      T* cells = reinterpret_cast<T*>(view.host_row(row));
      for (std::int64_t x = 0; x < view.shape.x; ++x) {
        cells[x] = from_double<T>(change(to_double(cells[x])));
      }
    }
  });
}

/// With a second field that may be divided by.
Image fields_of(const Shape& shape, PixelType type) {
  const Image fields = framed(shape, 3, type);
  View divisor = view_of(fields);
  divisor.offset += divisor.pitch.channel;
  divisor.channels = 1;
  change_each(divisor, [](double value) { return 1 + std::abs(value); });
  return fields;
}

struct Way {
  Rule rule;
  engine::Neighbours neighbours;
};
/// The sums of their weights are below 4, so that nothing grows.
const Way ways[] = {
    {Rule::probe_one, {{1, 1, 0}, 0, {Border::clamp, 0}}},
    {Rule::held_relaxed, {{0.5, 0.75, 0}, 0, {Border::mirror, 0}}},
    {Rule::masked_relaxed, {{0.25, 0.125, 0.0625}, 0, {Border::clamp, 0}}},
    {Rule::probe_one, {{0.5, 0.25, 0.75}, 0, {Border::mirror, 0}}},
    {Rule::held_relaxed, {{0.5, 0, 0.5}, 0, {Border::clamp, 0}}},
    {Rule::held_residual, {{0, 0.125, 0.0625}, 0, {Border::mirror, 0}}},
};

Iteration work_of(const Way& way, std::int64_t steps, bool per_step) {
  Iteration work{.rule = way.rule, .neighbours = way.neighbours, .steps = steps};
  const bool is_held = way.rule == Rule::held_relaxed;
  for (std::int64_t step = 0; step < (per_step ? steps : 1); ++step) {
    for (int i = 0; i < engine::facts_of(way.rule).parameters; ++i) {
      work.parameters.push_back((is_held ? way.neighbours.weight() : 0.125) +
                                0.03125 * static_cast<double>(i + step));
    }
  }
  return work;
}

Image relaxed(const Device& device, const Iteration& work, const Image& start, const Image& fields,
              bool from_zero) {
  const Image state = device.upload(start).clone(), coefficients = device.upload(fields);
  if (from_zero) {
    change_each(inside(state), [](double) { return std::numeric_limits<double>::quiet_NaN(); });
  }
  device.backend().relax(work, inside(state), inside(coefficients), from_zero);
  return state.download();
}

bool same_bits(const Image& a, const Image& b) {
  const View &left = view_of(a), &right = view_of(b);
  const auto bytes = static_cast<std::size_t>(left.shape.x) * size_of(left.type);
  for (std::int64_t row = 0; row < left.rows(); ++row) {
    if (std::memcmp(left.host_row(row), right.host_row(row), bytes) != 0) return false;
  }
  return true;
}

class Multigrid : public testing::Test {
 protected:
  ~Multigrid() override { set_threads(0); }

  /// Of values up to 1 a few roundings of each of a few steps.
  static double tolerance_of(PixelType type) { return type == PixelType::f32 ? 2e-6 : 4e-15; }

  const Device device = Device::open("cpu"), reference = Device::open("reference");
};

TEST_F(Multigrid, RelaxesLinesOfEveryLength) {
  std::size_t turn = 0;
  for (std::int64_t length = 1; length <= 70; ++length) {
    for (const std::int64_t depth : {1, 3}) {
      const PixelType type = turn % 2 == 0 ? PixelType::f32 : PixelType::f64;
      const Shape shape{length, 1 + length % 5, depth};
      const Image start = framed(shape, 1, type), fields = fields_of(shape, type);
      const Way& way = ways[turn / 2 % std::size(ways)];
      const bool from_zero = turn / 3 % 2 == 1;
      const Iteration work =
          work_of(way, static_cast<std::int64_t>(turn / 4 % 3), turn / 4 % 2 == 0);
      EXPECT_LE(conformance::largest_difference(relaxed(reference, work, start, fields, from_zero),
                                                relaxed(device, work, start, fields, from_zero)),
                tolerance_of(type))
          << engine::facts_of(way.rule).name << ' ' << to_string(shape) << " steps " << work.steps
          << (from_zero ? " from zero" : "");
      ++turn;
    }
  }
}

/// By the reference, whose cells come one after another in the order of the definition; and the
/// number of threads does not show.
TEST_F(Multigrid, RelaxesInParts) {
  // Large enough for three bands of few sweeps; some only for two, or one.
  const Shape shapes[] = {{140, 301, 1}, {257, 128, 1}, {33, 10, 1},   {60, 7, 90},
                          {61, 90, 7},   {40, 64, 65},  {1500, 30, 1}, {13, 2100, 1}};
  for (const Shape& shape : shapes) {
    const Image start = framed(shape, 1, PixelType::f32), fields = fields_of(shape, PixelType::f32);
    for (std::size_t turn = 0; turn < 4; ++turn) {
      const Way& way = ways[(turn + static_cast<std::size_t>(shape.y)) % std::size(ways)];
      const Iteration work = work_of(way, 1 + static_cast<std::int64_t>(2 * turn), turn == 2);
      const bool from_zero = turn % 2 == 0;
      set_threads(1);
      const Image expected = relaxed(device, work, start, fields, from_zero);
      EXPECT_LE(conformance::largest_difference(relaxed(reference, work, start, fields, from_zero),
                                                expected),
                tolerance_of(PixelType::f32))
          << engine::facts_of(way.rule).name << ' ' << to_string(shape);
      for (const int count : {2, 3}) {
        set_threads(count);
        EXPECT_TRUE(same_bits(expected, relaxed(device, work, start, fields, from_zero)))
            << engine::facts_of(way.rule).name << ' ' << to_string(shape) << ' ' << count
            << " threads, sweeps " << work.steps;
      }
    }
  }
}

TEST_F(Multigrid, RelaxesOnlyWhatHasTwoColours) {
  const Shape shape{8, 8, 1};
  const Image start = framed(shape, 1, PixelType::f32), fields = fields_of(shape, PixelType::f32);
  Iteration work = work_of(ways[0], 1, false);
  work.neighbours.border.kind = Border::periodic;
  EXPECT_THROW(relaxed(device, work, start, fields, false), Error);
  work = work_of(ways[0], 1, false);
  work.neighbours.corner = 0.5;
  EXPECT_THROW(relaxed(device, work, start, fields, false), Error);
}

/// The shape of a grid whose axes named by the bits of `halved` are.
Shape coarser(const Shape& shape, unsigned halved) {
  return {(halved & 1) != 0 ? engine::halved(shape.x) : shape.x,
          (halved & 2) != 0 ? engine::halved(shape.y) : shape.y,
          (halved & 4) != 0 ? engine::halved(shape.z) : shape.z};
}

TEST_F(Multigrid, AppliesWithAndWithoutCoarsening) {
  std::size_t turn = 0;
  for (const std::int64_t length : {1, 2, 3, 7, 8, 9, 15, 16, 31, 32, 33, 64, 65, 300}) {
    for (unsigned halved = 0; halved < 8; ++halved) {
      const PixelType type = ++turn % 2 == 0 ? PixelType::f32 : PixelType::f64;
      const Shape shape{length, 5 + length % 2, 3 + length % 3 % 2};
      const Way& way = ways[turn % std::size(ways)];
      const Iteration work = work_of(way, 1, false);
      const Image in = framed(shape, 1, type), fields = fields_of(shape, type);
      const Image blank = framed(coarser(shape, halved), 1, type);
      const auto outcome = [&](const Device& on) {
        const Image from = on.upload(in), coefficients = on.upload(fields);
        const Image to = on.upload(blank).clone();
        on.backend().apply(work, inside(from), inside(coefficients), inside(to));
        return to.download();
      };
      EXPECT_LE(conformance::largest_difference(outcome(reference), outcome(device)),
                tolerance_of(type))
          << engine::facts_of(way.rule).name << ' ' << to_string(shape) << " halved " << halved;
    }
  }
}

TEST_F(Multigrid, Transfers) {
  std::size_t turn = 0;
  for (const std::int64_t length : {1, 2, 3, 7, 8, 9, 15, 16, 31, 32, 33, 64, 65, 300}) {
    for (unsigned halved = 0; halved < 8; ++halved, ++turn) {
      const PixelType type = turn / 2 % 2 == 0 ? PixelType::f32 : PixelType::f64;
      const Shape shape{length, 5 + length % 2, 3 + length % 3 % 2};
      const Image fine = framed(shape, 1, type), weight = framed(shape, 3, type);
      const Image coarse = framed(coarser(shape, halved), 2, type);
      const auto how = turn % 3 == 0 ? engine::Prolongation::replace : engine::Prolongation::add;
      const auto outcome = [&](const Device& on) {
        const Image from = on.upload(coarse), by = on.upload(weight);
        const Image to = on.upload(fine).clone();
        on.backend().transfer(inside(from), inside(to), turn % 5 < 2 ? View{} : inside(by), how);
        return to.download();
      };
      EXPECT_LE(conformance::largest_difference(outcome(reference), outcome(device)),
                tolerance_of(type))
          << to_string(shape) << " halved " << halved;
    }
  }
}

}  // namespace
}  // namespace meander
