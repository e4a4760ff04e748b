// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>

/// The paper's future work: the network in integers. States are U = s·u with s = sqrt(dt/3), so
/// that dt·u³/3 is U³/s, and v, each times a power of two:
///
///     U ← U + U·(dt·c - U²) - dt·s·v        v ← v + dt·(e·b·v - e/s·U - e·a + D2·Δv)
///
/// Every right side is one sum of products, rounded once. Nothing overflows while |u| < 2.7 and
/// |v| < 1; the edge detector stays within 1.9 and 0.61.
namespace meander::bench {

struct ReactNetwork;

/// Bits after the binary point. A product of two states of 16 bits has 32, of 32 bits 64.
template <class Number>
struct FixedBits;
template <>
struct FixedBits<std::int16_t> {
  using Product = std::int32_t;
  static constexpr int u = 16, v = 15;
  static constexpr int growth = 17;    ///< Of dt·c - U².
  static constexpr int coupling = 15;  ///< Of the factors in the second sum.
};
template <>
struct FixedBits<std::int32_t> {
  using Product = std::int64_t;
  static constexpr int u = 30, v = 28;
  static constexpr int growth = 30;
  static constexpr int coupling = 30;
};

/// The constants of the sums have half a unit of the result in them, so that shifting rounds.
template <class Number>
struct FixedNumbers {
  using Product = typename FixedBits<Number>::Product;
  Product growth;     ///< dt·c, with 2·u bits.
  Product half;       ///< Nothing but the half, with u + growth bits.
  Product constant;   ///< -dt·e·a, with v + coupling bits.
  Number inhibition;  ///< -dt·s, which makes U of v.
  Number decay;       ///< dt·(e·b - 4·D2)
  Number drive;       ///< -dt·e/s, which makes v of U.
  Number diffusion;   ///< dt·D2, of the sum of the neighbours.
};

/// Throws LogicError when the network has a D1.
template <class Number>
FixedNumbers<Number> fixed_numbers(const ReactNetwork& network);

/// What u and v are multiplied by to become states.
struct FixedScales {
  double u, v;
};
template <class Number>
FixedScales fixed_scales(const ReactNetwork& network);

}  // namespace meander::bench
