// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// Relax, apply, transfer and 16-bit states on every device, against numbers worked out by hand. All
// are exact in float32, so nothing may differ.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/image_state.hpp"
#include "engine/backend.hpp"
#include "meander/device.hpp"

namespace meander {
namespace {

using engine::Iteration;
using engine::Prolongation;
using engine::Rule;
using engine::View;
using Numbers = std::vector<double>;

const View& view_of(const Image& image) { return image.state().view; }

/// Numbers row by row, slice by slice, channel by channel.
Image image_of(const Device& device, const Shape& shape, const Numbers& numbers,
               PixelType type = PixelType::f32) {
  const auto per_channel = static_cast<std::size_t>(shape.x * shape.y * shape.z);
  Image image = Image::allocate(
      {.shape = shape, .channels = static_cast<int>(numbers.size() / per_channel), .type = type});
  visit(type, [&]<class T>(std::type_identity<T>) {
    auto next = numbers.begin();
    for (std::int64_t row = 0; row < view_of(image).rows(); ++row) {
      T* pixels = reinterpret_cast<T*>(view_of(image).host_row(row));
      std::transform(next, next + shape.x, pixels, from_double<T>);
      next += shape.x;
    }
  });
  return device.upload(image).clone();
}

Numbers numbers_of(const Image& image) {
  const Image host = image.download();
  Numbers all;
  visit(host.type(), [&]<class T>(std::type_identity<T>) {
    for (std::int64_t row = 0; row < view_of(host).rows(); ++row) {
      const T* pixels = reinterpret_cast<const T*>(view_of(host).host_row(row));
      std::transform(pixels, pixels + host.shape().x, std::back_inserter(all), to_double<T>);
    }
  });
  return all;
}

class Grids : public testing::TestWithParam<std::string> {
 protected:
  Image image(const Shape& shape, const Numbers& numbers) const {
    return image_of(device, shape, numbers);
  }
  Numbers relaxed(const Iteration& work, const Image& start, const Image& fields, bool from_zero) {
    const Image state = start.clone();
    device.backend().relax(work, view_of(state), view_of(fields), from_zero);
    return numbers_of(state);
  }
  Numbers applied(const Iteration& work, const Image& in, const Image& fields, const Shape& out) {
    const Image result = image(out, Numbers(static_cast<std::size_t>(out.x * out.y * out.z), -99));
    device.backend().apply(work, view_of(in), fields.empty() ? View{} : view_of(fields),
                           view_of(result));
    return numbers_of(result);
  }
  Numbers transferred(const Image& coarse, const Image& start, const Image& weight,
                      Prolongation how) {
    const Image fine = start.clone();
    device.backend().transfer(view_of(coarse), view_of(fine),
                              weight.empty() ? View{} : view_of(weight), how);
    return numbers_of(fine);
  }
  /// One step of probe_one that multiplies the state by a factor.
  Numbers multiplied(const Image& state, double factor) {
    const Image out = state.clone();
    const Iteration work{
        .rule = Rule::probe_one, .neighbours = {}, .parameters = {0, factor, 0}, .steps = 1};
    device.backend().iterate(work, view_of(state), view_of(out), view_of(state));
    return numbers_of(out);
  }

  const Device device = Device::open(GetParam());
};

constexpr Shape square{3, 3, 1};
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// A cell becomes (source + its neighbours) / 4, in the middle / 8.
Iteration relaxing(std::int64_t sweeps, Border border) {
  return {.rule = Rule::held_relaxed,
          .neighbours = {.axis = {1, 1, 0}, .border = {border, 0}},
          .parameters = {4},
          .steps = sweeps};
}
const Numbers source_and_hold{4, 0, 8, 0, 16, 0, 0, 0, 12,  //
                              0, 0, 0, 0, 4,  0, 0, 0, 0};

/// From 0 the red cells, those at the corners and in the middle, are their source over 4 or 8; the
/// black ones are a quarter of what stands beside them.
TEST_P(Grids, OneSweepRenewsRedThenBlack) {
  const Image fields = image(square, source_and_hold);
  const Image start = image(square, Numbers(9, nothing));
  EXPECT_EQ(relaxed(relaxing(1, Border::clamp), start, fields, true),
            (Numbers{1, 1.25, 2, 0.75, 2, 1.75, 0, 1.25, 3}));
  // Mirrored, the cell in the middle stands beyond each edge, where before was nothing.
  EXPECT_EQ(relaxed(relaxing(1, Border::mirror), start, fields, true),
            (Numbers{1, 1.75, 2, 1.25, 2, 2.25, 0, 1.75, 3}));
}

/// Clamped, a cell at the edge is its own neighbour, as it was before the sweep.
TEST_P(Grids, TheNextSweepGoesOnFromTheLast) {
  const Image fields = image(square, source_and_hold);
  const Numbers twice{2, 2.40625, 3.75, 1.46875, 2.625, 3.34375, 0.5, 2.40625, 5.25};
  const Image zero = image(square, Numbers(9, 0));
  EXPECT_EQ(relaxed(relaxing(2, Border::clamp), zero, fields, false), twice);
  const Image once = image(square, {1, 1.25, 2, 0.75, 2, 1.75, 0, 1.25, 3});
  EXPECT_EQ(relaxed(relaxing(1, Border::clamp), once, fields, false), twice);
}

TEST_P(Grids, ColoursAlternateAlongSlices) {
  Iteration work = relaxing(1, Border::clamp);
  work.neighbours.axis = {0, 0, 1};
  work.parameters = {2};
  const Shape line{1, 1, 3};
  const Image fields = image(line, {2, 4, 6, 0, 0, 0});
  EXPECT_EQ(relaxed(work, image(line, {9, 9, 9}), fields, true), (Numbers{1, 4, 3}));
}

/// The third cell is outside the mask: it stays 0 and is no neighbour to the second.
TEST_P(Grids, NothingFlowsAcrossTheEdgeOfAMask) {
  Iteration work{.rule = Rule::masked_relaxed,
                 .neighbours = {.axis = {1, 0, 0}},
                 .parameters = {},
                 .steps = 2};
  const Shape line{3, 1, 1};
  const Image fields = image(line, {4, 2, 0, 2, 2, 1, 1, 1, 0});
  EXPECT_EQ(relaxed(work, image(line, {5, 5, 5}), fields, true), (Numbers{4, 3, 0}));
}

/// The Laplacian of the state is 3 4 0 / 5 -2 0 / -6 1 -5; the source adds 1 everywhere, and the
/// middle is held with 2, which takes away 10.
TEST_P(Grids, ResidualsAreMeansOverCoarserCells) {
  const Iteration work{
      .rule = Rule::held_residual, .neighbours = {.axis = {1, 1, 0}}, .parameters = {}, .steps = 1};
  const Image state = image(square, {1, 2, 4, 3, 5, 6, 8, 7, 9});
  const Image fields = image(square, {1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0});
  EXPECT_EQ(applied(work, state, fields, square), (Numbers{4, 5, 1, 6, -11, 1, -5, 2, -4}));
  // What is beyond the end of the grid counts as 0, but it counts.
  EXPECT_EQ(applied(work, state, fields, {2, 3, 1}), (Numbers{4.5, 0.5, -2.5, 0.5, -1.5, -2}));
  EXPECT_EQ(applied(work, state, fields, {3, 2, 1}), (Numbers{5, -3, 1, -2.5, 1, -2}));
  EXPECT_EQ(applied(work, state, fields, {2, 2, 1}), (Numbers{1, 0.5, -0.75, -1}));
}

TEST_P(Grids, SlicesAreHalvedToo) {
  const Iteration work{.rule = Rule::unchanged, .neighbours = {}, .parameters = {}, .steps = 1};
  EXPECT_EQ(applied(work, image({2, 1, 3}, {2, 3, 4, 7, 6, 9}), Image(), {2, 1, 2}),
            (Numbers{3, 5, 3, 4.5}));
  EXPECT_EQ(applied(work, image({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), Image(), {1, 1, 1}),
            Numbers{4.5});
}

TEST_P(Grids, AFinerCellGetsWhatStandsForIt) {
  const Image coarse = image({2, 2, 1}, {1, 2, 3, 4});
  const Image unknown = image(square, Numbers(9, nothing)), tens = image(square, Numbers(9, 10));
  const Image weight = image(square, {1, 0, 0.5, 2, 1, 1, 1, 1, -1});
  EXPECT_EQ(transferred(coarse, unknown, Image(), Prolongation::replace),
            (Numbers{1, 1, 2, 1, 1, 2, 3, 3, 4}));
  EXPECT_EQ(transferred(coarse, tens, Image(), Prolongation::add),
            (Numbers{11, 11, 12, 11, 11, 12, 13, 13, 14}));
  EXPECT_EQ(transferred(coarse, unknown, weight, Prolongation::replace),
            (Numbers{1, 0, 1, 2, 1, 2, 3, 3, -4}));
  EXPECT_EQ(transferred(coarse, tens, weight, Prolongation::add),
            (Numbers{11, 10, 11, 12, 11, 12, 13, 13, 6}));
}

TEST_P(Grids, OnlySomeAxesMayBeFiner) {
  const Image zero = image(square, Numbers(9, 0));
  EXPECT_EQ(transferred(image({3, 2, 1}, {1, 2, 3, 4, 5, 6}), zero, Image(), Prolongation::add),
            (Numbers{1, 2, 3, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(transferred(image({1, 1, 2}, {5, 7}), image({1, 1, 3}, {0, 0, 0}), Image(),
                        Prolongation::replace),
            (Numbers{5, 5, 7}));
}

/// Stored numbers are parts of 32767: they are rounded to nearest and end at both ends of the
/// range.
TEST_P(Grids, StatesOfI16RoundAndSaturate) {
  const Image state = image_of(device, {6, 1, 1}, {5, 7, -7, 20000, -20000, 10000}, PixelType::i16);
  EXPECT_EQ(multiplied(state, 0.25), (Numbers{1, 2, -2, 5000, -5000, 2500}));
  EXPECT_EQ(multiplied(state, 2), (Numbers{10, 14, -14, 32767, -32767, 20000}));
}

/// The next number after 1 is 1 + 2^-10.
TEST_P(Grids, StatesOfF16RoundToNearest) {
  const Image state = image_of(device, {3, 1, 1}, {1, -1, 2}, PixelType::f16);
  EXPECT_EQ(multiplied(state, 1 + 0x1p-12), (Numbers{1, -1, 2}));
  EXPECT_EQ(multiplied(state, 1 + 0x3p-12), (Numbers{1 + 0x1p-10, -1 - 0x1p-10, 2 + 0x1p-9}));
}

std::vector<std::string> device_names() {
  std::vector<std::string> names;
  for (const DeviceInfo& info : Device::list()) names.push_back(info.name);
  return names;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), ':', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Devices, Grids, testing::ValuesIn(device_names()), test_name);

}  // namespace
}  // namespace meander
