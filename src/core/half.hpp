// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>

/// binary16 to and from wider floats in integer arithmetic; see Half in meander/pixel.hpp. Static
/// and free of the standard library's templates, so that files compiled per instruction set may
/// include it.
namespace meander {

static inline float half_to_float(std::uint16_t half) {
  // Move exponent and fraction into place, then let one multiplication by 2^112 rebias the
  // exponent: it is exact and turns subnormals into normals. Infinity and NaN need the top exponent
  // put back.
  const std::uint32_t magnitude = static_cast<std::uint32_t>(half & 0x7fffu) << 13;
  float scaled = __builtin_bit_cast(float, magnitude) * 0x1p112f;
  std::uint32_t bits = __builtin_bit_cast(std::uint32_t, scaled);
  bits = magnitude >= 0x0f800000u ? (magnitude | 0x7f800000u) : bits;
  bits |= static_cast<std::uint32_t>(half & 0x8000u) << 16;
  return __builtin_bit_cast(float, bits);
}

/// The common part: `fraction` has the leading one at bit 23 and a sticky bit 0, `exponent` is
/// unbiased.
static inline std::uint16_t round_to_half(std::uint32_t sign, int exponent,
                                          std::uint32_t fraction) {
  int shift = 13;
  if (exponent < -14) {
    shift += -14 - exponent;
    if (shift > 25) return static_cast<std::uint16_t>(sign);
    exponent = -15;
  }
  const std::uint32_t half_step = 1u << (shift - 1);
  const std::uint32_t rest = fraction & (2 * half_step - 1);
  std::uint32_t kept = fraction >> shift;
  kept += (rest > half_step || (rest == half_step && (kept & 1u))) ? 1u : 0u;
  // A normal number's leading one adds to the exponent field, as does a carry out of the fraction.
  const std::uint32_t base = exponent == -15 ? 0u : static_cast<std::uint32_t>(exponent + 14) << 10;
  const std::uint32_t bits = base + kept;
  return static_cast<std::uint16_t>(sign | (bits >= 0x7c00u ? 0x7c00u : bits));
}

static inline std::uint16_t float_to_half(float value) {
  const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, value);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) {  // NaN: keep the top of its payload, never turn it into infinity
    return static_cast<std::uint16_t>(sign | 0x7e00u | ((magnitude >> 13) & 0x3ffu));
  }
  if (magnitude >= 0x47800000u) return static_cast<std::uint16_t>(sign | 0x7c00u);
  if (magnitude < 0x33000000u) return static_cast<std::uint16_t>(sign);
  const int exponent = static_cast<int>(magnitude >> 23) - 127;
  return round_to_half(sign, exponent, (magnitude & 0x7fffffu) | 0x800000u);
}

static inline std::uint16_t double_to_half(double value) {
  const std::uint64_t bits = __builtin_bit_cast(std::uint64_t, value);
  const auto sign = static_cast<std::uint32_t>(bits >> 48) & 0x8000u;
  const std::uint64_t magnitude = bits & 0x7fffffffffffffffu;
  if (magnitude > 0x7ff0000000000000u) {
    return static_cast<std::uint16_t>(sign | 0x7e00u | ((magnitude >> 42) & 0x3ffu));
  }
  const int exponent = static_cast<int>(magnitude >> 52) - 1023;
  if (exponent > 15) return static_cast<std::uint16_t>(sign | 0x7c00u);
  if (exponent < -25) return static_cast<std::uint16_t>(sign);
  const std::uint64_t fraction = (magnitude & 0xfffffffffffffu) | 0x10000000000000u;
  // 53 bits to 24, what falls off kept as a sticky bit so that ties are told from near-ties.
  const std::uint64_t sticky = (fraction & 0x1fffffffu) != 0 ? 1 : 0;
  return round_to_half(sign, exponent, static_cast<std::uint32_t>((fraction >> 29) | sticky));
}

}  // namespace meander
