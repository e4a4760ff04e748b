// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "meander/error.hpp"

namespace meander {

/// How one number of an image is stored. Arithmetic is float32 (float64 where an f64 takes part).
enum class PixelType : std::uint8_t { u8, u16, i16, f16, f32, f64 };

/// Every type, for loops.
inline constexpr PixelType all_pixel_types[] = {PixelType::u8,  PixelType::u16, PixelType::i16,
                                                PixelType::f16, PixelType::f32, PixelType::f64};

/// IEEE 754 binary16, storage only. The conversions are written out in integers because not every
/// supported compiler has a 16-bit float; they round to nearest even and keep subnormals,
/// infinities and NaN, so they agree bit for bit with hardware and with NumPy.
struct Half {
  std::uint16_t bits = 0;  ///< Sign, 5 bits of exponent, 10 of mantissa.
  friend bool operator==(Half, Half) = default;
};

float to_float(Half value);  ///< Exactly.
Half to_half(float value);   ///< Rounded once, ties to even; infinite from 65520 on.
/// Rounded once, directly from float64 (going through float32 would round twice).
Half to_half(double value);

/// Bytes per number.
std::size_t size_of(PixelType type);
/// "u8", "u16", "i16", "f16", "f32" or "f64".
std::string_view name_of(PixelType type);
/// The type of such a name, or none.
std::optional<PixelType> pixel_type_named(std::string_view name);
bool is_integer(PixelType type);  ///< Of u8, u16 and i16.
/// The smallest and largest finite value that the type can hold.
double lowest_of(PixelType type);
double highest_of(PixelType type);  ///< Of f16 65504.

/// The pixel type that is stored as T: one of those below.
template <class T>
constexpr PixelType pixel_type_of();
template <>
constexpr PixelType pixel_type_of<std::uint8_t>() {
  return PixelType::u8;
}
template <>
constexpr PixelType pixel_type_of<std::uint16_t>() {
  return PixelType::u16;
}
template <>
constexpr PixelType pixel_type_of<std::int16_t>() {
  return PixelType::i16;
}
template <>
constexpr PixelType pixel_type_of<Half>() {
  return PixelType::f16;
}
template <>
constexpr PixelType pixel_type_of<float>() {
  return PixelType::f32;
}
template <>
constexpr PixelType pixel_type_of<double>() {
  return PixelType::f64;
}

/// Calls `f(std::type_identity<T>{})` with the C++ type of `type`: the one switch over pixel types.
template <class F>
decltype(auto) visit(PixelType type, F&& f) {
  switch (type) {
    case PixelType::u8:
      return f(std::type_identity<std::uint8_t>{});
    case PixelType::u16:
      return f(std::type_identity<std::uint16_t>{});
    case PixelType::i16:
      return f(std::type_identity<std::int16_t>{});
    case PixelType::f16:
      return f(std::type_identity<Half>{});
    case PixelType::f32:
      return f(std::type_identity<float>{});
    case PixelType::f64:
      return f(std::type_identity<double>{});
  }
  throw LogicError("pixel type out of its enumeration");
}

/// A stored number as float64, exactly.
template <class T>
double to_double(T value) {
  if constexpr (std::is_same_v<T, Half>) {
    return to_float(value);
  } else {
    return static_cast<double>(value);
  }
}

/// The nearest number of type T: ties to even; integers saturate and NaN becomes 0; floats overflow
/// to infinity and keep NaN.
template <class T>
T from_double(double value);

}  // namespace meander
