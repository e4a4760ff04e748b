// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace meander::phantoms {

using PhiloxKey = std::array<std::uint32_t, 2>;
using PhiloxBlock = std::array<std::uint32_t, 4>;

/// Philox4x32-10 of Salmon, Moraes, Dror and Shaw (2011): 128 random bits as a pure function of a
/// key and a counter, so that any pixel can be drawn without drawing those before it. In place for
/// several counters side by side, words of a kind together: compilers turn that into vector code.
template <std::size_t lanes>
void philox(std::array<std::array<std::uint32_t, lanes>, 4>& words, PhiloxKey key) {
  auto& [c0, c1, c2, c3] = words;
  for (int round = 0; round < 10; ++round) {
    for (std::size_t i = 0; i < lanes; ++i) {
      const std::uint64_t even = std::uint64_t{0xD2511F53u} * c0[i];
      const std::uint64_t odd = std::uint64_t{0xCD9E8D57u} * c2[i];
      c0[i] = static_cast<std::uint32_t>(odd >> 32) ^ c1[i] ^ key[0];
      c1[i] = static_cast<std::uint32_t>(odd);
      c2[i] = static_cast<std::uint32_t>(even >> 32) ^ c3[i] ^ key[1];
      c3[i] = static_cast<std::uint32_t>(even);
    }
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
}

inline PhiloxBlock philox(const PhiloxBlock& counter, PhiloxKey key) {
  std::array<std::array<std::uint32_t, 1>, 4> words{
      {{counter[0]}, {counter[1]}, {counter[2]}, {counter[3]}}};
  philox(words, key);
  return {words[0][0], words[1][0], words[2][0], words[3][0]};
}

/// An odd multiple of 2^-53, exact, never 0 or 1 and symmetric about 1/2.
inline double uniform_from(std::uint32_t low, std::uint32_t high) {
  const std::uint64_t bits = (std::uint64_t{high} << 32 | low) >> 12;
  return static_cast<double>(static_cast<std::int64_t>(2 * bits + 1)) * 0x1p-53;
}

/// What a counter is used for; keeps the draws of different uses apart.
enum class Purpose : std::uint32_t { pixel_pair = 0, pixel_sequence = 1, geometry = 2 };

inline PhiloxKey key_of(std::uint64_t seed) {
  return {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)};
}

inline PhiloxBlock counter_of(std::uint64_t index, std::uint32_t step, Purpose purpose) {
  return {static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), step,
          static_cast<std::uint32_t>(purpose)};
}

/// As many uniforms as one pixel or one shape needs, two a block.
class UniformSequence {
 public:
  UniformSequence(std::uint64_t seed, std::uint64_t index, Purpose purpose)
      : key_(key_of(seed)), index_(index), purpose_(purpose) {}

  double next() {
    if (used_ % 2 == 0) block_ = philox(counter_of(index_, used_ / 2, purpose_), key_);
    const bool second = used_++ % 2 == 1;
    return second ? uniform_from(block_[2], block_[3]) : uniform_from(block_[0], block_[1]);
  }

 private:
  PhiloxKey key_;
  std::uint64_t index_;
  Purpose purpose_;
  std::uint32_t used_ = 0;
  PhiloxBlock block_{};
};

}  // namespace meander::phantoms
