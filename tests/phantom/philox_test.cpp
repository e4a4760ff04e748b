// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "phantom/noise/philox.hpp"

#include <gtest/gtest.h>

namespace meander::phantoms {
namespace {

/// The known-answer vectors that the authors publish with Random123.
TEST(Philox, GivesThePublishedAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}),
            (PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, LanesDoNotMix) {
  std::array<std::array<std::uint32_t, 5>, 4> words{};
  for (std::uint32_t i = 0; i < 5; ++i) words[0][i] = 7 * i, words[3][i] = i;
  philox(words, {11, 13});
  for (std::uint32_t i = 0; i < 5; ++i) {
    const PhiloxBlock one = philox({7 * i, 0, 0, i}, {11, 13});
    for (std::size_t word = 0; word < 4; ++word) EXPECT_EQ(words[word][i], one[word]);
  }
}

TEST(Philox, UniformsAreOpenAndSymmetric) {
  EXPECT_EQ(uniform_from(0, 0), 0x1p-53);
  EXPECT_EQ(uniform_from(0xffffffff, 0xffffffff), 1 - 0x1p-53);
  EXPECT_EQ(uniform_from(0, 0x80000000), 0.5 + 0x1p-53);
  EXPECT_EQ(uniform_from(0xffffffff, 0x7fffffff), 0.5 - 0x1p-53);
  EXPECT_EQ(uniform_from(0xfff, 0), 0x1p-53);  // the lowest twelve bits are not used
  EXPECT_EQ(uniform_from(0x1000, 0), 3 * 0x1p-53);
}

TEST(Philox, SequenceTakesTwoFromEachBlockAndUsesTheWholeIndex) {
  const std::uint64_t seed = 0x123456789abcdef0, index = 0xfedcba9876543210;
  UniformSequence sequence(seed, index, Purpose::geometry);
  for (std::uint32_t step = 0; step < 3; ++step) {
    const PhiloxBlock block = philox({0x76543210, 0xfedcba98, step, 2}, {0x9abcdef0, 0x12345678});
    EXPECT_EQ(sequence.next(), uniform_from(block[0], block[1]));
    EXPECT_EQ(sequence.next(), uniform_from(block[2], block[3]));
  }
}

}  // namespace
}  // namespace meander::phantoms
