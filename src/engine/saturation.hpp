// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstdint>

namespace meander::engine {

/// Where values saturate in the integer pixel types, as floats, which hold these numbers exactly.
/// Plain types only: nvcc and files compiled per instruction set include it.
template <class T>
struct Saturation;
template <>
struct Saturation<std::uint8_t> {
  static constexpr float low = 0, high = 255;
};
template <>
struct Saturation<std::uint16_t> {
  static constexpr float low = 0, high = 65535;
};
template <>
struct Saturation<std::int16_t> {
  static constexpr float low = -32768, high = 32767;
};

}  // namespace meander::engine
