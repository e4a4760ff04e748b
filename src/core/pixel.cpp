// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Meander authors
#include "meander/pixel.hpp"

#include <cmath>
#include <limits>

#include "core/half.hpp"

namespace meander {

float to_float(Half value) { return half_to_float(value.bits); }
Half to_half(float value) { return {float_to_half(value)}; }
Half to_half(double value) { return {double_to_half(value)}; }

std::size_t size_of(PixelType type) {
  return visit(type, []<class T>(std::type_identity<T>) { return sizeof(T); });
}

std::string_view name_of(PixelType type) {
  constexpr std::string_view names[] = {"u8", "u16", "i16", "f16", "f32", "f64"};
  return names[static_cast<std::size_t>(type)];
}

std::optional<PixelType> pixel_type_named(std::string_view name) {
  for (const PixelType type : all_pixel_types) {
    if (name_of(type) == name) return type;
  }
  return std::nullopt;
}

bool is_integer(PixelType type) {
  return visit(type, []<class T>(std::type_identity<T>) { return std::is_integral_v<T>; });
}

double highest_of(PixelType type) {
  constexpr double highest[] = {255,
                                65535,
                                32767,
                                65504,
                                std::numeric_limits<float>::max(),
                                std::numeric_limits<double>::max()};
  return highest[static_cast<std::size_t>(type)];
}

double lowest_of(PixelType type) {
  constexpr double lowest[] = {0,
                               0,
                               -32768,
                               -65504,
                               std::numeric_limits<float>::lowest(),
                               std::numeric_limits<double>::lowest()};
  return lowest[static_cast<std::size_t>(type)];
}

template <class T>
T from_double(double value) {
  if constexpr (std::is_same_v<T, Half>) {
    return to_half(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(value);
  } else {
    if (std::isnan(value)) return 0;
    const double rounded = std::nearbyint(value);  // ties to even in the default mode
    if (rounded <= static_cast<double>(std::numeric_limits<T>::min()))
      return std::numeric_limits<T>::min();
    if (rounded >= static_cast<double>(std::numeric_limits<T>::max()))
      return std::numeric_limits<T>::max();
    return static_cast<T>(rounded);
  }
}
template std::uint8_t from_double<std::uint8_t>(double);
template std::uint16_t from_double<std::uint16_t>(double);
template std::int16_t from_double<std::int16_t>(double);
template Half from_double<Half>(double);
template float from_double<float>(double);
template double from_double<double>(double);

}  // namespace meander
