// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
//
// FIR, prefix sums and pointwise operations, against results written out or computed another way: a
// fault that `reference` shares is not seen by comparing with it.
#include <cmath>
#include <limits>

#include "engine/ghost.hpp"
#include "engine/line_testing.hpp"

namespace meander {
namespace {

using engine::Axis;

class Filters : public Lines {
 protected:
  Numbers filtered(const Numbers& line, const Numbers& weights, Axis axis, const BorderRule& border,
                   PixelType type) {
    const OnDevice here(device, axis);
    const Image in = here.image(line, type), out = here.image(Numbers(line.size(), -1), type);
    backend.fir(view_of(in), view_of(out), axis, weights, border);
    return here.numbers_of(out);
  }
};

TEST(GhostIndex, FollowsTheSequencesOfTheBorders) {
  const std::vector<std::int64_t> clamp[] = {{0, 0, 0, 0, 0, 0, 0},
                                             {0, 0, 0, 0, 1, 1, 1, 1},
                                             {0, 0, 0, 0, 1, 2, 2, 2, 2},
                                             {0, 0, 0, 0, 1, 2, 3, 3, 3, 3},
                                             {0, 0, 0, 0, 1, 2, 3, 4, 4, 4, 4}};
  const std::vector<std::int64_t> constant[] = {{-1, -1, -1, 0, -1, -1, -1},
                                                {-1, -1, -1, 0, 1, -1, -1, -1},
                                                {-1, -1, -1, 0, 1, 2, -1, -1, -1},
                                                {-1, -1, -1, 0, 1, 2, 3, -1, -1, -1},
                                                {-1, -1, -1, 0, 1, 2, 3, 4, -1, -1, -1}};
  const std::vector<std::int64_t> reflect[] = {{0, 0, 0, 0, 0, 0, 0},
                                               {1, 1, 0, 0, 1, 1, 0, 0},
                                               {2, 1, 0, 0, 1, 2, 2, 1, 0},
                                               {2, 1, 0, 0, 1, 2, 3, 3, 2, 1},
                                               {2, 1, 0, 0, 1, 2, 3, 4, 4, 3, 2}};
  const std::vector<std::int64_t> mirror[] = {{0, 0, 0, 0, 0, 0, 0},
                                              {1, 0, 1, 0, 1, 0, 1, 0},
                                              {1, 2, 1, 0, 1, 2, 1, 0, 1},
                                              {3, 2, 1, 0, 1, 2, 3, 2, 1, 0},
                                              {3, 2, 1, 0, 1, 2, 3, 4, 3, 2, 1}};
  const std::vector<std::int64_t> periodic[] = {{0, 0, 0, 0, 0, 0, 0},
                                                {1, 0, 1, 0, 1, 0, 1, 0},
                                                {0, 1, 2, 0, 1, 2, 0, 1, 2},
                                                {1, 2, 3, 0, 1, 2, 3, 0, 1, 2},
                                                {2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2}};
  const std::vector<std::int64_t>* const expected[] = {clamp, constant, reflect, mirror, periodic};
  for (int kind = 0; kind < 5; ++kind) {
    for (std::int64_t n = 1; n <= 5; ++n) {
      std::vector<std::int64_t> found;
      for (std::int64_t i = -3; i < n + 3; ++i) found.push_back(engine::ghost_index(i, n, kind));
      EXPECT_EQ(found, expected[kind][n - 1]) << "kind " << kind << ", " << n << " pixels";
    }
  }
}

TEST(GhostIndex, GoesOnForEver) {
  EXPECT_EQ(engine::ghost_index(-1000000001, 3, engine::ghost_periodic), 1);
  EXPECT_EQ(engine::ghost_index(1000000001, 3, engine::ghost_reflect), 0);
  EXPECT_EQ(engine::ghost_index(1000000001, 3, engine::ghost_mirror), 1);
}

TEST_P(Filters, FirOfOneWeightScales) {
  for (const Axis axis : axes) {
    for (const PixelType type : reals()) {
      EXPECT_EQ(filtered({1, -2, 3, 5}, {2}, axis, {}, type), (Numbers{2, -4, 6, 10}));
    }
  }
}

/// The weight before the middle takes the pixel before: values move to higher places, and what
/// comes in shows the border.
TEST_P(Filters, FirShifts) {
  const Numbers line = {1, 2, 3, 4};
  const Numbers from_before = {1, 0, 0, 0, 0}, from_behind = {0, 0, 0, 0, 1};
  const std::pair<BorderRule, std::pair<Numbers, Numbers>> expected[] = {
      {{.kind = Border::clamp}, {{1, 1, 1, 2}, {3, 4, 4, 4}}},
      {{.kind = Border::constant, .value = 9}, {{9, 9, 1, 2}, {3, 4, 9, 9}}},
      {{.kind = Border::reflect}, {{2, 1, 1, 2}, {3, 4, 4, 3}}},
      {{.kind = Border::mirror}, {{3, 2, 1, 2}, {3, 4, 3, 2}}},
      {{.kind = Border::periodic}, {{3, 4, 1, 2}, {3, 4, 1, 2}}}};
  for (const Axis axis : axes) {
    for (const auto& [border, results] : expected) {
      EXPECT_EQ(filtered(line, from_before, axis, border, PixelType::f32), results.first);
      EXPECT_EQ(filtered(line, from_behind, axis, border, PixelType::f32), results.second);
    }
  }
}

TEST_P(Filters, FirAddsUpEveryTap) {
  EXPECT_EQ(filtered({0, 0, 1, 0, 0}, {3, 5, 7}, Axis::y, {}, PixelType::f32),
            (Numbers{0, 7, 5, 3, 0}));
}

TEST_P(Filters, PrefixSumsOfIntegersAreExact) {
  const Numbers largest(5, 65535);
  for (const Axis axis : axes) {
    const OnDevice here(device, axis);
    const auto sums = [&](const Numbers& line, PixelType type, engine::Prefix kind) {
      const Image in = here.image(line, type);
      const Image out = here.image(Numbers(line.size(), -1), PixelType::f64);
      backend.prefix(view_of(in), view_of(out), axis, kind);
      std::vector<std::uint64_t> words;
      for (const double word : here.line_of<double>(out)) {
        words.push_back(std::bit_cast<std::uint64_t>(word));
      }
      return words;
    };
    EXPECT_EQ(sums(largest, PixelType::u16, engine::Prefix::inclusive),
              (std::vector<std::uint64_t>{65535, 131070, 196605, 262140, 327675}));
    EXPECT_EQ(sums(largest, PixelType::u16, engine::Prefix::exclusive),
              (std::vector<std::uint64_t>{0, 65535, 131070, 196605, 262140}));
    // Below zero sums wrap around 2^64 and come back.
    EXPECT_EQ(sums({-1, -32768, 32767, 5}, PixelType::i16, engine::Prefix::inclusive),
              (std::vector<std::uint64_t>{std::uint64_t{0} - 1, std::uint64_t{0} - 32769,
                                          std::uint64_t{0} - 2, 3}));
    EXPECT_EQ(sums({255, 255, 0, 1}, PixelType::u8, engine::Prefix::exclusive),
              (std::vector<std::uint64_t>{0, 255, 510, 510}));
  }
}

TEST_P(Filters, PrefixSumsOfFloatsAreAddedInFloat64) {
  if (!device.info().has_float64) GTEST_SKIP() << GetParam() << " has no 64-bit floats";
  const OnDevice here(device, Axis::y);
  const Image in = here.image({0x1p24, 1, 1, -0.5}, PixelType::f32);
  const Image out = here.image({0, 0, 0, 0}, PixelType::f64);
  backend.prefix(view_of(in), view_of(out), Axis::y, engine::Prefix::inclusive);
  EXPECT_EQ(here.numbers_of(out), (Numbers{0x1p24, 0x1p24 + 1, 0x1p24 + 2, 0x1p24 + 1.5}));
  backend.prefix(view_of(in), view_of(out), Axis::y, engine::Prefix::exclusive);
  EXPECT_EQ(here.numbers_of(out), (Numbers{0, 0x1p24, 0x1p24 + 1, 0x1p24 + 2}));
}

TEST_P(Filters, PointwiseOperations) {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  const Numbers a = {3, nan, -infinity, 8, -6, 0}, b = {4, 2, 0.5, 0x1p-20, 0x1.8p-20, 0};
  const Numbers c = {1, 0, -1, nan, 0x1p-30, 2};
  using engine::Pointwise;
  const std::pair<Pointwise, Numbers> expected[] = {
      {Pointwise::sum, {7, nan, -infinity, 8 + 0x1p-20, -6 + 0x1.8p-20, 0}},
      {Pointwise::norm, {5, nan, infinity, 8, 6, 0}},
      {Pointwise::weight, {4, 0, 0, 0x1p-20, 0x1.8p-20, 0}},
      {Pointwise::weighted, {12, 0, 0, 0x1p-17, -0x1.2p-17, 0}},
      {Pointwise::quotient, {0.75, nan, -infinity, nan, -0x1p22, nan}},
      {Pointwise::select, {3, 2, 0.5, 0x1p-20, -6, 0}}};
  const OnDevice here(device, Axis::x);
  for (const PixelType type : reals()) {
    for (const auto& [operation, line] : expected) {
      const Image out = here.image(Numbers(6, -1), type);
      backend.pointwise(operation, view_of(here.image(a, type)), view_of(here.image(b, type)),
                        view_of(here.image(c, type)), view_of(out));
      const Numbers found = here.numbers_of(out);
      for (std::size_t i = 0; i < line.size(); ++i) {
        EXPECT_TRUE(found[i] == line[i] || (std::isnan(found[i]) && std::isnan(line[i])) ||
                    std::abs(found[i] - line[i]) <= std::abs(line[i]) * 0x1p-20)
            << static_cast<int>(operation) << " at " << i << ": " << found[i] << ", expected "
            << line[i];
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, Filters, testing::ValuesIn(device_names()), test_name);

}  // namespace
}  // namespace meander
